package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The table of update service: each field by itself, and what removing before adding comes to. */
class UpdateServiceTest {
    private static final String A = "{'source': '192.0.2.1', 'description': 'a'}";
    private static final String B = "{'source': '192.0.2.2', 'description': 'b'}";
    private static final String C = "{'source': '192.0.2.3'}";
    private static final String D = "{'source': '192.0.2.4'}";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    /** Wraps a value of the table of create as update has it. */
    private static String change(CreateServiceRows row, String value) {
        boolean pair = row == CreateServiceRows.IP_ACCESS_LIST
                || row == CreateServiceRows.TAGS
                || row == CreateServiceRows.PRIVATE_ENDPOINT_IDS;
        return "{'" + row.field() + "': " + (pair ? "{'add': " + value + "}" : value) + "}";
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NAME", "IP_ACCESS_LIST", "PRIVATE_ENDPOINT_IDS", "RELEASE_CHANNEL", "TAGS", "ENABLE_CORE_DUMPS"})
    void everyValueThatIsAllowedIsTakenAndComesBackAsItWasSent(CreateServiceRows row) {
        for (String value : row.taken()) {
            JsonNode updated =
                    tenant.update(tenant.made("{}"), change(row, value)).ok();
            ApiJson.assertSame(updated.path(row.field()), value);
            assertThat(tenant.get(updated)).isEqualTo(updated);
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "NAME",
                "IP_ACCESS_LIST",
                "PRIVATE_ENDPOINT_IDS",
                "RELEASE_CHANNEL",
                "ENDPOINTS",
                "TAGS",
                "ENABLE_CORE_DUMPS"
            })
    void everyOtherValueIsRefusedByItsPathAndChangesNothing(CreateServiceRows row) {
        JsonNode service = tenant.made("{}");
        for (String value : row.refused()) {
            assertThat(tenant.update(service, change(row, value)).faults().keySet())
                    .as("the faulty paths after %s", value)
                    .isNotEmpty()
                    .allMatch(path -> path.matches(row.field() + "([.\\[].*)?"));
        }
        assertThat(tenant.get(service)).isEqualTo(service);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'name': null, 'ipAccessList': null, 'privateEndpointIds': null, 'releaseChannel': null,"
                        + " 'endpoints': null, 'transparentDataEncryptionKeyId': null, 'tags': null}",
                "{'ipAccessList': {}, 'privateEndpointIds': {}, 'tags': {}, 'endpoints': []}",
                "{'ipAccessList': {'add': null, 'remove': null}, 'privateEndpointIds': {'add': [], 'remove': []}}",
                "{'ipAccessList': {'remove': [{'source': '198.51.100.1'}]}, 'privateEndpointIds': {'remove': ['x']}}",
                "{'name': 'Same', 'releaseChannel': 'default', 'ipAccessList': {'add': [" + A + "]}}",
                "{'endpoints': [{'protocol': 'mysql', 'enabled': false}], 'tags': {'remove': [{'key': 'x'}]}}",
                "{'region': 'eu-west-1', 'numReplicas': 20, 'isReadonly': true, 'unknown': {'a': [1]}}"
            })
    void anUpdateWithoutAnythingNewChangesNothing(String body) {
        JsonNode made = tenant.made("{'name': 'Same', 'ipAccessList': [" + A + "]}");
        house.settle();
        JsonNode service = tenant.get(made);
        String tag = tenant.admin().get(tenant.service(service)).need("etag");
        ApiAnswer answer = tenant.update(service, body);
        assertThat(answer.ok()).isEqualTo(service);
        assertThat(answer.need("etag")).isEqualTo(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ipAccessList", "privateEndpointIds", "tags"})
    void aPairIsAnObjectOfLists(String field) {
        JsonNode service = tenant.made("{}");
        for (String wrong : List.of("[]", "'x'", "5", "true")) {
            tenant.update(service, "{'" + field + "': " + wrong + "}").faultsAt(field);
        }
        for (String wrong : List.of("{}", "'x'", "5", "false")) {
            tenant.update(service, "{'" + field + "': {'add': " + wrong + "}}").faultsAt(field + ".add");
            tenant.update(service, "{'" + field + "': {'remove': " + wrong + "}}")
                    .faultsAt(field + ".remove");
        }
        tenant.update(service, "{'" + field + "': {'add': [5], 'remove': [true, 'x', {}]}}")
                .refused(400, "BAD_REQUEST");
    }

    @Test
    void everyFaultIsReportedAtOnce() {
        JsonNode service = tenant.made("{}");
        tenant.update(service, """
                        {'name': '', 'ipAccessList': {'add': [{'source': 'x'}, {'source': '::1'}, {'source': 'y'}]},
                         'privateEndpointIds': {'add': ['ok', 5]}, 'releaseChannel': 'turbo',
                         'endpoints': [{'protocol': 'https', 'enabled': false}], 'transparentDataEncryptionKeyId': 5}""")
                .faultsAt(
                        "name",
                        "ipAccessList.add[0].source",
                        "ipAccessList.add[2].source",
                        "privateEndpointIds.add[1]",
                        "releaseChannel",
                        "endpoints[0].protocol",
                        "transparentDataEncryptionKeyId");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'remove': [{'source': '192.0.2.2'}]} | A, C",
                "{'remove': [{'source': '192.0.2.2', 'description': 'not its own'}]} | A, C",
                "{'remove': [{'source': '192.0.2.1'}, {'source': '192.0.2.9'}], 'add': [D]} | B, C, D",
                "{'add': [D, {'source': '192.0.2.1', 'description': 'new'}]} | {'source': '192.0.2.1', 'description': 'new'}, B, C, D",
                "{'add': [{'source': '192.0.2.2'}]} | A, B, C",
                "{'add': [{'source': '192.0.2.2/32', 'description': 'b2'}]} | A, {'source': '192.0.2.2', 'description': 'b2'}, C",
                "{'remove': [{'source': '192.0.2.2/32'}, {'source': '::ffff:192.0.2.1'}]} | C",
                "{'remove': [A], 'add': [A]} | B, C, A",
                "{'remove': [A, B, C], 'add': [C, A]} | C, A",
                "{'remove': [A, B, C]} | ``",
                "{'add': [D, D]} | A, B, C, D"
            })
    void accessEntriesAreRemovedBySourceBeforeOthersAreAdded(String change, String expected) {
        JsonNode service = tenant.made("{'ipAccessList': [" + A + ", " + B + ", " + C + "]}");
        JsonNode updated = tenant.update(service, spelled("{'ipAccessList': " + change + "}"))
                .ok();
        ApiJson.assertSame(updated.path("ipAccessList"), spelled("[" + (expected == null ? "" : expected) + "]"));
    }

    @Test
    void nobodyIsToldThatADoorIsClosedWhichIsOpen() {
        JsonNode service = tenant.made("{'ipAccessList': [{'source': '2001:db8::1'}, {'source': '192.0.2.7'}]}");
        tenant.update(service, "{'ipAccessList': {'remove': [{'source': '192.0.2.256'}, {'source': 'nonsense'}]}}")
                .faultsAt("ipAccessList.remove[0].source", "ipAccessList.remove[1].source");
        JsonNode closed = tenant.update(
                        service,
                        "{'ipAccessList': {'remove': [{'source': '2001:DB8:0::1'}, {'source': '192.0.2.7/32'}]}}")
                .ok();
        assertThat(closed.path("ipAccessList")).isEmpty();
    }

    @Test
    void theEndpointsThatAreShownMayBeSentBack() {
        JsonNode service = tenant.made(
                "{'endpoints': [{'protocol': 'https', 'enabled': true}, {'protocol': 'nativesecure', 'enabled': true}]}");
        for (String mysql : List.of("true", "false")) {
            JsonNode updated = tenant.update(
                            service,
                            "{'endpoints': [{'protocol': 'mysql', 'enabled': " + mysql + "},"
                                    + " {'protocol': 'https', 'enabled': true},"
                                    + " {'protocol': 'nativesecure', 'enabled': true}]}")
                    .ok();
            assertThat(updated.path("endpoints")).hasSize(mysql.equals("true") ? 3 : 2);
        }
    }

    private static String spelled(String letters) {
        return letters.replaceAll("\\bA\\b", A)
                .replaceAll("\\bB\\b", B)
                .replaceAll("\\bC\\b", C)
                .replaceAll("\\bD\\b", D);
    }

    @Test
    void theAccessListEndsAtAThousandEntries() {
        String thousand = IntStream.range(0, 1000)
                .mapToObj(i -> "{'source': '10.1." + i / 250 + "." + i % 250 + "'}")
                .collect(Collectors.joining(", "));
        JsonNode service = tenant.made("{'ipAccessList': [" + thousand + "]}");
        tenant.update(service, "{'ipAccessList': {'add': [" + A + "]}}").faultsAt("ipAccessList.add");
        tenant.update(service, "{'ipAccessList': {'remove': [{'source': '10.1.0.0'}], 'add': [" + A + "]}}")
                .ok();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'add': ['c', 'a', 'c']} | ['a', 'b', 'c']",
                "{'remove': ['a', 'x']} | ['b']",
                "{'remove': ['a'], 'add': ['a']} | ['b', 'a']",
                "{'remove': ['a', 'b'], 'add': ['z', 'y']} | ['z', 'y']"
            })
    void privateEndpointsAreRemovedBeforeOthersAreAdded(String change, String expected) {
        JsonNode service = tenant.made("{}");
        tenant.update(service, "{'privateEndpointIds': {'add': ['a', 'b']}}").ok();
        JsonNode updated =
                tenant.update(service, "{'privateEndpointIds': " + change + "}").ok();
        ApiJson.assertSame(updated.path("privateEndpointIds"), expected);
    }

    @Test
    void tagsAreRemovedByKeyBeforeOthersAreAdded() {
        JsonNode service = tenant.made("{'tags': [{'key': 'a', 'value': '1'}, {'key': 'b', 'value': '2'}]}");
        JsonNode updated = tenant.update(service, """
                        {'tags': {'remove': [{'key': 'a', 'value': 'other'}, {'key': 'x'}],
                         'add': [{'key': 'c'}, {'key': 'b', 'value': '3'}, {'key': 'a', 'value': '1'}]}}""").ok();
        ApiJson.assertSame(
                updated.path("tags"), "[{'key': 'b', 'value': '3'}, {'key': 'c'}, {'key': 'a', 'value': '1'}]");
    }

    @Test
    void mysqlIsSwitchedOnAndOffAndItsHostStays() {
        JsonNode service = tenant.made("{}");
        JsonNode with = tenant.update(service, "{'endpoints': [{'protocol': 'mysql', 'enabled': true}]}")
                .ok();
        assertThat(CreateServiceRulesTest.protocols(with)).containsExactly("https", "nativesecure", "mysql");
        JsonNode without = tenant.update(service, "{'endpoints': [{'protocol': 'mysql', 'enabled': false}]}")
                .ok();
        assertThat(without.path("endpoints")).isEqualTo(service.path("endpoints"));
    }

    @Test
    void aDevelopmentServiceHasNoReleaseChannel() {
        JsonNode service = tenant.made("{'tier': 'development'}");
        tenant.update(service, "{'releaseChannel': 'fast'}").faultsAt("releaseChannel");
        tenant.update(service, "{'releaseChannel': null, 'name': 'New'}").ok();
        tenant.update(tenant.made("{'tier': 'production'}"), "{'releaseChannel': 'fast'}")
                .ok();
    }

    @Test
    void theEncryptionKeyIsChangedWhereThereIsEncryption() {
        JsonNode encrypted = tenant.made("{'hasTransparentDataEncryption': true}");
        assertThat(encrypted.path("transparentDataEncryptionKeyId").asString()).isNotEmpty();
        JsonNode rotated = tenant.update(encrypted, "{'transparentDataEncryptionKeyId': 'key-2'}")
                .ok();
        ApiJson.assertSame(rotated.path("transparentDataEncryptionKeyId"), "'key-2'");
        ApiJson.assertSame(rotated.path("hasTransparentDataEncryption"), "true");
        for (String wrong : List.of("''", "5", "'" + "k".repeat(513) + "'")) {
            tenant.update(encrypted, "{'transparentDataEncryptionKeyId': " + wrong + "}")
                    .faultsAt("transparentDataEncryptionKeyId");
        }
        tenant.update(tenant.made("{}"), "{'transparentDataEncryptionKeyId': 'key-2'}")
                .faultsAt("transparentDataEncryptionKeyId");
    }

    @Test
    void encryptionItselfIsDecidedAtCreation() {
        JsonNode service = tenant.made("{}");
        JsonNode updated = tenant.update(service, "{'hasTransparentDataEncryption': true, 'name': 'New'}")
                .ok();
        ApiJson.assertSame(updated.path("hasTransparentDataEncryption"), "false");
    }

    @Test
    void aFaultOfTheRequestIsReportedBeforeItsServiceIsLookedFor() {
        String nowhere = tenant.service("00000000-0000-4000-8000-000000000000");
        tenant.admin().patch(nowhere, "{'name': ''}").faultsAt("name");
        tenant.admin().patch(nowhere, "{'name': 'Good'}").refused(404, "NOT_FOUND");
        tenant.admin().patch(tenant.service("no-uuid"), "{'name': ''}").faultsAt("name", "path.serviceId");
    }
}
