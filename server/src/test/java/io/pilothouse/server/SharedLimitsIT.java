package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two programs over one real PostgreSQL: what a client may do at one of them is what it may do at both. */
class SharedLimitsIT {
    private static final int RATE = 40;
    private static final int FAILURES = 10;

    @TempDir
    private Path folder;

    /** Both programs, and how one of them is asked. */
    private record Pair(TestProgram one, TestProgram other) implements AutoCloseable {
        TestProgram at(int turn) {
            return turn % 2 == 0 ? one : other;
        }

        HttpResponse<String> ask(int turn, String keyId, String secret) throws IOException, InterruptedException {
            String pair = keyId + ":" + secret;
            TestProgram program = at(turn);
            return program.send(HttpRequest.newBuilder(program.management(program.organizationUrl() + "/services")
                            .build()
                            .uri())
                    .header(
                            "Authorization",
                            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))));
        }

        HttpResponse<String> ask(int turn) throws IOException, InterruptedException {
            return ask(turn, one.credential("key_id"), one.credential("key_secret"));
        }

        @Override
        public void close() {
            try (one) {
                other.close();
            }
        }
    }

    private Pair pair(StorePostgres postgres, String... more) throws IOException, StartRefused {
        List<String> flags = new ArrayList<>(postgres.flags());
        flags.add("--store-shared");
        flags.addAll(List.of(more));
        TestProgram one = TestProgram.start(folder.resolve("one"), flags.toArray(String[]::new));
        Path data = Files.createDirectories(folder.resolve("other"));
        for (String file : List.of("secret.key", "vault.key", "credentials.json")) {
            Files.copy(folder.resolve("one").resolve(file), data.resolve(file));
        }
        return new Pair(one, TestProgram.start(data, flags.toArray(String[]::new)));
    }

    /** What many clients at once are answered, at one program and the other, each with a secret of this. */
    private static List<Integer> answers(Pair both, int clients, String keyId, IntFunction<String> secret)
            throws ExecutionException, InterruptedException {
        List<Integer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<HttpResponse<String>>> asked = new ArrayList<>();
            for (int turn = 0; turn < clients; turn++) {
                int at = turn;
                asked.add(threads.submit(() -> both.ask(at, keyId, secret.apply(at))));
            }
            for (Future<HttpResponse<String>> each : asked) {
                answers.add(each.get().statusCode());
            }
        }
        return answers;
    }

    @Test
    void requestsAtBothTogetherNeverExceedTheLimit()
            throws ExecutionException, IOException, InterruptedException, SQLException, StartRefused {
        try (StorePostgres postgres = new StorePostgres(folder);
                Pair both = pair(postgres, "--rate-limit", Integer.toString(RATE))) {
            String secret = both.one().credential("key_secret");
            List<Integer> answers = answers(both, 3 * RATE, both.one().credential("key_id"), _ -> secret);
            assertThat(answers).containsOnly(200, 429);
            assertThat(Collections.frequency(answers, 200)).isEqualTo(RATE);
            HttpResponse<String> refused = both.ask(1);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void guessesThatAreSpreadOverBothAreRefusedTogether()
            throws ExecutionException, IOException, InterruptedException, SQLException, StartRefused {
        try (StorePostgres postgres = new StorePostgres(folder);
                Pair both = pair(postgres, "--failed-logins", Integer.toString(FAILURES))) {
            List<Integer> answers =
                    answers(both, 3 * FAILURES, both.one().credential("key_id"), turn -> "guess " + turn);
            assertThat(answers).containsOnly(401, 429);
            assertThat(Collections.frequency(answers, 401)).isEqualTo(FAILURES);
            // Not even the right one, at neither of them: a guess looks the same whether it is right or wrong.
            assertThat(both.ask(0).statusCode()).isEqualTo(429);
            assertThat(both.ask(1).statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aSessionThatBeganAtOneIsKnownAtTheOtherAndGoneAtBothAfterTheSignOut()
            throws IOException, InterruptedException, SQLException, StartRefused {
        try (StorePostgres postgres = new StorePostgres(folder);
                Pair both = pair(postgres);
                ConsolePages one = ConsolePages.signedIn(both.one());
                ConsolePages other = ConsolePages.withSessionOf(one, both.other())) {
            assertThat(one.get("/").statusCode()).isEqualTo(200);
            // Also its forms: the page of one is sent to the other.
            assertThat(other.submit(one.page("/"), "/sign-out", Map.of())
                            .headers()
                            .firstValue("Location"))
                    .contains("/sign-in");
            assertThat(one.get("/").statusCode()).isEqualTo(303);
            assertThat(other.get("/").statusCode()).isEqualTo(303);
            assertThat(sessions(postgres)).isZero();
        }
    }

    private static long sessions(StorePostgres postgres) throws SQLException {
        return postgres.count("SELECT COUNT(*) FROM console_sessions");
    }
}
