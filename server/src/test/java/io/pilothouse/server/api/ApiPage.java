package io.pilothouse.server.api;

import io.pilothouse.http.api.Operation;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * A page about the API while it is written: each step is a real request to a running program, shown with its real
 * answer. Time moves only between steps, so that every run shows the same.
 */
final class ApiPage {
    private static final Duration BETWEEN_WRITES = Duration.ofSeconds(1);
    private static final Duration BETWEEN_SECTIONS = Duration.ofMinutes(10);

    /** In how many steps time passes: a walk of several phases takes one for each. */
    private static final int STEPS = 5;

    private final House house;
    private final ApiCredentials key;
    private final ApiCredentials token;
    private final StringBuilder text = new StringBuilder();
    private final ApiPageText shown;
    private final Map<String, String> ids = new LinkedHashMap<>();
    private final Set<Operation> done = EnumSet.noneOf(Operation.class);
    private final Map<String, Instant> sections = new HashMap<>();
    private String section = "";

    ApiPage(House house, ApiPageText shown) {
        this.house = house;
        this.key = house.root().credentials();
        this.token = ApiCredentials.bearer(house.alertsToken());
        this.shown = shown;
        ids.put("organizationId", house.homeId());
        shown.show("/v1/organizations/" + house.homeId(), "/v1/organizations/{organizationId}");
    }

    void words(String paragraphs) {
        text.append(paragraphs).append('\n');
    }

    /** A line of what the run said. */
    void line(String said) {
        text.append(shown.line(said)).append('\n');
    }

    void json(String said) {
        JsonNode body = ApiJson.read(said.getBytes(StandardCharsets.UTF_8));
        text.append("```json\n").append(shown.answer(body, true)).append("\n```\n");
    }

    /** Begins a section, at a time that does not depend on how long the one before was. */
    void section(String title) {
        long tens = house.time.now().getEpochSecond() / BETWEEN_SECTIONS.toSeconds() + 1;
        house.letPass(Duration.between(house.time.now(), Instant.ofEpochSecond(tens * BETWEEN_SECTIONS.toSeconds())));
        section = title;
        sections.put(title, house.time.now());
        text.append("\n## ").append(title).append('\n');
    }

    /** When a section began. */
    Instant began(String title) {
        return Objects.requireNonNull(sections.get(title), title);
    }

    /** Names an id for the paths and bodies that follow. */
    void is(String name, JsonNode id) {
        ids.put(name, id.asString());
    }

    void letPass(Duration time) {
        for (int step = 0; step < STEPS; step++) {
            house.letPass(time.dividedBy(STEPS));
        }
    }

    Step of(Operation operation) {
        return new Step(operation);
    }

    /** The operations that were shown with a success. */
    Set<Operation> done() {
        return done;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** One request: as the document has it, unless a caller changes it. */
    final class Step {
        private final Operation operation;
        private final ApiDocument document;
        private String heading;
        private String words;
        private String query = "";
        private final Map<String, String> headers = new LinkedHashMap<>();
        private @Nullable String body;
        private ApiCredentials credentials;
        private Duration pause = BETWEEN_WRITES;

        private Step(Operation operation) {
            this.operation = operation;
            this.document = operation.ofAlerts() ? ApiDocument.ALERTS : ApiDocument.MANAGEMENT;
            JsonNode described = document.operation(operation.name());
            this.heading = described.path("summary").asString();
            this.words = described.path("description").asString();
            this.credentials = operation.ofAlerts() ? token : key;
            this.body = document.example(operation.name());
        }

        Step named(String other) {
            heading = other;
            words = "";
            return this;
        }

        Step saying(String other) {
            words = other;
            return this;
        }

        /** The next step is at the same moment. */
        Step atOnce() {
            pause = Duration.ZERO;
            return this;
        }

        Step asNobody() {
            credentials = ApiCredentials.NONE;
            return this;
        }

        Step query(String given) {
            query = "?" + given;
            return this;
        }

        Step with(String header, String value) {
            headers.put(header, value);
            return this;
        }

        /** With single quotes; an id that was kept stands in braces. */
        Step body(String singleQuoted) {
            body = ApiJson.text(singleQuoted);
            return this;
        }

        /** Keeps the id of what was made, for the paths and bodies that follow. */
        Step keep(String name, String pointer) {
            is(name, answered().at(pointer));
            return this;
        }

        /** Does it and shows it; gives what a success holds. */
        JsonNode answered() {
            ApiAnswer answer = send();
            done.add(operation);
            JsonNode result = operation.ofAlerts() ? answer.data() : answer.ok();
            write(answer.json());
            return result;
        }

        /** Does it and shows how it was refused. */
        void refused(int status) {
            ApiAnswer answer = send();
            if (answer.status() != status) {
                throw new AssertionError(heading + ": " + answer);
            }
            write(answer.json());
        }

        /** Does it and shows of the answer what its outermost members are called. */
        void abridged() {
            ApiAnswer answer = send();
            done.add(operation);
            ObjectNode outline = (ObjectNode) answer.json().deepCopy();
            outline.properties().stream()
                    .filter(member -> member.getValue().isContainer())
                    .forEach(member -> member.setValue(StringNode.valueOf("…")));
            write(outline);
        }

        /** Does what is answered in plain text, and shows it. */
        void said() {
            ApiAnswer answer = send();
            answer.ok();
            done.add(operation);
            write(() -> "```\n" + shown.line(answer.text()) + "```\n");
        }

        /** Does it without a word on the page. */
        JsonNode quietly() {
            ApiAnswer answer = send();
            return operation.ofAlerts() ? answer.data() : answer.ok();
        }

        private String filled(String template) {
            String filled = template;
            for (Map.Entry<String, String> id : ids.entrySet()) {
                filled = filled.replace("{" + id.getKey() + "}", id.getValue());
            }
            return filled;
        }

        private boolean isOneThing() {
            return operation.verb() == Verb.GET && operation.path().endsWith("}");
        }

        private String target() {
            return filled(operation.path()) + query;
        }

        private ApiAnswer send() {
            ApiCaller caller = operation.ofAlerts() ? house.alertsAs(credentials) : house.as(credentials);
            for (Map.Entry<String, String> header : headers.entrySet()) {
                caller = caller.with(header.getKey(), header.getValue());
            }
            // The client of these tests names its version of Java, which would make the page differ from machine to
            // machine.
            caller = caller.with("User-Agent", "curl/8.5.0");
            String sent = body == null ? null : shown.real(filled(body));
            ApiAnswer answer = caller.send(operation.verb().name(), target(), sent);
            if (operation.verb() != Verb.GET) {
                house.letPass(pause);
            }
            return answer;
        }

        private void write(JsonNode answer) {
            write(() -> "```json\n" + shown.answer(answer, isOneThing()) + "\n```\n");
        }

        private void write(Supplier<String> answer) {
            shown.at(section, heading);
            text.append("\n### ")
                    .append(heading)
                    .append("\n`")
                    .append(operation)
                    .append('`');
            text.append(words.isEmpty() ? "" : " · " + words).append("\n\n```\n");
            text.append(operation.verb())
                    .append(' ')
                    .append(shown.line(target()))
                    .append('\n');
            headers.forEach((name, value) ->
                    text.append(name).append(": ").append(value).append('\n'));
            if (body != null) {
                JsonNode sent = ApiJson.read(filled(body).getBytes(StandardCharsets.UTF_8));
                text.append(shown.request(sent)).append('\n');
            }
            text.append("```\n").append(answer.get());
        }
    }
}
