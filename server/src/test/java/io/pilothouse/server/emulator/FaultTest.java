package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.injection.InjectionDraft;
import io.pilothouse.core.injection.InjectionDraft.Word;
import io.pilothouse.testkit.api.ApiCaller;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Faults as they are set, listed and taken back. */
class FaultTest {
    private static final String FAULTS = "/_pilothouse/faults";

    @RegisterExtension
    static final EmulatorHouse house = EmulatorHouse.start();

    private final ApiCaller operator = house.controls();

    @AfterEach
    void clear() {
        operator.delete(FAULTS).ok();
    }

    private JsonNode listed() {
        return operator.get(FAULTS).ok();
    }

    @Test
    void aFaultIsShownWithAllThatIsUsual() {
        JsonNode set =
                operator.post(FAULTS, "{'effect': 'answer', 'status': 503}").ok();
        assertThat(set.path("name").asString()).isEqualTo("fault-1");
        assertThat(set.path("probability").asDouble()).isEqualTo(1);
        assertThat(set.path("burst").asInt()).isEqualTo(1);
        assertThat(set.has("count")).isFalse();
        assertThat(listed().path("faults").get(0)).isEqualTo(set);
    }

    @Test
    void everyFieldIsShownAsItWasAsked() {
        String asked = "{'name': 'all', 'effect': 'answer', 'status': 429, 'retryAfterSeconds': 5, 'delayMillis': 7,"
                + " 'operations': ['instanceGet', 'alertGetList'], 'keyId': '" + house.homeId()
                + "', 'organizationId': '" + house.homeId()
                + "', 'probability': 0.25, 'skip': 2, 'burst': 3, 'count': 4}";
        JsonNode set = operator.post(FAULTS, asked).ok();
        assertThat(set.toString())
                .contains("\"status\":429", "\"retryAfterSeconds\":5", "\"delayMillis\":7")
                .contains("\"operations\":[\"instanceGet\",\"alertGetList\"]")
                .contains("\"probability\":0.25", "\"skip\":2", "\"burst\":3", "\"count\":4");
        JsonNode ofService = operator.post(
                        FAULTS, "{'effect': 'service-failed', 'serviceId': '" + house.homeId() + "'}")
                .ok();
        assertThat(ofService.path("serviceId").asString()).isEqualTo(house.homeId());
    }

    @Test
    void oneIsTakenBackByItsNameAndOnce() {
        operator.post(FAULTS, "{'name': 'slow', 'effect': 'delay', 'delayMillis': 1}")
                .ok();
        operator.post(FAULTS, "{'effect': 'cut-before', 'operations': ['backupGet']}")
                .ok();
        operator.post(FAULTS, "{'name': 'slow', 'effect': 'cut-after'}").faultsAt("name");
        operator.delete(FAULTS + "/slow").ok();
        operator.delete(FAULTS + "/slow").refused(404, "NOT_FOUND");
        assertThat(listed().path("faults").size()).isEqualTo(1);
    }

    @Test
    void aPlanStandsInThePlaceOfAllAndKeepsItsSeed() {
        operator.post(FAULTS, "{'name': 'before', 'effect': 'cut-after', 'operations': ['backupGet']}")
                .ok();
        String plan = "{'seed': 42, 'faults': [{'effect': 'cut-after', 'operations': ['backupGet']},"
                + " {'name': 'two', 'effect': 'service-degraded', 'organizationId': '" + house.homeId() + "'}]}";
        JsonNode standing = operator.put(FAULTS, plan).ok();
        assertThat(standing.path("seed").asLong()).isEqualTo(42);
        assertThat(standing.path("faults")
                        .valueStream()
                        .map(each -> each.path("name").asString()))
                .containsExactly("fault-1", "two");
        operator.put(FAULTS, "{'faults': []}").ok();
        assertThat(listed().path("faults").size()).isZero();
    }

    @Test
    void whatIsWrongWithAPlanIsNamedAtItsPlaceAndNothingOfItIsSet() {
        String twice = "{'name': 'one', 'effect': 'cut-after'}";
        assertThat(operator.put(
                                FAULTS,
                                "{'seed': 1.5, 'sed': 1, 'faults': [" + twice + ", " + twice
                                        + ", {'effect': 'answer'}, {'effect': 'delay', 'delayMillis': 70000, 'x': 1}]}")
                        .faults())
                .containsOnlyKeys(
                        "seed", "sed", "faults[1].name", "faults[2].status", "faults[3].delayMillis", "faults[3].x");
        assertThat(listed().path("faults").size()).isZero();
    }

    @Test
    void thereAreNotTooMany() {
        String hundred = IntStream.range(0, 100)
                .mapToObj(_ -> "{'effect': 'cut-after', 'operations': ['backupGet']}")
                .collect(Collectors.joining(", "));
        operator.put(FAULTS, "{'faults': [" + hundred + ", {'effect': 'cut-after'}]}")
                .faultsAt("faults");
        operator.put(FAULTS, "{'faults': [" + hundred + "]}").ok();
        operator.post(FAULTS, "{'effect': 'cut-after'}").faultsAt("");
    }

    @Test
    void theDocumentHasTheWordsAndStatusesThatAreTaken() {
        JsonNode schemas = operator.get("/_pilothouse/openapi.json").json().at("/components/schemas");
        assertThat(schemas.at("/FaultEffect/enum").valueStream().map(JsonNode::asString))
                .containsExactlyElementsOf(
                        Stream.of(Word.values()).map(Word::word).toList());
        for (String schema : new String[] {"FaultCreate", "InjectedFault"}) {
            JsonNode fields = schemas.path(schema).path("properties");
            assertThat(fields.at("/status/enum").valueStream().map(JsonNode::asInt))
                    .containsExactlyElementsOf(InjectionDraft.STATUSES);
            InjectionDraft.FIGURES.forEach((name, range) -> {
                if (!name.equals("status")) {
                    assertThat(fields.path(name).path("maximum").asDouble())
                            .as(name)
                            .isEqualTo(range.most());
                }
            });
        }
    }
}
