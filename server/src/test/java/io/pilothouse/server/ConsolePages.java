package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Somebody at a browser without scripts: keeps cookies, follows a form's answer, and reads pages as documents. */
final class ConsolePages implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String base;
    private final HttpClient client = HttpClient.newHttpClient();
    private String cookie = "";

    ConsolePages(String base) {
        this.base = base;
    }

    /** Signed in with the first key. */
    static ConsolePages signedIn(TestProgram program) throws IOException, InterruptedException {
        return signedIn(program, program.credential("key_id"), program.credential("key_secret"));
    }

    static ConsolePages signedIn(TestProgram program, String keyId, String keySecret)
            throws IOException, InterruptedException {
        ConsolePages pages = new ConsolePages(program.running().urls().base());
        HttpResponse<String> answer = pages.signIn(keyId, keySecret);
        assertThat(answer.statusCode()).isEqualTo(303);
        return pages;
    }

    /** The browser of these pages, led to another process. */
    static ConsolePages withSessionOf(ConsolePages other, TestProgram program) {
        ConsolePages pages = new ConsolePages(program.running().urls().base());
        pages.cookie = other.cookie;
        return pages;
    }

    /** What proves the session. */
    String token() {
        return cookie.substring(cookie.indexOf('=') + 1);
    }

    HttpResponse<String> signIn(String keyId, String keySecret) throws IOException, InterruptedException {
        return post("/sign-in", Map.of("keyId", keyId, "keySecret", keySecret));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    /** A page that must be there. */
    Document page(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return document(answer);
    }

    HttpResponse<String> post(String path, Map<String, String> fields) throws IOException, InterruptedException {
        return send(posting(path, fields));
    }

    /** The same for a test that has more to say in the head. */
    HttpRequest.Builder posting(String path, Map<String, String> fields) {
        String body = fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        // By hand, because the JDK writes the cookies of a server in a form that no browser does.
        HttpRequest.Builder sent = cookie.isEmpty() ? request : request.header("Cookie", cookie);
        HttpResponse<String> answer = client.send(sent.build(), HttpResponse.BodyHandlers.ofString());
        answer.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.replaceFirst(";.*", ""));
        return answer;
    }

    /** The same for somebody who may stop waiting: to cancel it hangs up. */
    CompletableFuture<HttpResponse<String>> begin(HttpRequest.Builder request) {
        return client.sendAsync(request.header("Cookie", cookie).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Fills in the form of a page that is sent there, and sends it with everything that it holds already. */
    HttpResponse<String> submit(Document page, String action, Map<String, String> filled)
            throws IOException, InterruptedException {
        Element form = all(page.getDocumentElement(), "form").stream()
                .filter(each -> each.getAttribute("action").equals(action))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no form to " + action));
        Map<String, String> fields = new LinkedHashMap<>();
        all(form, "input").forEach(input -> fields.put(input.getAttribute("name"), input.getAttribute("value")));
        fields.putAll(filled);
        return post(action, fields);
    }

    /** The same for a page with several forms to one place: each says what it is called, and in a list for which line. */
    HttpResponse<String> send(Document page, String name, Map<String, String> filled)
            throws IOException, InterruptedException {
        Element form = all(page, "form").stream()
                .filter(each -> all(each, "input").stream()
                        .anyMatch(input -> input.getAttribute("name").equals("form")
                                && input.getAttribute("value").equals(name)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no form " + name));
        Map<String, String> fields = new LinkedHashMap<>();
        all(form, "input").stream()
                .filter(input -> !input.getAttribute("type").equals("checkbox") || input.hasAttribute("checked"))
                .forEach(input -> fields.put(input.getAttribute("name"), input.getAttribute("value")));
        all(form, "textarea").forEach(area -> fields.put(area.getAttribute("name"), area.getTextContent()));
        for (Element select : all(form, "select")) {
            all(select, "option").stream()
                    .filter(option -> option.hasAttribute("selected"))
                    .forEach(option -> fields.put(select.getAttribute("name"), option.getAttribute("value")));
        }
        fields.putAll(filled);
        return post(form.getAttribute("action"), fields);
    }

    /** Signed in with a key of these roles, in the words of the API. */
    static ConsolePages as(TestProgram program, String roles) throws IOException, InterruptedException {
        HttpResponse<String> made = program.send(program.management(program.organizationUrl() + "/keys")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Other\", " + roles + "}")));
        return signedIn(program, TestProgram.field(made.body(), "keyId"), TestProgram.field(made.body(), "keySecret"));
    }

    /** Signed in with the first key of another organization. */
    static ConsolePages ofOther(TestProgram program) throws IOException, InterruptedException {
        HttpResponse<String> other =
                program.send(program.management(program.credential("base_url") + "/v1/organizations")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Other\"}")));
        return signedIn(
                program, TestProgram.field(other.body(), "keyId"), TestProgram.field(other.body(), "keySecret"));
    }

    /** The id of a new service that runs. */
    static String running(TestProgram program, String name) throws IOException, InterruptedException {
        HttpResponse<String> made = program.createService("{\"name\": \"" + name + "\"}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        String id = TestProgram.field(made.body(), "id");
        program.await(program.organizationUrl() + "/services/" + id, body -> body.contains("\"state\":\"running\""));
        return id;
    }

    static Document document(HttpResponse<String> answer) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(answer.body())));
        } catch (ParserConfigurationException | SAXException e) {
            throw new AssertionError(answer.body(), e);
        }
    }

    static List<Element> all(Element within, String name) {
        NodeList found = within.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int at = 0; at < found.getLength(); at++) {
            elements.add((Element) found.item(at));
        }
        return elements;
    }

    static List<Element> all(Document page, String name) {
        return all(page.getDocumentElement(), name);
    }

    /** What every form of a page sends along, so that only pages of this program can. */
    static String token(Document page) {
        return all(page, "input").stream()
                .filter(input -> input.getAttribute("name").equals("token"))
                .findFirst()
                .orElseThrow()
                .getAttribute("value");
    }

    /** The text of a page, as somebody reads it. */
    static String text(Document page) {
        return page.getDocumentElement().getTextContent();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.close();
    }
}
