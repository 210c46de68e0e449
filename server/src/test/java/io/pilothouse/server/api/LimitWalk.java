package io.pilothouse.server.api;

import io.pilothouse.server.api.LimitDocument.Part;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes of a good request what breaks one limit of its schema at a time, and what just keeps it. */
final class LimitWalk {
    static final String AS_IT_IS = "as it is";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<JsonNode> OF_OTHER_TYPES =
            List.of(JSON.numberNode(5), JSON.stringNode("five"), JSON.nullNode());
    private static final int ENTRIES = 3;

    private final LimitDocument document;
    private final LimitValues values;
    private final JsonNode good;
    private final Set<Claim> settled;
    private final boolean parameters;
    private final Set<Claim> keptByGood = new LinkedHashSet<>();
    private final List<Trial> trials = new ArrayList<>();

    /** That a limit was kept or broken in a place of a request, whichever entry of a list it is in. */
    record Claim(String at, boolean kept, String limit) {
        Claim {
            at = at.replaceAll("\\[\\d+]", "[]");
        }
    }

    /** One request; {@code faults} are where its fault may be told, empty when it must be taken. */
    record Trial(String name, JsonNode value, List<String> faults, Set<Claim> claims) {}

    private LimitWalk(
            LimitDocument document, LimitValues values, JsonNode good, Set<Claim> settled, boolean parameters) {
        this.document = document;
        this.values = values;
        this.good = good;
        this.settled = settled;
        this.parameters = parameters;
    }

    /** What a good body shows that is not settled yet: the body itself is first. */
    static List<Trial> ofBody(
            LimitDocument document, LimitValues values, Part schema, JsonNode good, Set<Claim> settled) {
        LimitWalk walk = new LimitWalk(document, values, good, settled, false);
        walk.walk(List.of(schema), List.of(), false);
        return walk.all();
    }

    /** The same of parameters by their names, which go over the wire as texts. */
    static List<Trial> ofParameters(
            LimitDocument document, LimitValues values, Map<String, Part> schemas, JsonNode good) {
        LimitWalk walk = new LimitWalk(document, values, good, Set.of(), true);
        schemas.forEach((name, schema) -> walk.walk(List.of(schema), List.of(name), false));
        return walk.all();
    }

    private List<Trial> all() {
        List<Trial> all = new ArrayList<>();
        all.add(new Trial(AS_IT_IS, good, List.of(), keptByGood));
        all.addAll(trials);
        return all;
    }

    private void walk(List<Part> written, List<Object> at, boolean secretAround) {
        JsonNode value = LimitDocument.at(good, at);
        List<Part> parts = document.holding(written, value, path(at));
        boolean secret = secretAround
                || parts.stream()
                        .anyMatch(part -> part.schema().path("writeOnly").asBoolean(false));
        new Place(at, value, written, parts, secret ? "s" : "a").limits();
        Set<String> names = new TreeSet<>();
        parts.forEach(part -> names.addAll(part.schema().path("properties").propertyNames()));
        if (value.isObject()) {
            names.forEach(name -> walk(LimitDocument.member(parts, name), with(at, name), secret));
            List<Part> others = LimitDocument.inside(parts, "additionalProperties");
            value.propertyNames().stream()
                    .filter(name -> !names.contains(name) && !others.isEmpty())
                    .forEach(name -> walk(others, with(at, name), secret));
        }
        for (int i = 0; i < value.size() && value.isArray() && value.size() <= ENTRIES; i++) {
            walk(LimitDocument.inside(parts, "items"), with(at, i), secret);
        }
    }

    /** A place of the request: what is there, what holds there, and what a text there is filled with. */
    private final class Place {
        private final List<Object> at;
        private final JsonNode value;
        private final List<Part> written;
        private final List<Part> parts;
        private final String filling;

        private Place(List<Object> at, JsonNode value, List<Part> written, List<Part> parts, String filling) {
            this.at = at;
            this.value = value;
            this.written = written;
            this.parts = parts;
            this.filling = filling;
        }

        private void limits() {
            if (value.isMissingNode()) {
                values.sample(written, 1)
                        .filter(sample -> !sample.isContainer())
                        .ifPresent(sample -> good("something", sample));
            } else {
                keptByGood.addAll(kept(value));
            }
            types();
            for (Part part : parts) {
                for (String keyword : part.schema().propertyNames()) {
                    if (!settled(part, keyword)) {
                        limit(part, keyword, part.schema().path(keyword));
                    }
                }
            }
        }

        private boolean settled(Part part, String keyword) {
            return LimitDocument.limits(part, keyword).stream()
                    .allMatch(limit -> settled.contains(new Claim(path(at), true, limit))
                            && settled.contains(new Claim(path(at), false, broken(limit))));
        }

        /** Every limit that a value keeps, and of those that have an edge the ones that it is at. */
        private Set<Claim> kept(JsonNode kept) {
            return parts.stream()
                    .flatMap(part -> part.schema().propertyNames().stream()
                            .filter(keyword ->
                                    isKept(part, keyword, part.schema().path(keyword), kept))
                            .flatMap(keyword -> LimitDocument.limits(part, keyword).stream())
                            .filter(limit ->
                                    broken(limit).equals(limit) || limit.endsWith("/enum/" + kept.asString(""))))
                    .map(limit -> new Claim(path(at), true, limit))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        /** What holds on a condition says that something is given: any value shows it. */
        private boolean isKept(Part part, String keyword, JsonNode limit, JsonNode kept) {
            boolean edge = part.loose()
                    || switch (keyword) {
                        case "minimum", "maximum" -> LimitDocument.same(limit, kept);
                        case "minLength", "maxLength" -> kept.asString("").length() == limit.asInt();
                        case "minItems", "maxItems", "maxProperties" -> kept.size() == limit.asInt();
                        default -> true;
                    };
            return edge && document.keeps(keyword, limit, kept);
        }

        /** The next number that differs: beyond 2^53 whole ones are further apart than one. */
        private static double above(double limit, double step) {
            return Math.max(limit + step, Math.nextUp(limit));
        }

        private void types() {
            List<Part> typed = parts.stream()
                    .filter(part -> part.schema().has("type") && !settled(part, "type"))
                    .toList();
            boolean wire = !parameters || typed.stream().anyMatch(part -> is(part, "integer"));
            for (JsonNode other : wire ? OF_OTHER_TYPES : List.<JsonNode>of()) {
                List<Part> broken = typed.stream()
                        .filter(part -> !document.keeps("type", part.schema().path("type"), other))
                        .toList();
                boolean needed = !parameters && !document.fits(written, JSON.nullNode());
                if (!broken.isEmpty() && (other.isNull() ? needed : broken.size() == typed.size())) {
                    bad("of another type", other, broken, "type");
                }
            }
            for (Part part : typed) {
                if (is(part, "null")) {
                    values.sample(others(written, part), 1)
                            .ifPresent(sample -> bad("not null", sample, List.of(part), "type"));
                } else if (is(part, "integer")) {
                    double half = part.schema().path("minimum").asInt(0) + 0.5;
                    bad("half", JSON.numberNode(half), List.of(part), "type");
                }
            }
        }

        private void limit(Part part, String keyword, JsonNode limit) {
            switch (keyword) {
                case "required" -> limit.forEach(name -> without(part, name.asString()));
                case "enum" -> words(part, limit);
                case "const" -> constant(part, limit);
                case "not" -> not(part, limit);
                case "minimum" -> edge(part, keyword, limit.asDouble(), limit.asDouble() - step(part));
                case "maximum" -> edge(part, keyword, limit.asDouble(), above(limit.asDouble(), step(part)));
                case "multipleOf" -> {
                    double between = part.schema().path("minimum").asDouble() + 1;
                    bad("between", LimitValues.number(between), List.of(part), keyword);
                }
                case "minLength" -> length(part, keyword, limit.asInt(), limit.asInt() - 1);
                case "maxLength" -> length(part, keyword, limit.asInt(), limit.asInt() + 1);
                case "minItems" -> size(part, keyword, true, limit.asInt(), limit.asInt() - 1);
                case "maxItems" -> size(part, keyword, true, limit.asInt(), limit.asInt() + 1);
                case "maxProperties" -> size(part, keyword, false, limit.asInt(), limit.asInt() + 1);
                case "format" -> form(part, keyword);
                case "pattern" -> {
                    form(part, keyword);
                    longest(part);
                }
                case "propertyNames" -> {
                    ObjectNode badName = JSON.objectNode().put("a b", "c");
                    bad("a bad name", badName, List.of(part), keyword, "a b");
                }
                case "uniqueItems" -> {
                    JsonNode entry =
                            value.isEmpty() ? values.many(parts, true, 1).path(0) : value.path(0);
                    ArrayNode twice = JSON.arrayNode().add(entry).add(entry);
                    bad("the same twice", twice, List.of(part), keyword);
                }
                default -> {
                    // Types are tried together, and what is no limit LimitDocument knows.
                }
            }
        }

        private void without(Part part, String name) {
            if (value.isObject()) {
                ObjectNode without = (ObjectNode) value.deepCopy();
                without.remove(name);
                bad("without " + name, without, List.of(part), "required/" + name, name);
            }
        }

        private void words(Part part, JsonNode words) {
            JsonNode other = words.path(0).isNumber() ? JSON.numberNode(999_999) : JSON.stringNode("no-such-word");
            bad("another word", other, List.of(part), "enum");
            words.valueStream().filter(word -> !word.isNull()).forEach(word -> good("the word " + word, word));
        }

        private void constant(Part part, JsonNode constant) {
            if (constant.isBoolean()) {
                bad("another value", JSON.booleanNode(!constant.asBoolean()), List.of(part), "const");
            } else {
                document.holding(others(written, part), JSON.missingNode(), "").stream()
                        .flatMap(other -> other.schema().path("enum").valueStream())
                        .filter(word -> !LimitDocument.same(word, constant) && !word.isNull())
                        .findFirst()
                        .ifPresent(word -> bad("another value", word, List.of(part), "const"));
            }
        }

        private void not(Part part, JsonNode not) {
            if (not.has("required")) {
                ObjectNode with = (ObjectNode) value.deepCopy();
                not.path("required").forEach(name -> with.put(name.asString(), "a"));
                bad(
                        "with what excludes it",
                        with,
                        List.of(part),
                        "not",
                        not.at("/required/0").asString());
            } else if (not.has("const")) {
                bad("what may not be", not.path("const"), List.of(part), "not");
            } else if (not.has("enum")) {
                not.path("enum").forEach(word -> bad("not " + word, word, List.of(part), "not"));
            } else {
                form(part, "not");
            }
        }

        private double step(Part part) {
            return part.schema().path("multipleOf").asDouble(is(part, "integer") ? 1 : 0.25);
        }

        private void edge(Part part, String keyword, double edge, double beyond) {
            bad("beyond " + keyword, LimitValues.number(beyond), List.of(part), keyword);
            good("at " + keyword, LimitValues.number(edge));
        }

        private void length(Part part, String keyword, int edge, int beyond) {
            bad("beyond " + keyword, values.anyOfLength(parts, value, beyond, filling), List.of(part), keyword);
            if (!part.loose()) {
                values.ofLength(parts, value, edge, filling).ifPresent(text -> good("at " + keyword, text));
            }
        }

        private void size(Part part, String keyword, boolean list, int edge, int beyond) {
            bad("beyond " + keyword, values.many(parts, list, beyond), List.of(part), keyword);
            good("at " + keyword, values.many(parts, list, edge));
        }

        private void form(Part part, String keyword) {
            // A client sends no control character in a header.
            values.badText(part, keyword, parts, value, parameters ? " b" : "\u0007")
                    .ifPresent(text -> bad("of another form", text, List.of(part), keyword));
        }

        /** A pattern may hold a bound. */
        private void longest(Part part) {
            values.longest(part, value).ifPresent(longest -> {
                good("the longest", longest);
                int length = longest.asString().length() + 1;
                bad("longer", values.anyOfLength(List.of(part), value, length, "a"), List.of(part), "pattern");
            });
        }

        private void bad(String name, JsonNode bad, List<Part> broken, String limit, String... member) {
            Set<Claim> claims = broken.stream()
                    .map(part -> new Claim(path(at), false, part.pointer() + "/" + limit))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            List<Object> told = member.length == 0 ? at : with(at, member[0]);
            String first = path(parameters ? told.subList(0, 1) : told);
            List<String> faults = Stream.concat(
                            Stream.of(first), broken.stream().flatMap(part -> part.others().stream()))
                    .distinct()
                    .toList();
            trials.add(new Trial(name + ": " + first, LimitDocument.with(good, at, bad), faults, claims));
        }

        private void good(String name, JsonNode edge) {
            if (document.fits(written, edge)) {
                Set<Claim> claims = kept(edge);
                if (!settled.containsAll(claims)) {
                    trials.add(
                            new Trial(name + ": " + path(at), LimitDocument.with(good, at, edge), List.of(), claims));
                }
            }
        }
    }

    /** A limit as it is broken: an enumeration as a whole. */
    static String broken(String limit) {
        return limit.replaceAll("/enum/.*", "/enum");
    }

    private static List<Part> others(List<Part> parts, Part part) {
        return parts.stream()
                .filter(other -> !other.pointer().equals(part.pointer()))
                .toList();
    }

    private static boolean is(Part part, String type) {
        JsonNode types = part.schema().path("type");
        return types.isArray()
                ? types.valueStream().anyMatch(one -> one.asString().equals(type)) && !type.equals("null")
                : types.asString("").equals(type);
    }

    private static List<Object> with(List<Object> at, Object step) {
        return Stream.concat(at.stream(), Stream.of(step)).toList();
    }

    /** As the server tells it. */
    private static String path(List<Object> at) {
        StringBuilder path = new StringBuilder();
        for (Object step : at) {
            if (step instanceof Integer index) {
                path.append('[').append(index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step);
            }
        }
        return path.toString();
    }
}
