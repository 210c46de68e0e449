package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The table of update organization, what an organization looks like, and how one is made. */
class OrganizationTest {
    private static final String ORGANIZATIONS = "/v1/organizations";
    private static final String MAX_NAME = "n".repeat(255);

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private ApiAnswer update(String body) {
        return tenant.admin().patch(tenant.path(), body);
    }

    @Test
    void anOrganizationIsMadeWithAnAdminKeyThatIsShownOnce() {
        JsonNode made = house.root().post(ORGANIZATIONS, """
                        {'name': 'Acme, Inc.', 'tier': 'SCALE', 'paid': false,
                         'byocConfig': [{'id': 'byoc-1', 'accountName': 'acme'}, {'id': 'byoc-0', 'accountName': 'b'}]}""").ok();
        JsonNode organization = made.path("organization");
        ApiJson.assertSame(organization.path("name"), "'Acme, Inc.'");
        ApiJson.assertSame(organization.path("tier"), "'SCALE'");
        ApiJson.assertSame(organization.path("paid"), "false");
        ApiJson.assertSame(
                organization.path("byocConfig"),
                "[{'id': 'byoc-1', 'accountName': 'acme'}, {'id': 'byoc-0', 'accountName': 'b'}]");
        ApiJson.assertSame(organization.path("privateEndpoints"), "[]");
        assertThat(organization.path("createdAt").asString())
                .isEqualTo(house.time.now().toString());
        assertThat(made.path("key").path("keyId").asString()).matches("[A-Za-z0-9]{20}");
        assertThat(made.path("key").path("keySecret").asString()).matches("[A-Za-z0-9]{48}");
        Tenant other = new Tenant(house, organization.path("id").asString(), tenant.with(made.path("key")));
        assertThat(other.organization()).isEqualTo(organization);
        ApiJson.assertSame(other.admin().get(other.keys()).ok().get(0).path("roles"), "['admin']");
    }

    @Test
    void anOrganizationOfWhichOnlyTheNameIsGivenIsPaidAndOfTheHighestTier() {
        JsonNode organization = house.tenant("{'name': 'Defaults', 'tier': null, 'paid': null, 'byocConfig': null}")
                .organization();
        ApiJson.assertSame(organization.path("tier"), "'ENTERPRISE'");
        ApiJson.assertSame(organization.path("paid"), "true");
        ApiJson.assertSame(organization.path("byocConfig"), "[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | name",
                "{'name': null} | name",
                "{'name': ''} | name",
                "{'name': ' '} | name",
                "{'name': 5} | name",
                "{'name': 'A', 'tier': 'scale'} | tier",
                "{'name': 'A', 'tier': ''} | tier",
                "{'name': 'A', 'tier': 1} | tier",
                "{'name': 'A', 'paid': 'yes'} | paid",
                "{'name': 'A', 'paid': 1} | paid",
                "{'name': 'A', 'byocConfig': {}} | byocConfig",
                "{'name': 'A', 'byocConfig': ['b']} | byocConfig[0]",
                "{'name': 'A', 'byocConfig': [{'id': 'b'}]} | byocConfig[0].accountName",
                "{'name': 'A', 'byocConfig': [{'accountName': 'b'}]} | byocConfig[0].id",
                "{'name': 'A', 'byocConfig': [{'id': '', 'accountName': 'b'}]} | byocConfig[0].id"
            })
    void anOrganizationThatBreaksARuleIsNotMade(String body, String path) {
        assertThat(house.root().post(ORGANIZATIONS, body).faults()).containsKey(path);
    }

    @Test
    void everyFaultOfANewOrganizationIsReportedAtOnce() {
        house.root().post(ORGANIZATIONS, """
                        {'name': '', 'tier': 'x', 'paid': 1, 'byocConfig': [{'id': 'a', 'accountName': 'b'},
                         {'id': 'a', 'accountName': 'c'}]}""").faultsAt("name", "tier", "paid", "byocConfig[1].id");
    }

    @Test
    void aKeySeesItsOwnOrganizationAndNoOther() {
        house.tenant();
        JsonNode listed = tenant.admin().get(ORGANIZATIONS).ok();
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0)).isEqualTo(tenant.organization());
        assertThat(house.root().get(ORGANIZATIONS).ok().get(0).path("id").asString())
                .isEqualTo(house.homeId());
    }

    @Test
    void anOrganizationAndItsEndpointsHaveTheFieldsOfTheContract() {
        update("{'privateEndpoints': {'add': [{'id': 'vpce-1', 'description': 'One'}]}}")
                .ok();
        List<String> names = new ArrayList<>();
        tenant.organization().properties().forEach(member -> names.add(member.getKey()));
        assertThat(names).contains("id", "createdAt", "name", "privateEndpoints", "byocConfig");
        ApiJson.assertSame(tenant.organization().path("privateEndpoints"), "[{'id': 'vpce-1', 'description': 'One'}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "Acme, Inc. (EU) / 2", "Ünïcode 🙂", MAX_NAME_HERE})
    void everyNameThatIsAllowedIsTaken(String name) {
        String longest = name.equals(MAX_NAME_HERE) ? MAX_NAME : name;
        JsonNode updated = update("{'name': '" + longest + "'}").ok();
        assertThat(updated.path("name").asString()).isEqualTo(longest);
        assertThat(tenant.organization()).isEqualTo(updated);
    }

    private static final String MAX_NAME_HERE = "the longest";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'name': ''} | name",
                "{'name': '  '} | name",
                "{'name': 5} | name",
                "{'name': []} | name",
                "{'name': 'a\\u0007b'} | name",
                "{'privateEndpoints': []} | privateEndpoints",
                "{'privateEndpoints': 'x'} | privateEndpoints",
                "{'privateEndpoints': {'add': {}}} | privateEndpoints.add",
                "{'privateEndpoints': {'remove': 5}} | privateEndpoints.remove",
                "{'privateEndpoints': {'add': ['vpce-1']}} | privateEndpoints.add[0]",
                "{'privateEndpoints': {'add': [{}]}} | privateEndpoints.add[0].id",
                "{'privateEndpoints': {'add': [{'id': 5}]}} | privateEndpoints.add[0].id",
                "{'privateEndpoints': {'add': [{'id': ''}]}} | privateEndpoints.add[0].id",
                "{'privateEndpoints': {'add': [{'id': 'a', 'description': 5}]}} | privateEndpoints.add[0].description",
                "{'privateEndpoints': {'remove': [{}]}} | privateEndpoints.remove[0].id",
                "{'enableCoreDumps': 'yes'} | enableCoreDumps"
            })
    void everyOtherValueIsRefusedByItsPath(String body, String path) {
        assertThat(update(body).faults()).containsKey(path);
        assertThat(tenant.organization().path("privateEndpoints")).isEmpty();
    }

    @Test
    void limitsOfLengthHoldOnBothSides() {
        update("{'name': '" + MAX_NAME + "n'}").faultsAt("name");
        String endpoint = "{'privateEndpoints': {'add': [{'id': '%s', 'description': '%s'}]}}";
        update(endpoint.formatted("i".repeat(512), "d".repeat(255))).ok();
        update(endpoint.formatted("i".repeat(513), "d".repeat(256)))
                .faultsAt("privateEndpoints.add[0].id", "privateEndpoints.add[0].description");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'name': null, 'privateEndpoints': null}",
                "{'name': 'Tenant'}",
                "{'privateEndpoints': {}}",
                "{'privateEndpoints': {'add': [], 'remove': [{'id': 'vpce-9'}]}}",
                "{'tier': 'BASIC', 'paid': false, 'byocConfig': [], 'id': 'x'}"
            })
    void anUpdateWithoutAnythingNewChangesNothing(String body) {
        JsonNode before = tenant.organization();
        assertThat(update(body).ok()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'remove': [{'id': 'a'}]} | [{'id': 'b', 'description': 'B'}]",
                "{'add': [{'id': 'c'}, {'id': 'a', 'description': 'new'}]} | [{'id': 'a', 'description': 'new'}, {'id': 'b', 'description': 'B'}, {'id': 'c'}]",
                "{'remove': [{'id': 'a', 'description': 'any'}], 'add': [{'id': 'a'}]} | [{'id': 'b', 'description': 'B'}, {'id': 'a'}]",
                "{'remove': [{'id': 'a'}, {'id': 'b'}, {'id': 'x'}]} | []"
            })
    void privateEndpointsAreRemovedBeforeOthersAreAdded(String change, String expected) {
        update("{'privateEndpoints': {'add': [{'id': 'a', 'description': 'A'}, {'id': 'b', 'description': 'B'}]}}")
                .ok();
        ApiJson.assertSame(update("{'privateEndpoints': " + change + "}").ok().path("privateEndpoints"), expected);
    }
}
