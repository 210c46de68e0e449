package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Every row of the table of create service, by itself: good values come back, others are refused by their path. */
class CreateServiceRowsTest {
    /** Fields that say how a service is made and are not part of it. */
    private static final Set<CreateServiceRows> NOT_RETURNED = Set.of(
            CreateServiceRows.PRIVATE_PREVIEW_TERMS_CHECKED,
            CreateServiceRows.PRIVATE_ENDPOINT_IDS,
            CreateServiceRows.ENDPOINTS);

    private static final Set<String> ITS_OWN =
            Set.of("id", "name", "createdAt", "endpoints", "iamRole", "dataWarehouseId");

    @RegisterExtension
    static final House house = House.start();

    @ParameterizedTest
    @EnumSource
    void everyValueThatIsAllowedIsTakenAndComesBackAsItWasSent(CreateServiceRows row) {
        Tenant tenant = house.tenant();
        for (String value : row.taken()) {
            JsonNode service = tenant.made("{'" + row.field() + "': " + value + "}");
            if (!NOT_RETURNED.contains(row)) {
                ApiJson.assertSame(service.path(row.field()), value);
                assertThat(tenant.get(service).path(row.field())).isEqualTo(service.path(row.field()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyOtherValueIsRefusedByItsPath(CreateServiceRows row) {
        Tenant tenant = house.tenant();
        for (String value : row.refused()) {
            ApiAnswer answer = tenant.create("{'" + row.field() + "': " + value + "}");
            assertThat(answer.faults().keySet())
                    .as("the faulty paths after %s", value)
                    .isNotEmpty()
                    .allMatch(path -> path.matches(row.field() + "([.\\[].*)?"));
        }
        assertThat(tenant.admin().get(tenant.services()).ok()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void nullIsTheSameAsNothing(CreateServiceRows row) {
        Tenant tenant = house.tenant();
        JsonNode withNull = tenant.made("{'" + row.field() + "': null}");
        JsonNode without = tenant.made("{}");
        assertThat(comparable(withNull)).isEqualTo(comparable(without));
    }

    /** The part that two services made by the same request share. */
    private static Map<String, JsonNode> comparable(JsonNode service) {
        Map<String, JsonNode> members = new TreeMap<>();
        service.properties().stream()
                .filter(member -> !ITS_OWN.contains(member.getKey()))
                .forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }

    @Test
    void everyFaultIsReportedAtOnce() {
        List<String> members = new ArrayList<>();
        Set<String> fields = new TreeSet<>();
        for (CreateServiceRows row : CreateServiceRows.values()) {
            members.add("'" + row.field() + "': " + row.refused().getLast());
            fields.add(row.field());
        }
        Set<String> reported = new TreeSet<>(house.tenant()
                .create("{" + String.join(", ", members) + "}")
                .faults()
                .keySet());
        assertThat(reported).isEqualTo(fields);
    }

    @Test
    void everyFieldOfTheDocumentHasARow() {
        Set<String> rows = new TreeSet<>();
        Stream.of(CreateServiceRows.values()).forEach(row -> rows.add(row.field()));
        rows.addAll(Set.of("minReplicas", "maxReplicas"));
        Set<String> documented = new TreeSet<>();
        ApiDocument.MANAGEMENT
                .json()
                .at("/components/schemas/ServiceCreate/properties")
                .properties()
                .forEach(member -> documented.add(member.getKey()));
        assertThat(rows).isEqualTo(documented);
    }
}
