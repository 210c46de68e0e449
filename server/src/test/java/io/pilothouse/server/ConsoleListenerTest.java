package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The console on a listener of its own: what is where, and that it keeps the rules of the others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleListenerTest {
    private static final String[] APART = {"--console-listen", "127.0.0.1:0"};

    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws StartRefused {
        program = TestProgram.start(folder, APART);
    }

    @AfterAll
    void stop() {
        program.close();
    }

    private static String console(TestProgram of) {
        return of.running().urls().console().orElseThrow();
    }

    private static ConsolePages signedIn(TestProgram to, String url) throws IOException, InterruptedException {
        ConsolePages pages = new ConsolePages(url);
        assertThat(pages.signIn(to.credential("key_id"), to.credential("key_secret"))
                        .statusCode())
                .isEqualTo(303);
        return pages;
    }

    @Test
    void pagesAreThereAloneAndTheApiIsNot() throws IOException, InterruptedException {
        String base = program.running().urls().base();
        assertThat(console(program)).isNotEqualTo(base);
        for (String path : List.of("/", "/sign-in", "/keys", "/requests", "/assets/console.css")) {
            assertThat(program.get(base + path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(program.get(console(program) + "/sign-in").statusCode()).isEqualTo(200);
        assertThat(program.get(console(program) + "/").statusCode()).isEqualTo(303);
        String api = "/v1/organizations/" + program.credential("organization_id");
        assertThat(program.getAsFirstKey(base + api).statusCode()).isEqualTo(200);
        assertThat(program.getAsFirstKey(console(program) + api).statusCode()).isEqualTo(404);
        assertThat(program.running().welcome()).contains("  console_url      " + console(program) + "/\n");
        assertThat(program.log()).contains("listener=console").contains("listener=management");
    }

    @Test
    void formsDoWhatTheApiDoesAndTheirLinesNameIt() throws IOException, InterruptedException {
        String id = ConsolePages.running(program, "Elsewhere");
        String api = program.organizationUrl() + "/services/" + id;
        try (ConsolePages pages = signedIn(program, console(program))) {
            Document page = pages.page("/services/" + id);
            assertThat(text(page)).contains("'" + api).doesNotContain(console(program) + "/v1/");
            assertThat(pages.submit(page, "/services/" + id + "/stop", Map.of()).statusCode())
                    .isEqualTo(303);
            // Before anything else is asked for: the latest requests push out those before them.
            assertThat(text(pages.page("/requests?changes=true"))).contains(id + "/state");
            program.await(api, body -> body.contains("\"state\":\"stopped\""));
        }
    }

    @Test
    void cookieAndOriginAreCheckedAsBesideTheApi() throws IOException, InterruptedException {
        try (ConsolePages pages = new ConsolePages(console(program))) {
            HttpResponse<String> answer = pages.signIn(program.credential("key_id"), program.credential("key_secret"));
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                    .contains("HttpOnly; SameSite=Strict")
                    .doesNotContain("Secure");
            Map<String, String> fields = Map.of("token", ConsolePages.token(pages.page("/")));
            HttpResponse<String> forged = pages.send(pages.posting("/sign-out", fields)
                    .header("Origin", program.running().urls().base()));
            assertThat(forged.statusCode()).isEqualTo(403);
            HttpResponse<String> own =
                    pages.send(pages.posting("/sign-out", fields).header("Origin", console(program)));
            assertThat(own.statusCode()).isEqualTo(303);
        }
    }

    @Test
    void wordOfATrustedProxyIsTaken(@TempDir Path other) throws IOException, InterruptedException, StartRefused {
        try (TestProgram behind = TestProgram.start(
                        other, "--console-listen", "127.0.0.1:0", "--trusted-proxies", "127.0.0.1/32");
                ConsolePages pages = new ConsolePages(console(behind))) {
            Map<String, String> key =
                    Map.of("keyId", behind.credential("key_id"), "keySecret", behind.credential("key_secret"));
            HttpResponse<String> answer = pages.send(pages.posting("/sign-in", key)
                    .header("X-Forwarded-Proto", "https")
                    .header("X-Forwarded-Host", "console.example.org")
                    .header("Origin", "https://console.example.org"));
            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow()).endsWith("; Secure");
        }
    }

    @Test
    void whereTheApiListensOnAllAddressesItsLinesHaveTheNameOfTheReader(@TempDir Path other)
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram open = TestProgram.start(
                        other, "--console-listen", "127.0.0.1:0", "--listen", "0.0.0.0:0", "--insecure-listen");
                ConsolePages pages = signedIn(open, console(open).replace("127.0.0.1", "localhost"))) {
            int port = URI.create(open.running().urls().base()).getPort();
            assertThat(text(pages.page("/"))).contains("'http://localhost:" + port + "/v1/organizations/");
        }
    }

    @Test
    void nothingListensThereWithoutAConsoleNorAfterTheEnd(@TempDir Path other)
            throws IOException, InterruptedException, StartRefused {
        String url;
        try (TestProgram first = TestProgram.start(other, APART)) {
            url = console(first);
        }
        try (ConsolePages pages = new ConsolePages(url)) {
            assertThatThrownBy(() -> pages.get("/sign-in")).isInstanceOf(ConnectException.class);
        }
        String address = url.substring("http://".length());
        try (TestProgram without = TestProgram.start(other, "--console", "false", "--console-listen", address);
                ConsolePages pages = new ConsolePages(url)) {
            assertThat(without.running().urls().console()).isEmpty();
            assertThat(without.running().welcome()).doesNotContain("console_url");
            assertThatThrownBy(() -> pages.get("/sign-in")).isInstanceOf(ConnectException.class);
        }
    }
}
