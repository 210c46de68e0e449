package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The list of an organization's services: all of them, in their order, or those with tags. */
class ServiceListTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private List<String> listed(String query) {
        return tenant.admin()
                .get(tenant.services() + query)
                .ok()
                .valueStream()
                .map(service -> service.path("name").asString())
                .toList();
    }

    @Test
    void anOrganizationWithoutServicesHasAnEmptyList() {
        assertThat(tenant.admin().get(tenant.services()).text()).contains("\"result\":[]");
    }

    @Test
    void servicesAreListedByCreationThenId() {
        List<JsonNode> made = new ArrayList<>();
        for (int moment = 0; moment < 3; moment++) {
            List<JsonNode> together = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                together.add(tenant.made("{}"));
            }
            together.sort(Comparator.comparing(service -> service.path("id").asString()));
            made.addAll(together);
            house.advance(Duration.ofMillis(1));
        }
        assertThat(tenant.admin().get(tenant.services()).ok().valueStream()).containsExactlyElementsOf(made);
    }

    @Test
    void aListOfManyPagesHasEveryServiceOnceAndInOrder() {
        ApiCaller crowd = tenant.admin().inACrowd();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 401; i++) {
            names.add("Service " + i);
            crowd.post(
                            tenant.services(),
                            "{'name': 'Service " + i + "', 'tags': [{'key': 'n', 'value': '" + i % 3 + "'}]}")
                    .ok();
            house.advance(Duration.ofMillis(1));
        }
        assertThat(listed("")).isEqualTo(names);
        assertThat(listed("?filter=tag:n=2")).hasSize(133);
        assertThat(listed("?filter=tag:n=3")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "?filter=tag:team | One Two Three",
                "?filter=tag:team=data | One Two",
                "?filter=tag%3Ateam%3Ddata | One Two",
                "?filter=tag:team=data&filter=tag:stage=test | Two",
                "?filter=tag:team=data&filter=tag:team=ops | -",
                "?filter=tag:Team | -",
                "?filter=tag:flag | Four",
                "?filter=tag:flag= | Four",
                "?filter=tag:none | -",
                "?unknown=1 | One Two Three Four"
            })
    void tagsFilterTheListAndSeveralMustAllHold(String query, String expected) {
        for (String service : List.of(
                "{'name': 'One', 'tags': [{'key': 'team', 'value': 'data'}]}",
                "{'name': 'Two', 'tags': [{'key': 'stage', 'value': 'test'}, {'key': 'team', 'value': 'data'}]}",
                "{'name': 'Three', 'tags': [{'key': 'team', 'value': 'ops'}]}",
                "{'name': 'Four', 'tags': [{'key': 'flag'}]}")) {
            tenant.made(service);
            house.advance(Duration.ofMillis(1));
        }
        assertThat(String.join(" ", listed(query))).isEqualTo(expected == null ? "" : expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"team", "tag", "tag:", "tag:=data", "name:x", "", "TAG:team"})
    void aFilterOfAnotherShapeIsRefused(String filter) {
        tenant.admin().get(tenant.services() + "?filter=" + filter).faultsAt("filter");
    }

    @Test
    void aStrangersServicesAreNotListed() {
        house.tenant().made("{'name': 'Foreign'}");
        tenant.made("{'name': 'Own'}");
        assertThat(listed("")).containsExactly("Own");
    }
}
