package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.server.ApiProgram;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.api.Api;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiLedger;
import io.pilothouse.testkit.api.ApiLog;
import io.pilothouse.testkit.api.ApiSecrets;
import io.pilothouse.testkit.api.Contract;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/**
 * The whole program with {@code --emulator}, for one class of tests. Every exchange with a control is held against the
 * controls' own document, every other one against that of the API.
 */
final class EmulatorHouse implements AfterAllCallback {
    /** The clock of the machine, which stands still until a test moves it. */
    final SimTime machine = new SimTime();

    private final Path folder;
    private final ApiLog log = new ApiLog();
    private final ApiLedger ledger = new ApiLedger();
    private final ApiSecrets secrets = new ApiSecrets();
    private final ApiProgram program;
    private final Api api;
    private final Api controls;
    private final Api alerts;
    private final ApiCredentials first;

    private EmulatorHouse(Path folder, String... flags) {
        this.folder = folder;
        List<String> all = new ArrayList<>(List.of("--emulator", "--log-format", "json"));
        all.addAll(List.of(flags));
        this.program = ApiProgram.start(
                folder,
                machine,
                null,
                log,
                seen -> ledger.add(new ApiLedger.Note(
                        seen.requestId(), seen.operationId(), seen.permission(), seen.keyId(), seen.status())),
                all.toArray(String[]::new));
        this.api = Api.management(
                program.management(),
                contract(program.management(), "/openapi.json"),
                ledger,
                secrets,
                rights(program.managementEntrances()));
        this.controls = Api.controls(
                program.management(),
                contract(program.management(), "/_pilothouse/openapi.json"),
                ledger,
                secrets,
                rights(program.controlEntrances()));
        this.alerts = Api.alerts(
                program.alerts(),
                contract(program.alerts(), "/openapi.json"),
                ledger,
                secrets,
                rights(program.alertsEntrances()));
        this.first = ApiCredentials.basic(program.credential("key_id"), program.credential("key_secret"));
        api.knowHome(homeId(), first);
        secrets.learn("first secret", program.credential("key_secret"));
        secrets.learn("first token", program.credential("token"));
    }

    static EmulatorHouse start(String... flags) {
        try {
            return new EmulatorHouse(Files.createTempDirectory("pilothouse-emulator"), flags);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Contract contract(URI listener, String path) {
        try (InputStream in = listener.resolve(path).toURL().openStream()) {
            return Contract.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Optional<Permission>> rights(List<AnyRoute> entrances) {
        Map<String, Optional<Permission>> rights = new HashMap<>();
        for (AnyRoute entrance : entrances) {
            rights.put(
                    entrance.operationId(),
                    switch (entrance) {
                        case Route route -> Optional.of(route.permission());
                        case PublicRoute open -> Optional.empty();
                    });
        }
        return rights;
    }

    ApiProgram program() {
        return program;
    }

    Path folder() {
        return folder;
    }

    /** The organization that the operator's key belongs to. */
    String homeId() {
        return program.credential("organization_id");
    }

    /** The controls, as the operator. */
    ApiCaller controls() {
        return controls.as(first);
    }

    ApiCaller controlsAs(ApiCredentials credentials) {
        return controls.as(credentials);
    }

    /** The management API, as the operator. */
    ApiCaller operator() {
        return api.as(first);
    }

    ApiCaller as(ApiCredentials credentials) {
        return api.as(credentials);
    }

    /** The alerts interface, of which no document is at hand here. */
    ApiCaller alerts(String token) {
        return alerts.as(ApiCredentials.bearer(token));
    }

    /** Stops time and moves it on by this much; gives the clock as it is then. */
    JsonNode forward(Duration by) {
        JsonNode clock = controls()
                .put(
                        "/_pilothouse/clock",
                        "{'rate': 0, 'settleSeconds': 30, 'forwardSeconds': " + by.toMillis() / 1_000.0 + "}")
                .ok();
        assertThat(clock.path("settled").asBoolean()).as("settled after %s", by).isTrue();
        return clock;
    }

    /** An organization of a test's own, and its admin. */
    Tenant tenant() {
        JsonNode made = controls().post("/_pilothouse/organizations", "{}").ok();
        JsonNode key = made.path("key");
        return new Tenant(
                made.path("organization").path("id").asString(),
                ApiCredentials.basic(
                        key.path("keyId").asString(), key.path("keySecret").asString()));
    }

    /** An organization with its first key. */
    record Tenant(String id, ApiCredentials admin) {
        String path(String rest) {
            return "/v1/organizations/" + id + rest;
        }

        UUID uuid() {
            return UUID.fromString(id);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        Set<UUID> ids = new HashSet<>(api.requestIds());
        ids.addAll(controls.requestIds());
        ids.addAll(alerts.requestIds());
        api.close();
        controls.close();
        alerts.close();
        program.close();
        List<String> faults = log.faults(ids, secrets);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertThat(faults).as("what is wrong with the log").isEmpty();
    }
}
