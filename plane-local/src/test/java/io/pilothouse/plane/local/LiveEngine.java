package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.plane.local.bundled.EngineInstall;
import io.pilothouse.plane.local.bundled.EngineMain;
import io.pilothouse.plane.local.bundled.EnginePackage;
import io.pilothouse.plane.local.bundled.Npm;
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
import org.junit.jupiter.api.Assumptions;

/** The real bundled engine for tests, fetched once for all runs; without npm and without it the tests are skipped. */
final class LiveEngine {
    static final long MEMORY = 1L << 30;

    static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

    private LiveEngine() {}

    static Engine.Bundled require() throws InterruptedException {
        EnginePackage wanted = EnginePackage.forPlatform(System.getProperty("os.name"), System.getProperty("os.arch"))
                .orElseThrow(() -> new AssertionError("There is no bundled engine for this machine."));
        EngineInstall install = new EngineInstall(wanted, cache(), new Npm(List.of("npm")), System.out::println);
        return switch (install.run()) {
            case EngineInstall.Outcome.Installed(Path library) -> new Engine.Bundled(library, wanted.version());
            case EngineInstall.Outcome.Failed(String reason) -> Assumptions.abort(reason);
        };
    }

    static Path cache() {
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("pilothouse");
    }

    static EngineSetup setup(Engine engine, Path root, boolean keep) {
        return new EngineSetup(
                engine,
                root,
                new PortSets.PortRange(21_000, 21_899),
                new RunAs.Same(),
                java(),
                keep,
                EngineSetup.Patience.USUAL,
                Instant::now,
                THREADS);
    }

    static EngineCommand.ChildJava java() {
        return new EngineCommand.ChildJava(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Path.of(URI.create(EngineMain.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString());
    }

    static EngineSettings settings(String password) {
        return settings(password, MEMORY);
    }

    static EngineSettings settings(String password, long memoryBytes) {
        byte[] sha1 = digest("SHA-1", password.getBytes(StandardCharsets.UTF_8));
        return new EngineSettings(
                new PasswordHashes(
                        HexFormat.of().formatHex(digest("SHA-256", password.getBytes(StandardCharsets.UTF_8))),
                        HexFormat.of().formatHex(digest("SHA-1", sha1))),
                memoryBytes);
    }

    private static byte[] digest(String name, byte[] bytes) {
        try {
            return MessageDigest.getInstance(name).digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static EngineAddress started(LocalEngines engines, UUID id, EngineSettings settings)
            throws EngineFault, InterruptedException {
        engines.start(id, settings);
        return engines.awaitAnswer(id, Duration.ofSeconds(60)).orElseThrow();
    }

    /** What a client of the service gets, as the user {@code default}. */
    static HttpResponse<String> query(EngineAddress address, String password, String sql)
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

    static String value(EngineAddress address, String password, String sql) throws IOException, InterruptedException {
        HttpResponse<String> response = query(address, password, sql);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body().strip();
    }
}
