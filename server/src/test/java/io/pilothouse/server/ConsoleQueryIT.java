package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** SQL in a page of the console, with a real ClickHouse behind it. */
class ConsoleQueryIT {
    private static final int QUERY_ROWS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private TestProgram program;
    private ConsolePages pages;
    private String service;

    @BeforeEach
    void start() throws StartRefused, IOException, InterruptedException {
        program = local.start(folder);
        String created = program.createService("{\"name\":\"Asked\",\"idleTimeoutMinutes\":5}")
                .body();
        service = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        pages = ConsolePages.signedIn(program);
    }

    @AfterEach
    void stop() {
        if (pages != null) {
            pages.close();
        }
        if (program != null) {
            program.close();
        }
    }

    private String url() throws IOException {
        return program.organizationUrl() + "/services/" + service;
    }

    private void letIn(String role) throws IOException, InterruptedException {
        String keys = program.getAsFirstKey(program.organizationUrl() + "/keys").body();
        HttpResponse<String> set = program.send(program.management(url() + "/serviceQueryEndpoint")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"roles\":[\"" + role + "\"],\"openApiKeys\":[\""
                        + TestProgram.field(keys, "id") + "\"],\"allowedOrigins\":\"\"}")));
        assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    }

    private HttpResponse<String> run(String sql) throws IOException, InterruptedException {
        String page = "/query/" + service;
        return pages.submit(pages.page(page), page, Map.of("sql", sql, "wake", ""));
    }

    private static List<List<String>> rows(HttpResponse<String> answer) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return all(all(document(answer), "tbody").getFirst(), "tr").stream()
                .map(row -> all(row, "td").stream().map(Element::getTextContent).toList())
                .toList();
    }

    private void awaitEndless(String number) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String count = "SELECT count() FROM system.processes WHERE query LIKE '%system.numbers%' "
                + "AND query NOT LIKE '%processes%'";
        for (List<List<String>> seen = rows(run(count));
                !seen.equals(List.of(List.of(number)));
                seen = rows(run(count))) {
            assertThat(Instant.now()).as("%s", seen).isBefore(deadline);
        }
    }

    @Test
    void aStatementEndsInTheDatabaseWhenTheBrowserStopsWaiting() throws IOException, InterruptedException {
        letIn("sql_console_admin");
        rows(run("SELECT 1"));
        String token = all(pages.page("/query/" + service), "input").stream()
                .filter(input -> input.getAttribute("name").equals("token"))
                .findFirst()
                .orElseThrow()
                .getAttribute("value");
        CompletableFuture<HttpResponse<String>> endless = pages.begin(pages.posting(
                "/query/" + service, Map.of("token", token, "sql", "SELECT count() FROM system.numbers", "wake", "")));
        awaitEndless("1");
        assertThat(endless.cancel(true)).isTrue();
        awaitEndless("0");
    }

    private String hidden(Document page, String name) {
        return all(page, "input").stream()
                .filter(input -> input.getAttribute("name").equals(name))
                .findFirst()
                .map(input -> input.getAttribute("value"))
                .orElse("");
    }

    @Test
    void aRunningStatementIsShownAndCancelledByItsSessionAlone() throws IOException, InterruptedException {
        letIn("sql_console_read_only");
        String path = "/query/" + service;
        Document page = pages.page(path);
        CompletableFuture<HttpResponse<String>> endless = pages.begin(pages.posting(
                path, Map.of("token", hidden(page, "token"), "sql", "SELECT count() FROM system.numbers", "wake", "")));
        awaitEndless("1");
        Document watched = pages.page(path);
        assertThat(text(watched)).contains("Runs since", "SELECT count() FROM system.numbers");
        String running = hidden(watched, "running");
        assertThat(running).isNotEmpty();
        try (ConsolePages other = ConsolePages.signedIn(program)) {
            assertThat(text(other.page(path))).doesNotContain("Runs since");
            other.post(path + "/cancel", Map.of("token", hidden(other.page(path), "token"), "running", running));
        }
        awaitEndless("1");
        HttpResponse<String> cancelled =
                pages.post(path + "/cancel", Map.of("token", hidden(page, "token"), "running", running));
        assertThat(cancelled.statusCode()).isEqualTo(303);
        assertThat(text(document(endless.join()))).contains("It was cancelled.");
        awaitEndless("0");
        assertThat(text(pages.page(path))).doesNotContain("Runs since");
    }

    @Test
    void aFormIsRunOnceAndWhatWasRunIsAtHandForItsSessionAlone() throws IOException, InterruptedException {
        letIn("sql_console_admin");
        String path = "/query/" + service;
        assertThat(run("CREATE TABLE once (x UInt8) ENGINE = MergeTree ORDER BY x")
                        .statusCode())
                .isEqualTo(200);
        Document page = pages.page(path);
        Map<String, String> insert = Map.of("sql", "INSERT INTO once VALUES (1)", "wake", "");
        assertThat(pages.submit(page, path, insert).statusCode()).isEqualTo(200);
        HttpResponse<String> again = pages.submit(page, path, insert);
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(text(document(again))).contains("is run once", "INSERT INTO once VALUES (1)");
        assertThat(rows(run("SELECT count() FROM once"))).containsExactly(List.of("1"));

        rows(run("SELECT 'a secret that must not stay'"));
        Document history = pages.page(path);
        assertThat(text(history)).contains("What you ran", "INSERT INTO once").doesNotContain("must not stay");
        String link = all(history, "a").stream()
                .filter(each -> each.getTextContent().startsWith("INSERT INTO once"))
                .findFirst()
                .orElseThrow()
                .getAttribute("href");
        assertThat(all(pages.page(link), "textarea").getFirst().getTextContent())
                .isEqualTo("INSERT INTO once VALUES (1)");
        try (ConsolePages other = ConsolePages.signedIn(program)) {
            assertThat(text(other.page(path))).doesNotContain("What you ran");
            assertThat(all(other.page(link), "textarea").getFirst().getTextContent())
                    .isEmpty();
        }
    }

    @Test
    void aColumnOfNumbersIsPlotted() throws IOException, InterruptedException {
        letIn("sql_console_read_only");
        Document page = document(run("SELECT toString(number) AS s, number * 2 AS n, "
                + "if(number = 2, NULL, number / 3) AS f, toDecimal64(1, 2) AS d, now() AS t FROM numbers(5)"));
        assertThat(all(page, "svg").stream().map(svg -> svg.getAttribute("aria-label")))
                .hasSize(3)
                .anyMatch(says -> says.startsWith("n, from the first row to the last: from 0 to 8"));
        assertThat(all(document(run("SELECT 1 AS one")), "svg")).isEmpty();
    }

    private HttpResponse<String> follow(Document page, String label) throws IOException, InterruptedException {
        Element form = all(page, "form").stream()
                .filter(each -> all(each, "button").stream()
                        .anyMatch(button -> button.getTextContent().equals(label)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + label + " in " + text(page)));
        Map<String, String> fields = new HashMap<>();
        all(form, "input").forEach(input -> fields.put(input.getAttribute("name"), input.getAttribute("value")));
        return pages.post(form.getAttribute("action"), fields);
    }

    @Test
    void aLongResultIsPagedByTheDatabase() throws IOException, InterruptedException {
        letIn("sql_console_read_only");
        Document first = document(run("SELECT number FROM numbers(2000) ORDER BY number LIMIT 1020 OFFSET 7"));
        assertThat(text(first)).contains("The first 500 rows; there are more", "which is run again");
        assertThat(text(first)).doesNotContain("Previous rows", "no ORDER BY");
        HttpResponse<String> second = follow(first, "Next rows");
        assertThat(rows(second)).hasSize(QUERY_ROWS).startsWith(List.of("507")).endsWith(List.of("1006"));
        assertThat(text(document(second))).contains("Rows 501 to 1000; there are more");
        assertThat(follow(first, "Next rows").statusCode()).isEqualTo(409);
        HttpResponse<String> third = follow(document(second), "Next rows");
        assertThat(rows(third)).hasSize(20).startsWith(List.of("1007")).endsWith(List.of("1026"));
        assertThat(text(document(third)))
                .contains("Rows 1001 to 1020, which are the last")
                .doesNotContain("Next rows");
        HttpResponse<String> back = follow(document(third), "Previous rows");
        assertThat(rows(back)).startsWith(List.of("507"));
        assertThat(rows(follow(document(back), "Previous rows"))).startsWith(List.of("7"));
    }

    @Test
    void pagesOfLongRowsAreShorterAndAnUnorderedResultSaysSo() throws IOException, InterruptedException {
        letIn("sql_console_admin");
        Document first = document(run("SELECT number, repeat('x', 100000) FROM numbers(4)"));
        assertThat(text(first)).contains("The first 2 rows; there are more", "no ORDER BY of its own");
        HttpResponse<String> second = follow(first, "Next rows");
        assertThat(rows(second)).hasSize(2);
        assertThat(text(document(second))).contains("Rows 3 to 4, which are the last");
        assertThat(run("CREATE VIEW many AS SELECT number FROM numbers(1200)").statusCode())
                .isEqualTo(200);
        Document several =
                document(run("WITH x AS (SELECT number FROM many) SELECT number FROM many JOIN x USING number "
                        + "WHERE number IN (SELECT number FROM many) ORDER BY number"));
        assertThat(rows(follow(several, "Next rows"))).hasSize(QUERY_ROWS).startsWith(List.of("500"));
        assertThat(text(document(run("SELECT number FROM numbers(400) UNION ALL SELECT number FROM numbers(400)"))))
                .contains("LIMIT and OFFSET show others")
                .doesNotContain("Next rows");
        assertThat(text(document(run("SELECT number FROM numbers(3) FORMAT TSV"))))
                .doesNotContain("Next rows");
        assertThat(text(document(run("SHOW FUNCTIONS"))))
                .contains("LIMIT and OFFSET show others")
                .doesNotContain("Next rows");
    }

    @Test
    void aListedKeyAsksWithItsRoleAndSeesRowsErrorsAndWhereItWasCut() throws IOException, InterruptedException {
        HttpResponse<String> unlisted = run("SELECT 1");
        assertThat(unlisted.statusCode()).isEqualTo(403);
        assertThat(text(document(unlisted))).contains("does not list the key", "serviceQueryEndpoint");

        letIn("sql_console_read_only");
        assertThat(rows(run("SELECT number AS n, '<b>' AS s, NULL AS nothing FROM numbers(2)")))
                .containsExactly(List.of("0", "<b>", "ᴺᵁᴸᴸ"), List.of("1", "<b>", "ᴺᵁᴸᴸ"));
        HttpResponse<String> wrong = run("SELECT nothing FROM nowhere");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(text(document(wrong))).contains("UNKNOWN_TABLE", "SELECT nothing FROM nowhere");
        assertThat(text(document(run("CREATE TABLE t (x UInt8) ENGINE = Memory"))))
                .containsAnyOf("READONLY", "ACCESS_DENIED", "readonly");
        HttpResponse<String> endless = run("SELECT number FROM system.numbers");
        assertThat(rows(endless)).hasSize(QUERY_ROWS);
        assertThat(text(document(endless))).contains("The first 500 rows");
        assertThat(text(document(run("SELECT 7 AS x FORMAT CSV")))).contains("7");
        assertThat(text(document(run("SELECT [4711, 4712] AS x FORMAT TSV")))).contains("[4711,4712]");
        assertThat(text(document(run("SELECT repeat('x', 300000) AS x FORMAT TSV"))))
                .contains("xxx", "The beginning of it");
        assertThat(run(" ").statusCode()).isEqualTo(400);

        // A session lasts twelve hours, which a slow machine would let pass.
        AtomicInteger minutes = new AtomicInteger();
        program.await(url(), body -> {
            local.advance(minutes.incrementAndGet() < 600 ? Duration.ofMinutes(1) : Duration.ZERO);
            return body.contains("\"state\":\"idle\"");
        });
        assertThat(text(document(run("SELECT 1")))).contains("The service sleeps. Nothing was run");
        assertThat(program.getAsFirstKey(url()).body()).contains("\"state\":\"idle\"");
        Document page = pages.page("/query/" + service);
        assertThat(rows(pages.submit(page, "/query/" + service, Map.of("sql", "SELECT 8", "wake", "true"))))
                .containsExactly(List.of("8"));
    }
}
