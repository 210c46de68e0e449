package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.port.Store;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Plain;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.LogFormat;
import io.pilothouse.server.log.LogLevel;
import io.pilothouse.server.log.LogWriter;
import io.pilothouse.server.log.RequestLines;
import io.pilothouse.testkit.StoreAround;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators are shown, on a listener of its own. */
class AdminListenerTest {
    @TempDir
    private Path folder;

    @FunctionalInterface
    private interface Visit {
        void at(String url) throws IOException, InterruptedException;
    }

    private static AdminRoutes routes(Store store, Optional<String> token, PublicRoute... more) {
        return new AdminRoutes(
                store,
                new AdminRoutes.Description("1", Edition.SEED, "none", "holds", "hold", "possible"),
                Optional::empty,
                Optional::empty,
                Optional::empty,
                token,
                List.of(),
                List.of(more));
    }

    /** Visits them on a listener; gives back what that wrote into the log. */
    private String visit(AdminRoutes admin, Visit what) throws IOException, InterruptedException, StartRefused {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Config config = TestProgram.config(folder, Map.of());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Front front = new Front(
                        config, Front.entrance(config, Home.open(folder), threads, Instant::now, new SecureRandom()))) {
            what.at(front.listen(
                    "admin",
                    Options.ADMIN_LISTEN,
                    Gate.open(
                            admin.routes(),
                            new Plain(),
                            request -> {},
                            new RequestLines(
                                    new LogWriter(log, LogFormat.TEXT, Instant::now), LogLevel.INFO, "admin"))));
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    private static HttpResponse<String> get(String url, String... fields) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (fields.length > 0) {
            request.headers(fields);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void readinessFailsDuringAnOutageOfTheStore() throws IOException, InterruptedException, StartRefused {
        String log = visit(routes(new NoStore(), Optional.empty()), url -> {
            HttpResponse<String> ready = get(url + "/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("\"status\":\"unavailable\",\"store\":\"unreachable\"");
            assertThat(get(url + "/healthz").statusCode()).isEqualTo(200);
        });
        assertThat(log).isEmpty();
    }

    /** Reads work, and writes do not. */
    private static final class ReadOnlyStore extends StoreAround {
        ReadOnlyStore() {
            super(new NoStore());
        }

        @Override
        public boolean reachable() {
            return true;
        }

        @Override
        public Optional<String> writeFault() {
            return Optional.of("The write was not kept: \"disk I/O error\"");
        }
    }

    @Test
    void readinessFailsAndSaysWhyWhileNothingCanBeWritten() throws IOException, InterruptedException, StartRefused {
        visit(routes(new ReadOnlyStore(), Optional.empty()), url -> {
            HttpResponse<String> ready = get(url + "/readyz");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body())
                    .contains(
                            "\"status\":\"unavailable\"",
                            "\"store\":\"read only: The write was not kept: \\\"disk I/O error\\\"\"",
                            "\"creates\":\"impossible without a store that is written to\"");
        });
    }

    @Test
    void withATokenOnlyTheProofOfLifeIsOpen() throws IOException, InterruptedException, StartRefused {
        String token = "t".repeat(40);
        PublicRoute proofs = new PublicRoute("proofsAsk", Verb.GET, "/proofs", _ -> Answer.text(200, "text/plain", ""));
        visit(routes(new NoStore(), Optional.of(token), proofs), url -> {
            for (String path : List.of("/readyz", "/metrics", "/proofs")) {
                assertThat(get(url + path).statusCode()).isEqualTo(401);
                assertThat(get(url + path, "Authorization", "Bearer " + token + "x")
                                .statusCode())
                        .isEqualTo(401);
                assertThat(get(url + path, "Authorization", "Bearer " + token).statusCode())
                        .isNotEqualTo(401);
            }
            assertThat(get(url + "/healthz").statusCode()).isEqualTo(200);
        });
    }

    @Test
    void certificateThatCannotBeUsedRefusesTheStart() {
        for (String[] flags : new String[][] {
            {"--tls-cert", "missing.crt"},
            {"--tls-key", "missing.key"},
            {"--tls-cert", "missing.crt", "--tls-key", "missing.key"},
            {"--tls-cert", "missing.crt", "--tls-key", "missing.key", "--tls-names", "localhost"}
        }) {
            Config config = TestProgram.config(folder, Map.of(), flags);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                assertThatThrownBy(() ->
                                Front.entrance(config, Home.open(folder), threads, Instant::now, new SecureRandom()))
                        .isInstanceOfSatisfying(
                                StartRefused.class,
                                refused -> assertThat(refused.sentence()).contains("tls-cert"));
            }
        }
    }
}
