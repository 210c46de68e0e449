package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.server.ApiProgram;
import io.pilothouse.server.emulator.EmulatorHouse.Tenant;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.api.ApiCredentials;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The controls as a whole: where they are, whose they are, and that their document says what is served. */
class EmulatorControlsTest {
    @RegisterExtension
    static final EmulatorHouse house = EmulatorHouse.start();

    @Test
    void theControlsAreDocumentedAsTheyAreServed() {
        JsonNode document = house.controlsAs(ApiCredentials.NONE)
                .get("/_pilothouse/openapi.json")
                .json();
        List<String> documented = new ArrayList<>();
        document.path("paths")
                .propertyStream()
                .forEach(path -> path.getValue().propertyStream().forEach(method -> {
                    String id = method.getValue().path("operationId").asString("");
                    if (!id.isEmpty()) {
                        documented.add(id + " is " + method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
                    }
                }));
        assertThat(house.program().controlEntrances())
                .extracting(entrance -> entrance.operationId() + " is " + entrance.verb() + " " + entrance.path())
                .containsExactlyInAnyOrderElementsOf(documented);
        assertThat(document.toString()).doesNotContain("\"x-lists\"", "\"x-result\"", "\"x-rule\"");
    }

    @Test
    void everyControlIsForOperatorsAlone() {
        Tenant tenant = house.tenant();
        for (EmulatorOperation operation : EmulatorOperation.values()) {
            if (operation == EmulatorOperation.emulatorOpenapiGet) {
                continue;
            }
            String method = operation.verb().name();
            String target = target(operation);
            assertThat(house.controlsAs(ApiCredentials.NONE)
                            .send(method, target, (String) null)
                            .status())
                    .as("%s without a key", operation)
                    .isEqualTo(401);
            assertThat(house.controlsAs(tenant.admin())
                            .send(method, target, (String) null)
                            .status())
                    .as("%s as the admin of a tenant", operation)
                    .isEqualTo(403);
        }
    }

    private static String target(AnyRoute route) {
        return route.path().replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
    }

    private static String target(EmulatorOperation operation) {
        return operation.path().replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
    }

    @Test
    void withoutTheOptionThereIsNoControl(@TempDir Path folder) throws IOException {
        try (ApiProgram plain = ApiProgram.start(
                folder, new SimTime(), null, OutputStream.nullOutputStream(), _ -> {}, "--log-format", "json")) {
            assertThat(plain.controlEntrances()).isEmpty();
            for (AnyRoute control : house.program().controlEntrances()) {
                assertThat(status(plain.management(), target(control)))
                        .as(control.operationId())
                        .isEqualTo(status(plain.management(), "/nowhere"))
                        .isEqualTo(404);
            }
        }
    }

    private static int status(URI listener, String target) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) listener.resolve(target).toURL().openConnection();
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
