package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.testkit.PrintedPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** Debian's chromium, driven over the W3C's WebDriver protocol; where it is missing its tests are skipped. */
final class WebBrowser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Pattern LISTENING = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** Longer than the waits in a page, so that those say what they waited for. */
    private static final Duration HANGS = Duration.ofMinutes(3);

    private static final Duration TO_END = Duration.ofSeconds(20);

    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

    private static final List<String> SWITCHES = List.of(
            "--headless=new",
            // Tests run as root in containers, where its sandbox cannot be made.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--window-size=1280,1000");

    private final Process driver;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String session;

    private WebBrowser(Process driver, int port) throws IOException, InterruptedException {
        this.driver = driver;
        String sessions = "http://127.0.0.1:" + port + "/session";
        Tree.Members made =
                ask("POST", sessions, capabilities()).members("value").orElseThrow();
        this.session = sessions + "/" + made.text("sessionId").orElseThrow();
        send("/timeouts", "{\"script\": " + PATIENCE.toMillis() + "}");
    }

    static WebBrowser start() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(CHROMIUM), "There is no " + CHROMIUM);
        Assumptions.assumeTrue(Files.isExecutable(DRIVER), "There is no " + DRIVER);
        Process driver = new ProcessBuilder(DRIVER.toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        try {
            return new WebBrowser(driver, PrintedPort.await(driver, LISTENING));
        } catch (IOException | InterruptedException | RuntimeException | AssertionError broken) {
            driver.destroy();
            throw broken;
        }
    }

    private static String capabilities() {
        String switches = String.join("\", \"", SWITCHES);
        return """
                {"capabilities": {"alwaysMatch": {
                    "goog:chromeOptions": {"binary": "%s", "args": ["%s"]},
                    "goog:loggingPrefs": {"browser": "ALL"}}}}""".formatted(CHROMIUM, switches);
    }

    void open(String url) throws IOException, InterruptedException {
        send("/url", object("url", url));
    }

    String address() throws IOException, InterruptedException {
        return ask("GET", session + "/url", "").text("value").orElse("");
    }

    /** Types into the field that this selector of CSS finds. */
    void type(String selector, String text) throws IOException, InterruptedException {
        send("/element/" + element(selector) + "/clear", "{}");
        send("/element/" + element(selector) + "/value", object("text", text));
    }

    /** Clicks where a person would; something that covers it is an error. */
    void click(String selector) throws IOException, InterruptedException {
        send("/element/" + element(selector) + "/click", "{}");
    }

    /** Clicks what sends a form, and returns when the page that answers it is there. */
    void submit(String selector) throws IOException, InterruptedException {
        script("window.before = true");
        click(selector);
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!script("return !window.before && document.readyState === 'complete'")
                .flag("value")) {
            assertThat(Instant.now()).as("the answer of %s", selector).isBefore(deadline);
        }
    }

    String text(String selector) throws IOException, InterruptedException {
        return ask("GET", session + "/element/" + element(selector) + "/text", "")
                .text("value")
                .orElse("");
    }

    private String element(String selector) throws IOException, InterruptedException {
        return send(
                        "/element",
                        "{\"using\": \"css selector\", "
                                + object("value", selector).substring(1))
                .members("value")
                .flatMap(value -> value.text(ELEMENT))
                .orElseThrow();
    }

    /** Waits in the page, which must stay the same one, until this expression of its script is true. */
    void await(String expression) throws IOException, InterruptedException {
        run(
                "/execute/async",
                "const done = arguments[0]; const look = () => (" + expression
                        + ") ? done(true) : setTimeout(look, 50); look();");
    }

    /** What a script of the test returns; it runs in the page, but not as a script of the page. */
    Tree.Members script(String text) throws IOException, InterruptedException {
        return run("/execute/sync", text);
    }

    /** The same for a script that calls its last argument when it has ended. */
    Tree.Members awaited(String text) throws IOException, InterruptedException {
        return run("/execute/async", text);
    }

    private Tree.Members run(String how, String text) throws IOException, InterruptedException {
        return send(how, "{\"args\": [], " + object("script", text).substring(1));
    }

    /** As somebody sees it who prefers this colour scheme. */
    void theme(String name) throws IOException, InterruptedException {
        develop("Emulation.setEmulatedMedia", """
                {"features": [{"name": "prefers-color-scheme", "value": "%s"}]}""".formatted(name));
    }

    void size(int width, int height) throws IOException, InterruptedException {
        develop("Emulation.setDeviceMetricsOverride", """
                {"width": %s, "height": %s, "deviceScaleFactor": 1, "mobile": false}""".formatted(width, height));
    }

    private void develop(String command, String parameters) throws IOException, InterruptedException {
        send("/goog/cdp/execute", "{\"cmd\": \"" + command + "\", \"params\": " + parameters + "}");
    }

    void screenshot(Path file) throws IOException, InterruptedException {
        Files.createDirectories(file.getParent());
        String image = ask("GET", session + "/screenshot", "").text("value").orElseThrow();
        Files.write(file, Base64.getDecoder().decode(image));
    }

    /** What its console says since the last call: errors of scripts, what a policy held back, what could not load. */
    List<String> complaints() throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        for (Tree.Members line : send("/se/log", object("type", "browser")).objects("value")) {
            found.add(line.text("level").orElse("") + " " + line.text("message").orElse(""));
        }
        return found;
    }

    private static String object(String name, String value) {
        return new String(
                JsonWriter.document(out -> {
                    out.startObject();
                    out.text(name, value);
                    out.endObject();
                }),
                StandardCharsets.UTF_8);
    }

    private Tree.Members send(String path, String body) throws IOException, InterruptedException {
        return ask("POST", session + path, body);
    }

    private Tree.Members ask(String method, String url, String body) throws IOException, InterruptedException {
        HttpRequest.BodyPublisher sent =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        HttpResponse<byte[]> answer = client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(HANGS)
                        .method(method, sent)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        Tree.Members document = JsonReader.readObject(answer.body(), new Faults());
        assertThat(answer.statusCode()).as("%s %s: %s", url, body, document).isEqualTo(200);
        return document;
    }

    @Override
    public void close() throws IOException {
        try {
            ask("DELETE", session, "");
        } catch (InterruptedException interrupted) {
            // Its processes end all the same.
            Thread.currentThread().interrupt();
        } finally {
            client.close();
            driver.destroy();
            driver.onExit()
                    .completeOnTimeout(driver, TO_END.toSeconds(), TimeUnit.SECONDS)
                    .join();
            driver.destroyForcibly();
        }
    }
}
