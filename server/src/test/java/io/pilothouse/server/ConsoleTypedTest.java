package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** What becomes of what somebody typed, over a real socket: it is not lost, and no secret is sent back. */
class ConsoleTypedTest {
    @TempDir
    private Path folder;

    private static String value(Document page, String name) {
        return all(page, "input").stream()
                .filter(input -> input.getAttribute("name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " in " + text(page)))
                .getAttribute("value");
    }

    private Map<String, String> signIn(TestProgram program) throws IOException {
        return Map.of("keyId", program.credential("key_id"), "keySecret", program.credential("key_secret"));
    }

    @Test
    void whatWasTypedComesBackAfterTheSessionHadEnded() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = new ConsolePages(program.running().urls().base())) {
            HttpResponse<String> ended = pages.post(
                    "/new-service", Map.of("form", "create", "name", "Typed for long", "keySecret", "hidden-one"));
            assertThat(ended.statusCode()).isEqualTo(401);
            assertThat(ended.body()).contains("comes back after the sign-in").doesNotContain("hidden-one");
            // A wrong secret must not lose it either.
            HttpResponse<String> wrong =
                    pages.submit(document(ended), "/sign-in", Map.of("keyId", "nobody", "keySecret", "wrong"));
            assertThat(wrong.statusCode()).isEqualTo(401);
            HttpResponse<String> in = pages.submit(document(wrong), "/sign-in", signIn(program));
            assertThat(in.statusCode()).isEqualTo(200);
            HttpResponse<String> back = pages.submit(document(in), "/new-service", Map.of());
            assertThat(back.statusCode()).isEqualTo(200);
            assertThat(all(document(back), "input").stream().map(input -> input.getAttribute("value")))
                    .contains("Typed for long");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .doesNotContain("Typed for long");
            assertThat(pages.send(document(back), "create", Map.of()).statusCode())
                    .isEqualTo(303);
        }
    }

    @Test
    void secretsOfADocumentAreBlankedAndOtherTextsThatNameOneAreLeftOut()
            throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = new ConsolePages(program.running().urls().base())) {
            String pipe =
                    "{\"name\": \"P-One\", \"credentials\": {\"username\": \"u\", \"password\": \"hid\\\"den-one\"},"
                            + " \"headers\": {\"Authorization\": \"den-one\"}, \"uri\": \"mongodb://u:den-one@host\","
                            + " \"connectionString\": \"AccountKey=den-one\", \"privateKey\": \"" + "x".repeat(20_000)
                            + "den-one\"}";
            HttpResponse<String> ended = pages.post(
                    "/services/0/new-pipe", Map.of("form", "kafka", "body", pipe, "sql", "IDENTIFIED BY 'hidden-two'"));
            String carried = value(document(ended), "typed.body");
            assertThat(carried).contains("P-One").doesNotContain("den-one", "hidden-two");
            HttpResponse<String> broken = pages.post(
                    "/services/0/new-pipe", Map.of("form", "kafka", "body", "{\"password\": 'hidden-three'"));
            assertThat(broken.body()).doesNotContain("hidden-three");
            HttpResponse<String> statement =
                    pages.post("/query/0", Map.of("sql", "SELECT * FROM s3('https://a', 'AKIA', 'hidden-four')"));
            assertThat(statement.body()).doesNotContain("hidden-four");
            // There is nothing to bring back to a form in which nothing is typed.
            assertThat(pages.post("/keys", Map.of("form", "delete", "row", "1")).statusCode())
                    .isEqualTo(303);
        }
    }

    @Test
    void aLongStatementGoesThroughTheSignIn() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = new ConsolePages(program.running().urls().base())) {
            String sql = "SELECT '" + "%é&".repeat(60_000) + "'";
            Document ended = document(pages.post("/query/0", Map.of("sql", sql)));
            HttpResponse<String> in = pages.submit(ended, "/sign-in", signIn(program));
            assertThat(in.statusCode()).isEqualTo(200);
            assertThat(value(document(in), "sql")).isEqualTo(sql);
        }
    }

    @Test
    void nobodyIsLedElsewhereWithWhatWasTyped() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = new ConsolePages(program.running().urls().base())) {
            for (String place : new String[] {"//elsewhere.example/x", "https://elsewhere.example", "javascript:x"}) {
                HttpResponse<String> in = pages.post(
                        "/sign-in",
                        Map.of(
                                "keyId",
                                program.credential("key_id"),
                                "keySecret",
                                program.credential("key_secret"),
                                "then",
                                place,
                                "typed.a",
                                "b"));
                assertThat(in.statusCode()).as(place).isEqualTo(303);
                assertThat(in.headers().firstValue("Location")).contains("/");
            }
        }
    }

    @Test
    void whatWasTypedIsOfferedAgainAfterTooManyRequests() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--rate-limit", "5");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            Document form = pages.page("/new-service");
            HttpResponse<String> answer = pages.get("/");
            for (int at = 0; at < 20 && answer.statusCode() != 429; at++) {
                answer = pages.get("/");
            }
            HttpResponse<String> refused = pages.send(form, "create", Map.of("name", "Typed in a hurry"));
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(text(document(refused))).contains("Back to what I typed");
            assertThat(value(document(refused), "name")).isEqualTo("Typed in a hurry");
        }
    }
}
