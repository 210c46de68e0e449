package io.pilothouse.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds the schemas of a document that hold for a value, and every limit that stands in them. */
final class LimitDocument {
    private static final JsonNode MISSING = JsonNodeFactory.instance.missingNode();
    private static final Set<String> NO_LIMITS =
            Set.of("description", "default", "deprecated", "writeOnly", "examples", "if");
    private static final Set<String> STRUCTURE =
            Set.of("$ref", "properties", "items", "additionalProperties", "then", "else", "allOf", "anyOf", "oneOf");

    private final JsonNode document;

    LimitDocument(JsonNode document) {
        this.document = document;
    }

    /**
     * A schema and where the document has it. An alternative among others is broken as a whole, and what holds on a
     * condition may be broken by the condition: the fault may be told at these {@code others} too.
     */
    record Part(String pointer, JsonNode schema, List<String> others) {
        Part inside(String step) {
            return inside(step, List.of());
        }

        Part inside(String step, List<String> more) {
            return new Part(
                    pointer + "/" + step.replace("~", "~0").replace("/", "~1"),
                    schema.isArray() ? schema.path(Integer.parseInt(step)) : schema.path(step),
                    Stream.concat(others.stream(), more.stream()).toList());
        }

        boolean conditional() {
            return pointer.contains("/then") || pointer.contains("/else");
        }

        /** It says that something is given: where a bound is at its edge does not matter. */
        boolean loose() {
            return conditional() || !others.isEmpty();
        }
    }

    Part part(String pointer) {
        return new Part(pointer, document.at(pointer), List.of());
    }

    /** All limits of a schema, down to its leaves; an enumeration has one for each word, unless it holds sometimes only. */
    Set<String> limits(Part part) {
        Set<String> found = new TreeSet<>();
        collect(part, found, new TreeSet<>());
        return found;
    }

    private void collect(Part part, Set<String> found, Set<String> seen) {
        if (!seen.add(part.pointer())) {
            return;
        }
        for (Map.Entry<String, JsonNode> keyword : part.schema().properties()) {
            Part inside = part.inside(keyword.getKey());
            switch (keyword.getKey()) {
                case "$ref" -> collect(target(keyword.getValue(), List.of()), found, seen);
                case "properties" ->
                    keyword.getValue().propertyNames().forEach(name -> collect(inside.inside(name), found, seen));
                case "items", "additionalProperties", "then", "else" -> collect(inside, found, seen);
                case "allOf", "anyOf", "oneOf" ->
                    alternatives(inside, List.of()).forEach(one -> collect(one, found, seen));
                default -> found.addAll(limits(part, keyword.getKey()));
            }
        }
    }

    /** The limits that one word of a schema makes. */
    static List<String> limits(Part part, String keyword) {
        String at = part.pointer() + "/" + keyword;
        JsonNode limit = part.schema().path(keyword);
        return switch (keyword) {
            case "required" ->
                limit.valueStream().map(name -> at + "/" + name.asString()).toList();
            case "enum" ->
                part.conditional()
                        ? List.of(at)
                        : limit.valueStream()
                                .filter(word -> !word.isNull())
                                .map(word -> at + "/" + word.asString())
                                .toList();
            case "type",
                    "const",
                    "not",
                    "format",
                    "pattern",
                    "propertyNames",
                    "uniqueItems",
                    "multipleOf",
                    "minimum",
                    "maximum",
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties" -> List.of(at);
            default -> {
                if (NO_LIMITS.contains(keyword) || STRUCTURE.contains(keyword)) {
                    yield List.of();
                }
                throw new AssertionError("Nothing here knows the limit " + at);
            }
        };
    }

    private Part target(JsonNode reference, List<String> others) {
        String pointer = reference.asString().substring(1);
        return new Part(pointer, document.at(pointer), others);
    }

    /** All but null, which says no more than that the value may be left out. */
    private static List<Part> alternatives(Part among, List<String> others) {
        List<Part> all = new ArrayList<>();
        for (int i = 0; i < among.schema().size(); i++) {
            Part one = among.inside(Integer.toString(i), others);
            if (!isNull(one.schema())) {
                all.add(one);
            }
        }
        return all;
    }

    private static boolean isNull(JsonNode schema) {
        return schema.path("type").asString("").equals("null");
    }

    /** The schemas and those they refer to, as far as they hold for a value like this. */
    List<Part> holding(List<Part> parts, JsonNode value, String at) {
        List<Part> all = new ArrayList<>();
        parts.forEach(part -> add(part, value, at, all));
        return all;
    }

    private void add(Part part, JsonNode value, String at, List<Part> all) {
        JsonNode schema = part.schema();
        all.add(part);
        if (schema.has("$ref")) {
            add(target(schema.path("$ref"), part.others()), value, at, all);
        }
        if (schema.has("if") && !value.isMissingNode()) {
            String then = fits(schema.path("if"), value) ? "then" : "else";
            List<String> subjects = schema.at("/if/properties").propertyNames().stream()
                    .map(name -> at.isEmpty() ? name : at + "." + name)
                    .toList();
            if (schema.has(then)) {
                add(part.inside(then, subjects), value, at, all);
            }
        }
        for (int i = 0; i < schema.path("allOf").size(); i++) {
            add(part.inside("allOf").inside(Integer.toString(i)), value, at, all);
        }
        for (String word : List.of("anyOf", "oneOf")) {
            boolean choice = alternatives(part.inside(word), List.of()).size() > 1;
            for (Part one : alternatives(part.inside(word), choice ? List.of(at) : List.of())) {
                if (!choice || fits(one.schema(), value)) {
                    add(one, value, at, all);
                }
            }
        }
    }

    /** What holds for a member of an object, or for the entries of a list. */
    static List<Part> member(List<Part> parts, String name) {
        return parts.stream()
                .filter(part -> part.schema().path("properties").has(name))
                .map(part -> part.inside("properties").inside(name))
                .toList();
    }

    static List<Part> inside(List<Part> parts, String word) {
        return parts.stream()
                .filter(part -> part.schema().has(word))
                .map(part -> part.inside(word))
                .toList();
    }

    boolean fits(List<Part> parts, JsonNode value) {
        return parts.stream().allMatch(part -> fits(part.schema(), value));
    }

    boolean fits(JsonNode schema, JsonNode value) {
        return !value.isMissingNode()
                && schema.propertyNames().stream().allMatch(keyword -> keeps(keyword, schema.path(keyword), value));
    }

    /** Whether a value keeps what one word of a schema says; the words that this test has no use for say nothing. */
    boolean keeps(String keyword, JsonNode limit, JsonNode value) {
        return switch (keyword) {
            case "$ref" -> fits(target(limit, List.of()).schema(), value);
            case "allOf" -> limit.valueStream().allMatch(one -> fits(one, value));
            case "anyOf", "oneOf" -> limit.valueStream().anyMatch(one -> fits(one, value));
            case "not" -> !fits(limit, value);
            case "type" ->
                limit.isArray()
                        ? limit.valueStream().anyMatch(type -> is(value, type.asString()))
                        : is(value, limit.asString());
            case "enum" -> limit.valueStream().anyMatch(word -> same(word, value));
            case "const" -> same(limit, value);
            case "required" -> !value.isObject() || limit.valueStream().allMatch(name -> value.has(name.asString()));
            case "properties" ->
                limit.propertyStream()
                        .allMatch(member ->
                                !value.has(member.getKey()) || fits(member.getValue(), value.path(member.getKey())));
            case "minimum" -> !value.isNumber() || value.asDouble() >= limit.asDouble();
            case "maximum" -> !value.isNumber() || value.asDouble() <= limit.asDouble();
            case "multipleOf" -> !value.isNumber() || value.asDouble() % limit.asDouble() == 0;
            case "minLength" -> !value.isString() || length(value) >= limit.asInt();
            case "maxLength" -> !value.isString() || length(value) <= limit.asInt();
            case "pattern" ->
                !value.isString()
                        || Pattern.compile(limit.asString())
                                .matcher(value.asString())
                                .find();
            case "format" -> !value.isString() || isOf(limit.asString(), value.asString());
            case "minItems" -> !value.isArray() || value.size() >= limit.asInt();
            case "maxItems" -> !value.isArray() || value.size() <= limit.asInt();
            case "minProperties" -> !value.isObject() || value.size() >= limit.asInt();
            case "maxProperties" -> !value.isObject() || value.size() <= limit.asInt();
            default -> true;
        };
    }

    private static int length(JsonNode text) {
        return text.asString().codePointCount(0, text.asString().length());
    }

    private static boolean is(JsonNode value, String type) {
        return switch (type) {
            case "null" -> value.isNull();
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "number" -> value.isNumber();
            case "integer" -> value.isNumber() && value.asDouble() == Math.rint(value.asDouble());
            default -> throw new AssertionError("Nothing here knows the type " + type);
        };
    }

    static boolean same(JsonNode one, JsonNode other) {
        return (one.isNumber() && other.isNumber()) ? one.asDouble() == other.asDouble() : one.equals(other);
    }

    private static boolean isOf(String format, String text) {
        return switch (format) {
            case "uuid" ->
                text.length() == 36 && UUID.fromString(text).toString().equalsIgnoreCase(text);
            case "date-time" -> text.endsWith("Z");
            case "date" -> text.matches("\\d{4}-\\d{2}-\\d{2}");
            default -> throw new AssertionError("Nothing here knows the format " + format);
        };
    }

    /** What is in a place of a value. */
    static JsonNode at(JsonNode value, List<Object> at) {
        JsonNode node = value;
        for (Object step : at) {
            node = step instanceof Integer index ? node.path(index) : node.path((String) step);
        }
        return node == null ? MISSING : node;
    }

    /** The same value with another one in this place. */
    static JsonNode with(JsonNode around, List<Object> at, JsonNode value) {
        if (at.isEmpty()) {
            return value;
        }
        JsonNode copy = around.deepCopy();
        JsonNode holder = at(copy, at.subList(0, at.size() - 1));
        if (at.getLast() instanceof Integer index) {
            holder.asArray().set(index, value);
        } else {
            ((ObjectNode) holder).set((String) at.getLast(), value);
        }
        return copy;
    }
}
