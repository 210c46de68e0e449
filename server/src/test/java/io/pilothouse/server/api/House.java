package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.server.ApiProgram;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.api.Api;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiLedger;
import io.pilothouse.testkit.api.ApiLog;
import io.pilothouse.testkit.api.ApiRaw;
import io.pilothouse.testkit.api.ApiSecrets;
import io.pilothouse.testkit.api.Contract;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

/**
 * The whole program for one class of tests: real sockets, a real store in a folder of its own, and a time that stands
 * still until a test moves it. When the class is through, the log of all of it is held against what was asked.
 */
final class House implements BeforeAllCallback, AfterAllCallback {
    /** What each edition serves, as its first house was asked: reading it takes a while. */
    private static final Map<Edition, Documents> DOCUMENTS = new ConcurrentHashMap<>();

    /** Of services, or of replicas: more than any test makes. */
    private static final int MANY = 100_000;

    private static final Duration STEP = Duration.ofMillis(2_500);
    private static final Duration LONG_STEP = Duration.ofSeconds(30);
    private static final Duration GLANCE = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final SimTime time = new SimTime();
    final FakePlane plane = new FakePlane(time, Duration.ofSeconds(1), Duration.ofSeconds(1));
    private final Edition edition;
    private final boolean fake;
    private final int services;
    private final int replicas;
    private boolean open;
    private Path folder;
    private ApiLog log;
    private ApiLedger ledger;
    private ApiSecrets secrets;
    private ApiProgram program;
    private Documents documents;
    private Api api;
    private Api alerts;
    private ApiCaller root;

    private House(Edition edition, boolean fake, int services, int replicas) {
        this.edition = edition;
        this.fake = fake;
        this.services = services;
        this.replicas = replicas;
        open();
    }

    private void open() {
        folder = newFolder();
        log = new ApiLog();
        ledger = new ApiLedger();
        secrets = new ApiSecrets();
        program = ApiProgram.start(
                folder,
                time,
                fake ? plane : null,
                log,
                seen -> ledger.add(new ApiLedger.Note(
                        seen.requestId(), seen.operationId(), seen.permission(), seen.keyId(), seen.status())),
                "--log-format",
                "json",
                "--webhook-allow",
                "127.0.0.1",
                // Wrong credentials are much of what is tried here, and all of them come from one address.
                "--failed-logins",
                "0",
                "--quota-services",
                Integer.toString(services),
                "--quota-replicas",
                Integer.toString(replicas),
                "--rules",
                edition.word());
        documents = DOCUMENTS.computeIfAbsent(edition, _ -> Documents.of(program));
        api = Api.management(
                program.management(), documents.management(), ledger, secrets, rights(program.managementEntrances()));
        alerts = Api.alerts(program.alerts(), documents.alerts(), ledger, secrets, rights(program.alertsEntrances()));
        ApiCredentials first = ApiCredentials.basic(program.credential("key_id"), program.credential("key_secret"));
        api.knowHome(program.credential("organization_id"), first);
        secrets.learn("first secret", program.credential("key_secret"));
        secrets.learn("first token", program.credential("token"));
        root = api.as(first);
        open = true;
    }

    /** A class that is tried once more opens the house that its first try closed. */
    @Override
    public void beforeAll(ExtensionContext context) {
        if (!open) {
            open();
        }
    }

    static House start() {
        return new House(Edition.SEED, false, MANY, MANY);
    }

    static House start(Edition edition) {
        return new House(edition, false, MANY, MANY);
    }

    /** A house in which an organization has few services, and a warehouse few replicas. */
    static House withQuotas(int services, int replicas) {
        return new House(Edition.SEED, false, services, replicas);
    }

    /** A house whose services run on {@link #plane}, which can be made to fail. */
    static House onFakePlane() {
        return new House(Edition.SEED, true, MANY, MANY);
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("pilothouse-api");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents that both listeners serve, by which every exchange is judged. */
    private record Documents(Contract management, Contract alerts) {
        static Documents of(ApiProgram program) {
            return new Documents(Contract.of(ask(program.management())), Contract.of(ask(program.alerts())));
        }

        private static byte[] ask(URI listener) {
            try (InputStream in = listener.resolve("/openapi.json").toURL().openStream()) {
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Map<String, Optional<Permission>> rights(List<AnyRoute> entrances) {
        Map<String, Optional<Permission>> rights = new HashMap<>();
        for (AnyRoute entrance : entrances) {
            Optional<Permission> right = switch (entrance) {
                case Route route -> Optional.of(route.permission());
                case PublicRoute open -> Optional.empty();
            };
            rights.put(entrance.operationId(), right);
        }
        return rights;
    }

    Contract contract() {
        return documents.management();
    }

    Contract alertsContract() {
        return documents.alerts();
    }

    List<AnyRoute> alertsEntrances() {
        return program.alertsEntrances();
    }

    List<AnyRoute> entrances() {
        return program.managementEntrances();
    }

    /** The caller with the first key, which is operator and admin. */
    ApiCaller root() {
        return root;
    }

    String homeId() {
        return program.credential("organization_id");
    }

    ApiCaller nobody() {
        return api.asNobody();
    }

    ApiCaller as(ApiCredentials credentials) {
        return api.as(credentials);
    }

    ApiCaller alertsAs(ApiCredentials credentials) {
        return alerts.as(credentials);
    }

    String alertsToken() {
        return program.credential("token");
    }

    /** Host and port of the management interface. */
    String authority() {
        return program.management().getAuthority();
    }

    /** Where the alerts interface is. */
    String alertsUrl() {
        return program.alerts().toString();
    }

    ApiRaw raw() {
        return api.raw();
    }

    ApiRaw alertsRaw() {
        return alerts.raw();
    }

    Path folder() {
        return folder;
    }

    ApiLedger ledger() {
        return ledger;
    }

    /** A paid organization of the highest tier. */
    Tenant tenant() {
        return tenant("ENTERPRISE", true);
    }

    Tenant tenant(String tier, boolean paid) {
        return tenant("{'name': 'Tenant', 'tier': '" + tier + "', 'paid': " + paid + "}");
    }

    Tenant tenant(String body) {
        advance(Duration.ofSeconds(1));
        JsonNode made = root.post("/v1/organizations", body).ok();
        JsonNode key = made.path("key");
        ApiCredentials admin = ApiCredentials.basic(
                key.path("keyId").asString(), key.path("keySecret").asString());
        return new Tenant(this, made.path("organization").path("id").asString(), api.as(admin));
    }

    /** Runs this when the next change of a service was committed, before its answer is written. */
    void afterNextCommit(Runnable then) {
        program.afterNextCommit(then);
    }

    /** Has {@link #plane} fail whenever it is asked for this, until it is mended. */
    void breakDown(FakePlane.Deed broken) {
        plane.trap((deed, _, done) -> {
            if (deed == broken && !done) {
                throw new PlaneFault("There is no room on this machine");
            }
        });
    }

    void mend() {
        plane.trap((_, _, _) -> {});
    }

    /** Moves time, and has the engine do what came due, so that nothing changes by itself under the next request. */
    void advance(Duration duration) {
        time.advance(duration);
        turn();
    }

    /** Lets time pass until the engine has nothing left to do. */
    void settle() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        do {
            time.advance(STEP);
            program.dispatcher().nudge();
            assertThat(System.nanoTime()).as("the time to settle").isLessThan(end);
        } while (!settled());
    }

    /** Lets the engine do what is due now, and no time pass. */
    void turn() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        program.dispatcher().nudge();
        while (!quiet()) {
            assertThat(System.nanoTime()).as("the time of a turn").isLessThan(end);
        }
    }

    private boolean quiet() {
        try {
            return program.dispatcher().awaitIdle(GLANCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted during a turn", e);
        }
    }

    /** Lets much time pass at once, and then the engine do what came due; what is due before happens before. */
    void letPass(Duration duration) {
        turn();
        advance(duration);
    }

    /** Lets time pass until this is so, whatever the engine does meanwhile. */
    void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            time.advance(LONG_STEP);
            program.dispatcher().nudge();
            settled();
            assertThat(System.nanoTime()).as("the time until %s", what).isLessThan(end);
        }
    }

    /** Whether the engine has nothing to do now. */
    boolean isSettled() {
        return settled();
    }

    private boolean settled() {
        try {
            return program.dispatcher().awaitSettled(GLANCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the engine was to settle", e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        open = false;
        api.close();
        alerts.close();
        program.close();
        List<String> faults = log.faults(api.requestIds(), secrets);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertThat(faults).as("what is wrong with the log").isEmpty();
    }
}
