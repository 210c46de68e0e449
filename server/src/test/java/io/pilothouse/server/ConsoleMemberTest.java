package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** People join with the token of an invitation, sign in themselves, and act with their own roles and name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleMemberTest {
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws StartRefused {
        program = TestProgram.start(folder, "--rate-limit", "0");
    }

    @AfterAll
    void stop() {
        program.close();
    }

    private ConsolePages nobody() {
        return new ConsolePages(program.running().urls().base());
    }

    private String invited(String email) throws IOException, InterruptedException {
        HttpResponse<String> made = program.send(program.management(program.organizationUrl() + "/invitations")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"email\": \"" + email + "\", \"role\": \"developer\"}")));
        return TestProgram.field(made.body(), "token");
    }

    private static String shown(Document page, String id) {
        return all(page, "pre").stream()
                .filter(each -> each.getAttribute("id").equals(id))
                .map(Element::getTextContent)
                .findFirst()
                .orElseThrow();
    }

    /** The secret of somebody who joins in the browser. */
    private static String joined(ConsolePages pages, String token) throws IOException, InterruptedException {
        HttpResponse<String> answer = pages.submit(pages.page("/join"), "/join", Map.of("token", token, "name", "Ada"));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return shown(document(answer), "secret");
    }

    private String activities() throws IOException, InterruptedException {
        return program.getAsFirstKey(program.organizationUrl() + "/activities").body();
    }

    @Test
    void whoJoinsSignsInAndIsNamedInTheHistory() throws IOException, InterruptedException {
        String id = ConsolePages.running(program, "Of all");
        try (ConsolePages pages = nobody()) {
            String secret = joined(pages, invited("ada@example.org"));
            assertThat(pages.signIn("Ada@example.org", secret).statusCode()).isEqualTo(303);
            Document service = pages.page("/services/" + id);
            assertThat(text(service)).contains("ada@example.org", "Of all");
            String path = "/services/" + id;
            assertThat(pages.submit(service, path + "/stop", Map.of()).statusCode())
                    .isEqualTo(303);
            assertThat(activities()).contains("\"actorType\":\"user\"", "\"actorDetails\":\"ada@example.org\"");
            HttpResponse<String> refused = pages.submit(service, path + "/delete", Map.of("name", "Of all"));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(text(document(refused))).contains("This member's roles do not allow");
            assertThat(text(document(pages.post(
                            "/query/" + id,
                            Map.of("sql", "SELECT 1", "token", ConsolePages.token(service), "once", "1")))))
                    .contains("sign in with a key to run SQL");
        }
    }

    @Test
    void whoIsNoMemberAnyMoreIsSignedOut() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            String secret = joined(pages, invited("leaving@example.org"));
            pages.signIn("leaving@example.org", secret);
            assertThat(pages.get("/").statusCode()).isEqualTo(200);
            String members = program.organizationUrl() + "/members";
            String listed = program.getAsFirstKey(members).body();
            String person = listed.substring(0, listed.indexOf("leaving@example.org"));
            String userId = TestProgram.field(person.substring(person.lastIndexOf("\"userId\"")), "userId");
            assertThat(program.send(program.management(members + "/" + userId).DELETE())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(pages.get("/").statusCode()).isEqualTo(303);
            assertThat(pages.signIn("leaving@example.org", secret).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aSecretIsGoodWithItsOwnAddressOnly() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            String secret = joined(pages, invited("grace@example.org"));
            String other = joined(pages, invited("joan@example.org"));
            for (String wrong :
                    new String[] {other, secret + "x", secret.substring(0, 36), "", "not-an-id-of-thirty-six-letters"
                    }) {
                HttpResponse<String> answer = pages.signIn("grace@example.org", wrong);
                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(text(document(answer))).contains("Unknown, disabled or expired credentials");
            }
            assertThat(pages.signIn("grace@example.org", secret).statusCode()).isEqualTo(303);
        }
    }

    @Test
    void theSecretIsShownOnceAndNowhereElse() throws IOException, InterruptedException {
        String token = invited("once@example.org");
        try (ConsolePages pages = nobody()) {
            String secret = joined(pages, token);
            HttpResponse<String> again = pages.submit(pages.page("/join"), "/join", Map.of("token", token));
            assertThat(again.statusCode()).isEqualTo(404);
            assertThat(text(document(again))).contains("token: accepts no invitation");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/members")
                            .body())
                    .contains("once@example.org")
                    .doesNotContain(secret, "signIn");
            assertThat(activities()).doesNotContain(secret, "signIn");
            assertThat(program.log()).doesNotContain(secret);
        }
    }
}
