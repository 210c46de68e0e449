package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The requests that the console shows: every one of the organization, none of another, and no secret. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleRequestsTest {
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws StartRefused {
        program = TestProgram.start(folder);
    }

    @AfterAll
    void stop() {
        program.close();
    }

    private HttpResponse<String> post(String path, String body, String... fields)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = program.management(program.organizationUrl() + path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        for (int at = 0; at < fields.length; at += 2) {
            request.header(fields[at], fields[at + 1]);
        }
        return program.send(request);
    }

    private static String requestId(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-Request-Id").orElseThrow();
    }

    @Test
    void aChangeIsShownWithItsClientItsDifferenceAndALineOfCurl() throws IOException, InterruptedException {
        HttpResponse<String> made = post("/services", "{\"name\": \"Asked for\"}", "User-Agent", "terraform-run/7");
        String id = TestProgram.field(made.body().substring(made.body().indexOf("\"service\"")), "id");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            Document list = pages.page("/requests?find=terraform-run%2F7");
            assertThat(all(all(list, "tbody").getFirst(), "tr")).hasSize(1);
            assertThat(text(list)).contains("POST …/services", "200", "127.0.0.1", "First key");
            Document one = pages.page("/requests/" + requestId(made));
            assertThat(text(one))
                    .contains("service_create", "nothing → Asked for", "curl -s -u", "{\"name\":\"Asked for\"}", id);
        }
    }

    @Test
    void aRequestThatAnInjectedFaultStruckNamesIt(@TempDir Path folder)
            throws IOException, InterruptedException, StartRefused {
        Path plan = folder.resolve("plan.json");
        Files.writeString(
                plan,
                "{\"faults\": [{\"name\": \"busy\", \"effect\": \"answer\", \"status\": 429,"
                        + " \"operations\": [\"instanceGetList\"]}]}");
        try (TestProgram struck = TestProgram.start(folder.resolve("data"), "--emulator", "--faults", plan.toString());
                ConsolePages pages = ConsolePages.signedIn(struck)) {
            HttpResponse<String> answer = struck.getAsFirstKey(struck.organizationUrl() + "/services");
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(text(pages.page("/requests?find=busy"))).contains("429 by fault busy (answer 429)");
            assertThat(text(pages.page("/requests/" + requestId(answer)))).contains("by fault busy (answer 429)");
        }
    }

    @Test
    void noSecretOfABodyOrAnAnswerIsKept() throws IOException, InterruptedException {
        HttpResponse<String> service = post("/services", "{\"name\": \"With a password\"}");
        HttpResponse<String> key = post("/keys", "{\"name\": \"Kept apart\", \"roles\": [\"admin\"]}");
        HttpResponse<String> hashed = post(
                "/keys",
                "{\"name\": \"Hashed\", \"roles\": [\"admin\"], \"hashData\": {\"keyIdHash\": \"c29tZXRoaW5n\", "
                        + "\"keyIdSuffix\": \"abcd\", \"keySecretHash\": \"c2VjcmV0\"}}");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(pages.page("/requests/" + requestId(service))))
                    .contains("\"password\":\"***\"")
                    .doesNotContain(TestProgram.field(service.body(), "password"));
            assertThat(text(pages.page("/requests/" + requestId(key))))
                    .contains("\"keySecret\":\"***\"")
                    .doesNotContain(TestProgram.field(key.body(), "keySecret"));
            assertThat(text(pages.page("/requests/" + requestId(hashed)))).doesNotContain("c29tZXRoaW5n", "c2VjcmV0");
        }
    }

    @Test
    void ofSqlNeitherTheStatementNorTheQueryIsKept() throws IOException, InterruptedException {
        String made = post("/services", "{\"name\": \"Queried\"}").body();
        String id = TestProgram.field(made.substring(made.indexOf("\"service\"")), "id");
        HttpResponse<String> run = program.send(program.management(
                        program.running().urls().query() + "/service/" + id + "/run?format=CSV&password=unseen-word")
                .POST(HttpRequest.BodyPublishers.ofString("SELECT 'unseen-statement'")));
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(pages.page("/requests/" + requestId(run))))
                    .contains("/service/" + id + "/run", "Its statement is not kept")
                    .doesNotContain("unseen", "curl -s");
        }
    }

    @Test
    void aRefusalIsShownWithItsWords() throws IOException, InterruptedException {
        HttpResponse<String> refused = post("/services", "{\"name\": 7}");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(pages.page("/requests/" + requestId(refused))))
                    .contains("400", "Nothing.", "\"path\":\"name\"", "{\"name\":7}");
        }
    }

    @Test
    void whatAFormSendsIsARequestOfTheApiAndAPageIsNone() throws IOException, InterruptedException {
        String made = post("/services", "{\"name\": \"Formed\"}").body();
        String id = TestProgram.field(made.substring(made.indexOf("\"service\"")), "id");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            Document list = pages.page("/requests?changes=true&find=" + id);
            assertThat(text(list)).contains("PATCH …/services/", "/state");
            assertThat(text(pages.page("/requests?find=/requests"))).contains("No request of the API");
        }
    }

    @Test
    void onlyTheOwnOrganizationIsShown() throws IOException, InterruptedException {
        HttpResponse<String> ours = post("/services", "{\"name\": \"Ours\"}");
        HttpResponse<String> other =
                program.send(program.management(program.credential("base_url") + "/v1/organizations")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Other\"}")));
        try (ConsolePages pages = ConsolePages.signedIn(
                program, TestProgram.field(other.body(), "keyId"), TestProgram.field(other.body(), "keySecret"))) {
            assertThat(text(pages.page("/requests"))).contains("No request of the API");
            assertThat(pages.get("/requests/" + requestId(ours)).statusCode()).isEqualTo(404);
            assertThat(pages.get("/requests/nonsense").statusCode()).isEqualTo(404);
        }
    }

    /** A developer reads activities, but makes no keys: a body may be about what this key must not read. */
    @Test
    void bodiesAreForTheKeyThatSentThemAndForThoseWhoMakeKeys() throws IOException, InterruptedException {
        HttpResponse<String> key = post("/keys", "{\"name\": \"Developer\", \"roles\": [\"developer\"]}");
        HttpResponse<String> refused = post("/services", "{\"name\": \"\"}");
        try (ConsolePages pages = ConsolePages.signedIn(
                program, TestProgram.field(key.body(), "keyId"), TestProgram.field(key.body(), "keySecret"))) {
            assertThat(text(pages.page("/requests/" + requestId(refused))))
                    .contains("is shown to the key that sent it")
                    .doesNotContain("curl -s");
        }
    }

    @Test
    void aLivePartIsAnsweredAlone() throws IOException, InterruptedException {
        String made = post("/services", "{\"name\": \"Live\"}").body();
        String id = TestProgram.field(made.substring(made.indexOf("\"service\"")), "id");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            for (String path : List.of("/?name=Live", "/services/" + id, "/requests?find=a&changes=true")) {
                Document whole = pages.page(path);
                HttpResponse<String> part = pages.send(pages.request(path).header("HX-Request", "true"));
                Document alone = document(part);
                assertThat(alone.getDocumentElement().getNodeName()).isEqualTo("div");
                assertThat(alone.getDocumentElement().getAttribute("hx-get")).isEqualTo(path);
                assertThat(all(whole, "div"))
                        .anyMatch(div -> div.getAttribute("id")
                                .equals(alone.getDocumentElement().getAttribute("id")));
                assertThat(all(alone, "form")).isEmpty();
            }
        }
    }

    @Test
    void anOrganizationForgetsItsOwnOldestRequests(@TempDir Path other)
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram small = TestProgram.start(other);
                ConsolePages pages = ConsolePages.signedIn(small)) {
            String first = requestId(small.getAsFirstKey(small.organizationUrl() + "/services?first=one"));
            assertThat(pages.get("/requests/" + first).statusCode()).isEqualTo(200);
            String padding = "?pad=" + "x".repeat(1_500);
            for (int at = 0; at < 400; at++) {
                small.getAsFirstKey(small.organizationUrl() + "/services" + padding);
            }
            assertThat(pages.get("/requests/" + first).statusCode()).isEqualTo(404);
            assertThat(text(pages.page("/requests"))).contains("100 shown");
        }
    }
}
