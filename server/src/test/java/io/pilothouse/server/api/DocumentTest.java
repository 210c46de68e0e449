package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Entrance;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import io.pilothouse.testkit.api.Contract;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is documented is served or said to come, and what is served is documented. */
class DocumentTest {
    @RegisterExtension
    static final House house = House.start();

    private static void requireAlike(Contract contract, List<Entrance> entrances) {
        Set<String> routed = new TreeSet<>();
        for (Entrance entrance : entrances) {
            routed.add(entrance.operationId());
            String example = entrance.path().replaceAll("\\{[^}]*}", "x");
            assertThat(contract.operationFor(entrance.verb().name(), example))
                    .as("the documented operation of %s %s", entrance.verb(), entrance.path())
                    .contains(entrance.operationId());
        }
        Set<String> served = new TreeSet<>(contract.operationIds());
        served.removeAll(contract.planned());
        assertThat(routed).as("what is routed").isEqualTo(served);
    }

    @Test
    void everyOperationOfTheManagementApiIsRoutedOrPlanned() {
        requireAlike(house.contract(), house.entrances());
    }

    @Test
    void everyOperationOfTheAlertsInterfaceIsRoutedOrPlanned() {
        requireAlike(house.alertsContract(), house.alertsEntrances());
    }

    @Test
    void whatIsPlannedIsNotThereYet() {
        ApiDocument.MANAGEMENT
                .json()
                .path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().stream()
                        .filter(member -> member.getValue()
                                .path("x-pilothouse-status")
                                .asString("")
                                .equals("planned"))
                        .forEach(member -> {
                            String target = path.getKey()
                                    .replace("{organizationId}", house.homeId())
                                    .replaceAll("\\{[^}]*}", "00000000-0000-4000-8000-000000000000");
                            String method = member.getKey().toUpperCase(Locale.ROOT);
                            String body = member.getValue().has("requestBody") ? "{}" : null;
                            assertThat(house.root().send(method, target, body).status())
                                    .as("the status of %s %s", method, target)
                                    .isIn(404, 405);
                        }));
    }

    @Test
    void theDocumentsAreServedToAnybody() {
        ApiAnswer management = house.nobody().get("/openapi.json");
        assertThat(ApiJson.read(management.text().getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(ApiDocument.MANAGEMENT.json());
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
