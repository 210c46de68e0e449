package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The console over a real socket: who gets in, what a page may load, and which services it shows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleTest {
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws StartRefused {
        program = TestProgram.start(folder);
    }

    @AfterAll
    void stop() {
        program.close();
    }

    private ConsolePages nobody() {
        return new ConsolePages(program.running().urls().base());
    }

    private ConsolePages admin() throws IOException, InterruptedException {
        return ConsolePages.signedIn(program);
    }

    private String made(String name) throws IOException, InterruptedException {
        HttpResponse<String> made = program.createService("{\"name\": \"" + name + "\"}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        return TestProgram.field(made.body(), "id");
    }

    @Test
    void aPageWithoutASessionLeadsToTheSignIn() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            HttpResponse<String> answer = pages.get("/");
            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(answer.headers().firstValue("Location")).contains("/sign-in");
        }
    }

    @Test
    void whatHtmxAsksForWithoutASessionLeadsTheWholePageToTheSignIn() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            HttpResponse<String> answer = pages.send(pages.request("/").header("HX-Request", "true"));
            assertThat(answer.headers().firstValue("HX-Redirect")).contains("/sign-in");
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void aKeySignsInForTwelveHoursWithACookieThatNoScriptReads() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            HttpResponse<String> answer = pages.signIn(program.credential("key_id"), program.credential("key_secret"));
            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(answer.headers().firstValue("Location")).contains("/");
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                    .contains("Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict")
                    .doesNotContain("Secure", program.credential("key_secret"));
            assertThat(text(pages.page("/"))).contains("Services");
        }
    }

    @Test
    void aWrongSecretIsRefusedInTheWordsOfTheApi() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            HttpResponse<String> answer = pages.signIn(program.credential("key_id"), "wrong");
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(text(document(answer))).contains("Unknown, disabled or expired credentials");
        }
    }

    @Test
    void signingOutEndsTheSessionOnTheServer() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            String cookie = pages.signIn(program.credential("key_id"), program.credential("key_secret"))
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow()
                    .replaceFirst(";.*", "");
            try (ConsolePages other = nobody()) {
                assertThat(other.send(other.request("/").header("Cookie", cookie))
                                .statusCode())
                        .isEqualTo(200);
            }
            HttpResponse<String> answer = pages.submit(pages.page("/"), "/sign-out", Map.of());
            assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
            assertThat(pages.get("/").statusCode()).isEqualTo(303);
            try (ConsolePages thief = nobody()) {
                HttpRequest.Builder replayed = thief.request("/").header("Cookie", cookie);
                assertThat(thief.send(replayed).statusCode()).isEqualTo(303);
            }
        }
    }

    @Test
    void aFormFromAnotherOriginChangesNothing() throws IOException, InterruptedException {
        try (ConsolePages pages = admin()) {
            Document page = pages.page("/");
            String token = all(page, "input").stream()
                    .filter(input -> input.getAttribute("name").equals("token"))
                    .findFirst()
                    .orElseThrow()
                    .getAttribute("value");
            List<HttpRequest.Builder> forged = List.of(
                    pages.posting("/sign-out", Map.of("token", token)).header("Sec-Fetch-Site", "cross-site"),
                    pages.posting("/sign-out", Map.of("token", token)).header("Sec-Fetch-Site", "same-site"),
                    pages.posting("/sign-out", Map.of("token", token)).header("Origin", "http://evil.example"),
                    pages.posting("/sign-out", Map.of("token", "guessed")),
                    pages.posting("/sign-out", Map.of()));
            for (HttpRequest.Builder each : forged) {
                HttpResponse<String> refused = pages.send(each);
                assertThat(refused.statusCode()).isEqualTo(403);
                assertThat(text(document(refused))).contains("This is not possible");
            }
            assertThat(pages.get("/").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aSignInFromAnotherOriginIsRefusedWithAPage() throws IOException, InterruptedException {
        try (ConsolePages pages = nobody()) {
            Map<String, String> key =
                    Map.of("keyId", program.credential("key_id"), "keySecret", program.credential("key_secret"));
            HttpResponse<String> refused =
                    pages.send(pages.posting("/sign-in", key).header("Sec-Fetch-Site", "cross-site"));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(text(document(refused))).contains("A form of another origin changes nothing here");
        }
    }

    /** However slow the machine is: of many requests, three are in one minute. */
    @Test
    void aKeyLooksAtAsManyPagesAsItMayAskTheApi(@TempDir Path other)
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram held = TestProgram.start(other, "--rate-limit", "2");
                ConsolePages pages = ConsolePages.signedIn(held)) {
            HttpResponse<String> answer = pages.get("/");
            for (int at = 0; at < 100 && answer.statusCode() == 200; at++) {
                answer = pages.get("/");
            }
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(text(document(answer))).contains("More than 2 requests in a minute");
        }
    }

    @Test
    void aKeySignsInAsOftenAsItMayAskTheApi(@TempDir Path other)
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram held = TestProgram.start(other, "--rate-limit", "2");
                ConsolePages pages = ConsolePages.signedIn(held)) {
            HttpResponse<String> answer = signIn(pages, held);
            for (int at = 0; at < 100 && answer.statusCode() == 303; at++) {
                answer = signIn(pages, held);
            }
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(text(document(answer))).contains("More than 2 requests in a minute");
        }
    }

    private static HttpResponse<String> signIn(ConsolePages pages, TestProgram held)
            throws IOException, InterruptedException {
        return pages.signIn(held.credential("key_id"), held.credential("key_secret"));
    }

    @Test
    void aKeyThatIsDisabledEndsItsSessions() throws IOException, InterruptedException {
        String keys = program.organizationUrl() + "/keys";
        String made = program.send(program.management(keys)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Short\", \"roles\": [\"admin\"]}")))
                .body();
        try (ConsolePages pages = ConsolePages.signedIn(
                program, TestProgram.field(made, "keyId"), TestProgram.field(made, "keySecret"))) {
            assertThat(pages.get("/").statusCode()).isEqualTo(200);
            program.patch(keys + "/" + TestProgram.field(made, "id"), "{\"state\": \"disabled\"}");
            assertThat(pages.get("/").statusCode()).isEqualTo(303);
        }
    }

    @Test
    void everyPageLoadsNothingFromElsewhereAndRunsNoScriptOfItsOwn() throws IOException, InterruptedException {
        try (ConsolePages pages = admin()) {
            for (String path : List.of("/", "/keys", "/sign-in")) {
                HttpResponse<String> answer = pages.get(path);
                assertThat(answer.headers()
                                .firstValue("Content-Security-Policy")
                                .orElseThrow())
                        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe");
                assertThat(answer.headers().firstValue("X-Content-Type-Options"))
                        .contains("nosniff");
                assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
                Document page = document(answer);
                assertThat(all(page, "script")).isNotEmpty().allSatisfy(script -> {
                    assertThat(script.getAttribute("src")).startsWith("/assets/");
                    assertThat(script.getTextContent()).isEmpty();
                });
                assertThat(all(page, "link"))
                        .allSatisfy(
                                link -> assertThat(link.getAttribute("href")).startsWith("/assets/"));
                assertThat(all(page, "style")).isEmpty();
            }
        }
    }

    /** What a browser fetches for a page, and that it may keep it: together less than 120 kB. */
    @Test
    void whatAPageLoadsIsSmallAndKept() throws IOException, InterruptedException {
        try (ConsolePages pages = admin()) {
            HttpResponse<String> page = pages.get("/");
            long bytes = page.body().length();
            Map<String, String> types = Map.of("css", "text/css", "js", "text/javascript", "svg", "image/svg+xml");
            List<String> files = Stream.concat(
                            all(document(page), "script").stream().map(script -> script.getAttribute("src")),
                            all(document(page), "link").stream().map(link -> link.getAttribute("href")))
                    .toList();
            assertThat(files).hasSize(4);
            for (String file : files) {
                HttpResponse<String> asset = pages.get(file);
                assertThat(asset.statusCode()).isEqualTo(200);
                assertThat(asset.headers().firstValue("Content-Type").orElseThrow())
                        .startsWith(types.get(file.replaceAll(".*\\.|\\?.*", "")));
                assertThat(asset.headers().firstValue("Cache-Control").orElseThrow())
                        .contains("immutable");
                bytes += asset.body().length();
            }
            assertThat(bytes).isLessThan(120_000);
            assertThat(pages.get("/assets/Console.class").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void everyFieldHasALabelAndEveryPageOneHeading() throws IOException, InterruptedException {
        try (ConsolePages pages = admin()) {
            for (String path : List.of("/", "/sign-in")) {
                Document page = pages.page(path);
                assertThat(page.getDocumentElement().getAttribute("lang")).isEqualTo("en");
                assertThat(all(page, "title")).hasSize(1);
                assertThat(all(page, "main")).hasSize(1);
                assertThat(all(page, "h1")).hasSize(1);
                assertThat(all(page, "input"))
                        .filteredOn(input -> !input.getAttribute("type").equals("hidden"))
                        .allSatisfy(input ->
                                assertThat(input.getParentNode().getNodeName()).isEqualTo("label"));
                assertThat(all(page, "select"))
                        .allSatisfy(select ->
                                assertThat(select.getParentNode().getNodeName()).isEqualTo("label"));
            }
        }
    }

    @Test
    void theFleetShowsEveryServiceWithItsState() throws IOException, InterruptedException {
        String id = made("Fleet one");
        program.await(program.organizationUrl() + "/services/" + id, body -> body.contains("\"state\":\"running\""));
        try (ConsolePages pages = admin()) {
            Document page = pages.page("/?name=fleet+ONE");
            List<Element> rows = all(all(page, "tbody").getFirst(), "tr");
            assertThat(rows).hasSize(1);
            assertThat(rows.getFirst().getTextContent()).contains("Fleet one", "running", "GB");
            assertThat(text(pages.page("/?name=fleet+one&state=failed"))).contains("None of the services");
        }
    }

    /** Names are of the contract's characters, so the search is where a text could become markup. */
    @Test
    void whatSomebodyTypesIsNeverMarkup() throws IOException, InterruptedException {
        try (ConsolePages pages = admin()) {
            Document page = pages.page("/?name=%3Cscript%3Ealert(1)%3C/script%3E%22'%26&sort=memory");
            assertThat(all(page, "script"))
                    .allSatisfy(script -> assertThat(script.getTextContent()).isEmpty());
            assertThat(all(page, "input"))
                    .anyMatch(input -> input.getAttribute("value").equals("<script>alert(1)</script>\"'&"));
        }
    }

    @Test
    void aLongFleetIsPaged() throws IOException, InterruptedException {
        for (int at = 0; at < 51; at++) {
            made("Paged " + at);
        }
        try (ConsolePages pages = admin()) {
            Document first = pages.page("/?name=paged");
            assertThat(all(all(first, "tbody").getFirst(), "tr")).hasSize(50);
            String next = all(first, "a").stream()
                    .filter(link -> link.getAttribute("rel").equals("next"))
                    .findFirst()
                    .orElseThrow()
                    .getAttribute("href");
            Document second = pages.page(next);
            assertThat(all(all(second, "tbody").getFirst(), "tr")).hasSize(1);
            assertThat(all(second, "a"))
                    .noneMatch(link -> link.getAttribute("rel").equals("next"));
        }
    }

    /** The order is that of all that were looked at, not of one page. */
    @Test
    void aLongFleetIsSortedOverItsPages() throws IOException, InterruptedException {
        for (int at = 151; at > 100; at--) {
            made("Sorted " + at);
        }
        try (ConsolePages pages = admin()) {
            Document first = pages.page("/?name=sorted&sort=name");
            List<Element> rows = all(all(first, "tbody").getFirst(), "tr");
            assertThat(rows).hasSize(50);
            assertThat(rows.getFirst().getTextContent()).startsWith("Sorted 101");
            Document second = pages.page("/?name=sorted&sort=name&skip=50");
            assertThat(all(all(second, "tbody").getFirst(), "tr"))
                    .singleElement()
                    .satisfies(row -> assertThat(row.getTextContent()).startsWith("Sorted 151"));
            assertThat(all(second, "a"))
                    .noneMatch(link -> link.getAttribute("rel").equals("next"));
        }
    }

    @Test
    void anotherOrganizationSeesNoServiceOfThisOne() throws IOException, InterruptedException {
        made("Hidden from others");
        try (ConsolePages pages = ConsolePages.ofOther(program)) {
            assertThat(text(pages.page("/")))
                    .contains("There is no service yet")
                    .doesNotContain("Hidden");
        }
    }

    @Test
    void aPlaceInTheListThatIsNoneIsRefused() throws IOException, InterruptedException {
        try (ConsolePages pages = admin()) {
            assertThat(pages.get("/?after=nowhere").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void theWelcomeSaysWhereTheConsoleIs(@TempDir Path other) throws IOException, InterruptedException, StartRefused {
        assertThat(program.running().welcome())
                .contains("console_url      " + program.running().urls().base() + "/");
        try (TestProgram without = TestProgram.start(other, "--console", "false");
                ConsolePages pages = new ConsolePages(without.running().urls().base())) {
            assertThat(without.running().welcome()).doesNotContain("console_url");
            assertThat(pages.get("/").statusCode()).isEqualTo(404);
            assertThat(pages.get("/sign-in").statusCode()).isEqualTo(404);
        }
    }
}
