package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCredentials;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** The documented operations are those that are served; every other one is answered as an unknown path. */
class DocumentTest {
    private static final String NOWHERE = "00000000-0000-4000-8000-000000000000";

    @RegisterExtension
    static final House house = House.start();

    @RegisterExtension
    static final House cloud = House.start(Edition.CLOUD);

    private static Set<Operation> operations(List<AnyRoute> entrances) {
        return entrances.stream()
                .map(entrance -> Operation.valueOf(entrance.operationId()))
                .collect(Collectors.toSet());
    }

    private static void requireAlike(ApiDocument document, List<AnyRoute> entrances) {
        Set<String> documented = document.json()
                .path("paths")
                .propertyStream()
                .flatMap(path -> path.getValue()
                        .propertyStream()
                        .filter(member -> member.getValue().has("operationId"))
                        .map(member -> member.getValue().path("operationId").asString() + " is "
                                + member.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey()))
                .collect(Collectors.toSet());
        assertThat(entrances)
                .extracting(entrance -> entrance.operationId() + " is " + entrance.verb() + " " + entrance.path())
                .containsExactlyInAnyOrderElementsOf(documented);
    }

    @Test
    void theManagementApiIsDocumentedAsItIsServed() {
        requireAlike(ApiDocument.MANAGEMENT, house.entrances());
    }

    @Test
    void theAlertsInterfaceIsDocumentedAsItIsServed() {
        requireAlike(ApiDocument.ALERTS, house.alertsEntrances());
    }

    @Test
    void anOperationThatIsNotServedYetIsAnsweredAsAnUnknownPath() {
        Set<Operation> missing = EnumSet.allOf(Operation.class);
        missing.removeAll(operations(house.entrances()));
        missing.removeAll(operations(house.alertsEntrances()));
        assertThat(missing).isNotEmpty();
        for (Operation operation : missing) {
            String target =
                    operation.path().replace("{organizationId}", house.homeId()).replaceAll("\\{[^}]*}", NOWHERE);
            assertThat(house.root()
                            .send(operation.verb().name(), target, (String) null)
                            .status())
                    .as("the status of %s", operation)
                    .isIn(404, 405);
        }
    }

    private static final String[] MARKS = Pattern.compile("\"x-[a-z]+\":")
            .matcher(new String(ApiDocument.MANAGEMENT.bytes(), StandardCharsets.UTF_8))
            .results()
            .map(MatchResult::group)
            .distinct()
            .toArray(String[]::new);

    @Test
    void eachEditionServesItsOwnLimits() {
        for (Edition edition : Edition.values()) {
            JsonNode schemas = served(edition).path("components").path("schemas");
            assertThat(served(edition).toString())
                    .as("the document of %s, without marks", edition.word())
                    .doesNotContain(MARKS);
            RuleBook rules = RuleBook.of(edition);
            assertThat(schemas.at("/ClickPipeScalingUpdate/properties/replicas/maximum")
                            .asInt())
                    .isEqualTo((int) rules.pipeReplicas().max());
            assertThat(schemas.at("/Region/enum").valueStream().map(JsonNode::asString))
                    .containsExactlyElementsOf(rules.regions().words());
            assertThat(schemas.at("/ServiceName/pattern").asString().contains("Nd"))
                    .isEqualTo(edition == Edition.SEED);
        }
    }

    @Test
    void aSourceOfAPipeIsDocumentedAsItIsChecked() {
        JsonNode kafka = served(Edition.SEED).at("/components/schemas/KafkaSourceCreate");
        assertThat(kafka.path("required").valueStream().map(JsonNode::asString)).containsExactly("brokers", "topics");
        assertThat(kafka.at("/properties/format/default").asString()).isEqualTo("JSONEachRow");
        assertThat(kafka.at("/properties/brokers/description").asString()).isEqualTo("Comma-separated.");
    }

    private static JsonNode served(Edition edition) {
        return edition == Edition.SEED
                ? house.nobody().get("/openapi.json").json()
                : cloud.nobody().get("/openapi.json").json();
    }

    @Test
    void theDocumentsAreServedToAnybody() {
        ApiAnswer management = house.nobody().get("/openapi.json");
        assertThat(management.json().path("paths").propertyNames())
                .isEqualTo(ApiDocument.MANAGEMENT.json().path("paths").propertyNames());
        assertThat(house.nobody()
                        .with("If-None-Match", management.need("etag"))
                        .get("/openapi.json")
                        .status())
                .isEqualTo(304);
        ApiAnswer alerts = house.alertsAs(ApiCredentials.NONE).get("/openapi.json");
        assertThat(alerts.status()).isEqualTo(200);
        assertThat(alerts.json().path("paths").has("/api/v2/alerts")).isTrue();
    }
}
