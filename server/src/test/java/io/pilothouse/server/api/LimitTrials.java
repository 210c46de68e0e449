package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Route;
import io.pilothouse.server.api.LimitDocument.Part;
import io.pilothouse.server.api.LimitWalk.Claim;
import io.pilothouse.server.api.LimitWalk.Trial;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Sends what breaks and what keeps each limit of a document, and remembers which ones held. A trial that another field
 * speaks against may succeed with the next good body; what none of them shows is wrong.
 */
final class LimitTrials {
    private static final int LARGE = 50_000;

    private final JsonNode json;
    private final JsonNode walked;
    private final LimitDocument document;
    private final LimitValues values;
    private final LimitGround ground;
    private final Set<String> limits = new TreeSet<>();
    private final Set<String> kept = new HashSet<>();
    private final Set<String> broken = new HashSet<>();
    private final Set<String> wrongs = new TreeSet<>();
    private int sent;

    /** {@code walked} is the document of an edition that was walked before, or missing. */
    LimitTrials(JsonNode json, JsonNode walked, LimitGround ground) {
        this.json = json;
        this.walked = walked;
        this.document = new LimitDocument(json);
        this.values = new LimitValues(document);
        this.ground = ground;
    }

    /** Unless another edition was walked that has the same limits there. */
    void of(Route route) {
        String pointer = "/paths/" + route.path().replace("/", "~1");
        String operation = pointer + "/" + route.verb().name().toLowerCase(Locale.ROOT);
        Part body = document.part(operation + "/requestBody/content/application~1json/schema");
        if (differs(document.limits(body))) {
            ofBody(route, body);
        }
        Map<String, Part> parameters = new LinkedHashMap<>();
        Stream.of(pointer + "/parameters", operation + "/parameters").forEach(list -> parameters(list, parameters));
        ofParameters(route, parameters);
    }

    private boolean differs(Set<String> limits) {
        return limits.stream()
                .map(limit -> limit.replaceAll("/(enum|required)/.*", "/$1"))
                .anyMatch(limit -> !json.at(limit).equals(walked.at(limit)));
    }

    /** The parameters of the query and the head; another form of one in the path is another path. */
    private void parameters(String list, Map<String, Part> found) {
        for (int i = 0; i < json.at(list).size(); i++) {
            JsonNode given = json.at(list).path(i);
            String at = given.has("$ref") ? given.path("$ref").asString().substring(1) : list + "/" + i;
            JsonNode parameter = json.at(at);
            if (!parameter.path("in").asString().equals("path")) {
                found.put(parameter.path("name").asString(), document.part(at + "/schema"));
            }
        }
    }

    private void ofBody(Route route, Part schema) {
        limits.addAll(document.limits(schema));
        Outcome outcome = new Outcome(route);
        for (JsonNode good : schema.schema().isMissingNode() ? List.<JsonNode>of() : ground.bodies(route)) {
            LimitGround.Target target = ground.target(route, good);
            List<Trial> trials = LimitWalk.ofBody(document, values, schema, good, outcome.settled);
            // One that is as large as may be shows that it is taken, and no more.
            for (Trial trial : good.toString().length() > LARGE ? trials.subList(0, 1) : trials) {
                if (!outcome.settled.containsAll(trial.claims()) || trial.name().equals(LimitWalk.AS_IT_IS)) {
                    boolean taken = outcome.tell(
                            trial,
                            target.caller(),
                            target.path(),
                            unique(trial.value().toString()));
                    target = taken ? ground.target(route, good) : target;
                }
            }
        }
        outcome.close();
    }

    private void ofParameters(Route route, Map<String, Part> schemas) {
        Set<String> found = new TreeSet<>();
        schemas.values()
                .forEach(schema -> document.limits(schema).stream()
                        // Over the wire everything is a text, and most texts that end a list are lists of one.
                        .filter(limit -> !limit.endsWith("/type")
                                || json.at(limit).asString().equals("integer"))
                        .forEach(found::add));
        if (!differs(found)) {
            return;
        }
        limits.addAll(found);
        JsonNode body = ground.bodies(route).getFirst();
        Outcome outcome = new Outcome(route);
        JsonNode good = ground.parameters(schemas.keySet());
        for (Trial trial : LimitWalk.ofParameters(document, values, schemas, good)) {
            LimitGround.Target target = ground.target(route, body);
            StringJoiner query = new StringJoiner("&", "?", "");
            ApiCaller caller = target.caller();
            for (Map.Entry<String, Part> parameter : schemas.entrySet()) {
                String name = parameter.getKey();
                JsonNode value = trial.value().path(name);
                String text = unique((value.isArray() ? value.path(0) : value).asString());
                String in = parameter.getValue().pointer().replaceAll("/schema$", "/in");
                if (json.at(in).asString().equals("header")) {
                    caller = caller.with(name, text);
                } else {
                    query.add(name + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
                }
            }
            outcome.tell(trial, caller, target.path() + query, body.toString());
        }
        outcome.close();
    }

    /** What the trials of one operation came to. */
    private final class Outcome {
        private final Route route;
        private final Set<Claim> settled = new HashSet<>();
        private final Map<Trial, String> open = new LinkedHashMap<>();

        private Outcome(Route route) {
            this.route = route;
        }

        /** Sends it, and says whether it was taken. */
        private boolean tell(Trial trial, ApiCaller caller, String path, String body) {
            sent++;
            boolean taken = false;
            String wrong = "";
            try {
                ApiAnswer answer = caller.send(route.verb().name(), path, body);
                taken = answer.status() == 200;
                wrong = wrong(trial, answer);
            } catch (AssertionError judged) {
                wrong = "judged: " + judged.getMessage();
            }
            if (wrong.isEmpty()) {
                settled.addAll(trial.claims());
            } else {
                open.put(trial, wrong);
            }
            return taken;
        }

        private String wrong(Trial trial, ApiAnswer answer) {
            boolean right = trial.faults().isEmpty()
                    ? answer.status() == 200
                    : answer.status() == 400 && trial.faults().stream().anyMatch(at -> tells(answer, at));
            return right ? "" : answer.status() + " " + ground.faults(answer) + " " + answer;
        }

        /** What is missing as a whole may be told of by its members. */
        private boolean tells(ApiAnswer answer, String at) {
            return ground.faults(answer).stream()
                    .anyMatch(fault -> at.isEmpty() || fault.equals(at) || fault.startsWith(at + "."));
        }

        private void close() {
            Set<String> told = new HashSet<>();
            open.forEach((trial, wrong) -> {
                boolean shown = !trial.claims().isEmpty() && settled.containsAll(trial.claims());
                if (!shown && told.add(trial.name())) {
                    wrongs.add(route.operationId() + " " + trial.name() + " -> " + shortened(wrong));
                }
            });
            settled.forEach(claim -> (claim.kept() ? kept : broken).add(claim.limit()));
        }
    }

    /** The word that stands for one that was not used before. */
    private String unique(String text) {
        return text.replace("unique", String.format(Locale.ROOT, "u%05d", sent));
    }

    private static String shortened(String whole) {
        return whole.length() > 500 ? whole.substring(0, 500) + "..." : whole;
    }

    /** How many limits held; each exception is a pattern of what is wrong, and must be needed. */
    int requireAllHeld(Map<String, String> exceptions) {
        for (String limit : limits) {
            if (!kept.contains(limit)) {
                wrongs.add("no request keeps " + limit);
            }
            if (!broken.contains(LimitWalk.broken(limit))) {
                wrongs.add("no request breaks " + limit);
            }
        }
        for (String exception : exceptions.keySet()) {
            if (!wrongs.removeIf(wrong -> wrong.matches(exception + ".*"))) {
                wrongs.add("the exception is not needed: " + exception);
            }
        }
        assertThat(wrongs).isEmpty();
        return limits.size();
    }
}
