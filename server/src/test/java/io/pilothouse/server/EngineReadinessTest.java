package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Plain;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.testkit.StoreAround;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose engine does nothing is not ready, although its store is. */
class EngineReadinessTest {
    @TempDir
    private Path folder;

    /** A store that works, as far as operators are shown. */
    private static final class WorkingStore extends StoreAround {
        WorkingStore() {
            super(new NoStore());
        }

        @Override
        public boolean reachable() {
            return true;
        }
    }

    @Test
    void readinessFailsAndSaysWhyWhileTheEngineStandsStill() throws IOException, InterruptedException, StartRefused {
        AtomicReference<Optional<String>> standstill = new AtomicReference<>(Optional.of("its loop does not run"));
        AdminRoutes admin = new AdminRoutes(
                new WorkingStore(),
                new AdminRoutes.Description("1", Edition.SEED, "none", "holds", "hold", "possible"),
                standstill::get,
                Optional::empty,
                Optional::empty,
                Optional.empty(),
                List.of(),
                List.of());
        Config config = TestProgram.config(folder, Map.of());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Front front = new Front(
                        config, Front.entrance(config, Home.open(folder), threads, Instant::now, new SecureRandom()));
                HttpClient client = HttpClient.newHttpClient()) {
            String url = front.listen(
                    "admin",
                    Options.ADMIN_LISTEN,
                    Gate.open(admin.routes(), new Plain(), request -> {}, (id, operation, cause) -> {}));
            HttpResponse<String> still = ready(client, url);
            assertThat(still.statusCode()).isEqualTo(503);
            assertThat(still.body())
                    .contains(
                            "\"status\":\"unavailable\",\"store\":\"reachable\",\"creates\":\"possible\"",
                            "\"engine\":\"stands still: its loop does not run\"");
            standstill.set(Optional.empty());
            HttpResponse<String> works = ready(client, url);
            assertThat(works.statusCode()).isEqualTo(200);
            assertThat(works.body()).contains("\"status\":\"ready\"", "\"engine\":\"works\"");
        }
    }

    private static HttpResponse<String> ready(HttpClient client, String url) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + "/readyz")).build(), HttpResponse.BodyHandlers.ofString());
    }
}
