package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.testkit.NodePackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console as somebody sees it: in a real browser, whose console stays silent and in which axe finds nothing. */
class ConsoleBrowserIT {
    private static final String AXE = "4.14.1";
    private static final Path PICTURES = Path.of("target", "console");

    @TempDir
    private Path folder;

    private TestProgram program;
    private WebBrowser browser;
    private String axe;

    @BeforeEach
    void start() throws StartRefused, IOException, InterruptedException {
        axe = Files.readString(NodePackage.file("axe-core", AXE, "axe.min.js"));
        browser = WebBrowser.start();
        program = TestProgram.start(folder, "--rate-limit", "0");
    }

    @AfterEach
    void stop() throws IOException {
        // The browser first, so that no live page asks a program that is gone.
        try {
            if (browser != null) {
                browser.close();
            }
        } finally {
            if (program != null) {
                program.close();
            }
        }
    }

    private void open(String path) throws IOException, InterruptedException {
        browser.open(program.running().urls().base() + path);
    }

    private void signIn() throws IOException, InterruptedException {
        open("/");
        assertThat(browser.address()).endsWith("/sign-in");
        browser.type("[name=keyId]", program.credential("key_id"));
        browser.type("[name=keySecret]", program.credential("key_secret"));
        browser.submit("main button");
        assertThat(browser.text("h1")).isEqualTo("Services");
    }

    /** What a page must be for everybody: silent, usable without a mouse or eyes, no wider than a phone. */
    private void judge(String name) throws IOException, InterruptedException {
        for (String theme : List.of("light", "dark")) {
            browser.theme(theme);
            browser.size(1280, 1000);
            browser.screenshot(PICTURES.resolve(name + "-" + theme + ".png"));
            browser.script(axe);
            Tree.Members found = browser.awaited("""
                const done = arguments[0];
                axe.run().then(
                    result => done(result.violations.map(each =>
                        each.id + ': ' + each.nodes.map(node => node.html + ' ' + node.failureSummary).join('; '))),
                    fault => done(['axe: ' + fault]));""");
            assertThat(found.texts("value")).as("%s, %s", name, theme).isEmpty();
        }
        browser.size(360, 800);
        browser.screenshot(PICTURES.resolve(name + "-narrow.png"));
        assertThat(browser.script("return document.documentElement.scrollWidth").number("value"))
                .as("the width of %s on a phone", name)
                .hasValueSatisfying(width -> assertThat(width).isLessThanOrEqualTo(360));
        browser.size(1280, 1000);
        assertThat(browser.complaints()).as(name).isEmpty();
    }

    /** A mark in the page, which loading it again would lose. */
    private void mark() throws IOException, InterruptedException {
        browser.script("window.loadedOnce = true");
    }

    /** The id of a service that somebody makes by filling the form in, as it is offered. */
    private String createdThroughTheForm(String name) throws IOException, InterruptedException {
        open("/");
        browser.submit("main a.button");
        assertThat(browser.text("h1")).isEqualTo("Create a service");
        browser.type("main [name=name]", name);
        browser.submit("main form button");
        assertThat(browser.text("#shown-password")).hasSizeGreaterThan(10);
        String listed =
                program.getAsFirstKey(program.organizationUrl() + "/services").body();
        return TestProgram.field(listed, "id");
    }

    @Test
    void aServiceIsWatchedStoppedAndRestoredWithoutLoadingAPageAgain() throws IOException, InterruptedException {
        open("/sign-in");
        judge("sign-in");
        open("/join");
        judge("join");
        signIn();
        judge("fleet-empty");
        String id = createdThroughTheForm("Watched");
        open("/");
        mark();
        browser.await("window.loadedOnce && document.querySelector('tbody .running')");
        judge("fleet");

        browser.submit("tbody a");
        assertThat(browser.text("h1")).isEqualTo("Watched");
        browser.submit("form[action$='/stop'] button");
        mark();
        browser.await("window.loadedOnce && document.querySelector('#live .stopped')");
        browser.submit("form[action$='/start'] button");
        mark();
        browser.await("window.loadedOnce && document.querySelector('#live .running')");
        browser.type("form[action$='/scale'] [name=numReplicas]", "2");
        browser.submit("form[action$='/scale'] button");
        assertThat(program.getAsFirstKey(program.organizationUrl() + "/services/" + id)
                        .body())
                .contains("\"numReplicas\":2");

        browser.submit("form[action$='/backup'] button");
        program.await(
                program.organizationUrl() + "/services/" + id + "/backups",
                body -> body.contains("\"status\":\"done\""));
        open("/services/" + id);
        judge("service");
        browser.type("form[action$='/restore'] [name=name]", "Restored");
        browser.submit("form[action$='/restore'] button");
        assertThat(browser.text("#password")).hasSizeGreaterThan(10);
        browser.script("document.querySelector('#password').textContent = 'shown once'");
        judge("restored");
        open("/?name=Restored");
        browser.await("document.querySelector('tbody .running')");

        open("/query/" + id);
        browser.type("textarea", "SELECT 1");
        judge("query");

        program.createService("{\"name\": \"\"}");
        open("/requests?changes=true");
        assertThat(browser.text("tbody")).contains("POST", "400", "/state");
        judge("requests");
        browser.submit("tbody a");
        browser.script("document.querySelectorAll('details').forEach(each => each.open = true)");
        judge("request");

        browser.submit("form[action='/sign-out'] button");
        assertThat(browser.address()).endsWith("/sign-in");
        open("/services/" + id);
        assertThat(browser.address()).endsWith("/sign-in");
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void everyPageOfListsAndFormsIsForEverybody() throws IOException, InterruptedException {
        signIn();
        String made = program.createService("{\"name\": \"Seen\"}").body();
        String service = "/services/" + TestProgram.field(made.substring(made.indexOf("\"service\"")), "id");
        for (String page : List.of("pipes", "backups", "settings", "schedules", "timeline")) {
            open(service + "/" + page);
            judge("service-" + page);
        }
        open(service + "/new-pipe");
        judge("new-pipe");
        browser.submit("form:has(input[name=form][value=kafka]) button");
        assertThat(browser.address()).contains("/pipes/");
        judge("pipe");
        String pipe =
                program.organizationUrl() + browser.address().replaceAll(".*(/services/.*)/pipes/", "$1/clickpipes/");
        program.await(pipe, body -> body.contains("\"state\":\"Running\""));
        browser.type("form:has([name=form][value=scale]) [name=replicas]", "3");
        send("scale");
        program.await(pipe, body -> body.contains("\"replicas\":3"));
        for (String page :
                List.of("new-service", "alerts", "webhooks", "dashboards", "keys", "members", "roles", "activities")) {
            open("/" + page);
            assertThat(browser.text("h1")).isNotBlank();
            judge(page);
        }
        for (String thing : List.of("key", "member", "role")) {
            open("/" + thing + "s");
            browser.submit("tbody th a");
            assertThat(browser.address()).contains("/" + thing + "s/");
            judge(thing);
        }
        aMemberJoinsAndSignsIn();
    }

    private void aMemberJoinsAndSignsIn() throws IOException, InterruptedException {
        open("/members");
        browser.type("form:has([name=form][value=invite]) [name=email]", "ada@example.org");
        send("invite");
        String token = browser.text("#shown-token");
        open("/join");
        browser.type("[name=token]", token);
        browser.type("[name=name]", "Ada");
        browser.submit("main button[type=submit]");
        String secret = browser.text("#secret");
        browser.script("document.querySelector('#secret').textContent = 'shown once'");
        judge("joined");
        browser.submit("main a.button");
        browser.type("[name=keyId]", "ada@example.org");
        browser.type("[name=keySecret]", secret);
        browser.submit("main button");
        assertThat(browser.text("header form")).contains("ada@example.org");
    }

    /** The page is there in an emulator alone. */
    @Test
    void theControlsOfAnEmulatorAreForEverybody() throws StartRefused, IOException, InterruptedException {
        program.close();
        program = TestProgram.start(folder.resolve("emulator"), "--emulator", "--rate-limit", "0");
        signIn();
        browser.submit("header a[href='/emulator']");
        assertThat(browser.text("h1")).isEqualTo("Emulator");
        judge("emulator-empty");

        send("rate");
        send("plan");
        send("snapshot");
        assertThat(browser.text("main")).contains("lost-answers", "before", "Fork into a new organization");
        mark();
        browser.await("window.loadedOnce && document.querySelector('#live dl')");
        browser.script("document.querySelectorAll('details').forEach(each => each.open = true)");
        judge("emulator");

        send("fork");
        assertThat(browser.text("main")).contains("organizationId: is required");
        browser.await("document.activeElement.name === 'organizationId'");
        saysOnlyThatItWasRefused();
        judge("emulator-refused");
        Path plan = Files.writeString(folder.resolve("plan.json"), "{\"seed\": -1}");
        browser.type("form:has([value=plan]) input[type=file]", plan.toString());
        browser.await("document.querySelector('form:has([value=plan]) textarea').value.includes('-1')");
        send("plan");
        assertThat(browser.text("#fault-body")).contains("seed: must be");
        browser.await("document.activeElement.name === 'body'");
        saysOnlyThatItWasRefused();

        browser.type("[name=organizationId]", program.organizationUrl().replaceAll(".*/", ""));
        send("fork");
        assertThat(browser.text("h1")).isEqualTo("Done: Fork into a new organization");
        browser.script("document.querySelector(\"[id$='keySecret']\").textContent = 'shown once'");
        judge("emulator-forked");
    }

    @Test
    void anAlertFiresOnceAServiceFailsAndTheClockMovesOn() throws StartRefused, IOException, InterruptedException {
        program.close();
        program = TestProgram.start(folder.resolve("failing"), "--emulator", "--rate-limit", "0");
        signIn();
        String service = program.organizationUrl() + "/services/" + createdThroughTheForm("Failing");
        program.await(service, body -> body.contains("\"state\":\"running\""));
        open("/alerts");
        send("create");
        String alert = browser.address();
        assertThat(alert).contains("/alerts/");
        open("/emulator");
        browser.type("form:has([value=fault]) textarea", "{\"name\": \"broken\", \"effect\": \"service-failed\"}");
        send("fault");
        program.await(service, body -> body.contains("\"state\":\"failed\""));
        browser.type("form:has([value=forward]) [name=forwardSeconds]", "600");
        send("forward");
        browser.open(alert);
        mark();
        browser.await("window.loadedOnce && document.querySelector('#live .firing')");
        judge("alert-firing");
    }

    private void send(String form) throws IOException, InterruptedException {
        browser.submit("form:has(input[name=form][value=" + form + "]) button");
    }

    /** A browser itself notes each answer that is an error. */
    private void saysOnlyThatItWasRefused() throws IOException, InterruptedException {
        assertThat(browser.complaints()).singleElement().asString().contains("a status of 400");
    }

    @Test
    void aRealDatabaseIsPlottedAndQueriedForEverybody() throws StartRefused, IOException, InterruptedException {
        program.close();
        LocalProgram local = new LocalProgram();
        program = local.start(folder.resolve("local"), "--rate-limit", "0");
        signIn();
        String id = createdThroughTheForm("Plotted");
        open("/services/" + id);
        browser.await("document.querySelector('#live .running')");
        String key = TestProgram.field(
                program.getAsFirstKey(program.organizationUrl() + "/keys").body(), "id");
        open("/services/" + id + "/settings");
        browser.click("[name='openApiKeys:" + key + "']");
        browser.submit("form:has([name=form][value=queries]) button");

        open("/query/" + id);
        browser.type("textarea", "SELECT number, number * number AS square FROM numbers(20)");
        browser.submit("main form button");
        assertThat(browser.text("main"))
                .contains("square, from the first row to the last: from 0 to 361", "What you ran");
        judge("query-result");

        String plots = "/services/" + id + "/plots";
        local.advance(Duration.ofMinutes(1));
        Instant deadline = Instant.now().plus(Duration.ofSeconds(90));
        open(plots);
        while (!browser.text("main").contains("Memory now ")) {
            assertThat(Instant.now()).as(browser.text("main")).isBefore(deadline);
            local.advance(Duration.ofMinutes(1));
            open(plots);
        }
        browser.script("document.querySelectorAll('details').forEach(each => each.open = true)");
        judge("plots");
        open("/services/" + id);
        judge("service-plotted");
        open("/");
        assertThat(browser.text("tbody")).contains("MiB");
        judge("fleet-plotted");
    }
}
