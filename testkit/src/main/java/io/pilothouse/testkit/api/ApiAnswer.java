package io.pilothouse.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** An answer as it arrived over the wire, with the questions that tests ask. Header names are in lower case. */
public final class ApiAnswer {
    private static final Pattern SECRET =
            Pattern.compile("(\"(?:password|keySecret|token|accessToken|signingSecret)\"\\s*:\\s*\")[^\"]*");

    private static final int MAX_SHOWN = 2_000;

    private final String request;
    private final int status;
    private final Map<String, List<String>> headers;
    private final String text;
    private final JsonNode json;

    /** {@code request} names the request in the message of an assertion that fails. */
    ApiAnswer(String request, int status, Map<String, List<String>> headers, String text) {
        this.request = request;
        this.status = status;
        this.headers = headers;
        this.text = text;
        this.json = isJson(headers)
                ? new ContractJson().read(text.getBytes(StandardCharsets.UTF_8))
                : MissingNode.getInstance();
    }

    private static boolean isJson(Map<String, List<String>> headers) {
        return headers.getOrDefault("content-type", List.of()).stream().anyMatch(type -> type.contains("json"));
    }

    public int status() {
        return status;
    }

    public @Nullable String header(String name) {
        List<String> values = headers.getOrDefault(name, List.of());
        return values.isEmpty() ? null : String.join(", ", values);
    }

    /** A header that must be there. */
    public String need(String name) {
        String value = header(name);
        assertThat(value).as("the header %s of %s", name, this).isNotNull();
        return value == null ? "" : value;
    }

    public String text() {
        return text;
    }

    /** The body; missing when it is no JSON. */
    public JsonNode json() {
        return json;
    }

    /** The result of a success. */
    public JsonNode ok() {
        assertThat(status).as("the status of %s", this).isEqualTo(200);
        return json.path("result");
    }

    /** The content of a success of the alerts interface, which has no envelope. */
    public JsonNode data() {
        assertThat(status).as("the status of %s", this).isEqualTo(200);
        return json.path("data");
    }

    /** A refusal of the alerts interface: its message and nothing else. */
    public String message(int wanted) {
        assertThat(status).as("the status of %s", this).isEqualTo(wanted);
        assertThat(json.properties()).as("the members of %s", this).hasSize(1);
        return json.path("message").asString();
    }

    /** A refusal, with the code word that its sentence begins with. */
    public ApiAnswer refused(int wanted, String code) {
        assertThat(status).as("the status of %s", this).isEqualTo(wanted);
        assertThat(json.path("error").asString("")).as("the error of %s", this).startsWith(code + ": ");
        return this;
    }

    /** The message of each fault by its path, in the order in which they were reported. */
    public Map<String, String> faults() {
        refused(400, "BAD_REQUEST");
        Map<String, String> faults = new LinkedHashMap<>();
        for (JsonNode fault : details()) {
            String path = fault.path("path").asString();
            faults.merge(path, fault.path("message").asString(), (first, second) -> first + "; " + second);
        }
        return faults;
    }

    private List<JsonNode> details() {
        List<JsonNode> details = new ArrayList<>();
        json.path("details").forEach(details::add);
        return details;
    }

    /** A bad request with faults at these paths and nowhere else. */
    public Map<String, String> faultsAt(String... paths) {
        Map<String, String> faults = faults();
        assertThat(faults.keySet()).as("the faulty paths of %s", this).containsExactlyInAnyOrder(paths);
        return faults;
    }

    @Override
    public String toString() {
        return shortened(request) + " -> " + status + " " + shortened(text);
    }

    private static String shortened(String whole) {
        String shown = SECRET.matcher(whole).replaceAll("$1...");
        return shown.length() > MAX_SHOWN ? shown.substring(0, MAX_SHOWN) + "..." : shown;
    }
}
