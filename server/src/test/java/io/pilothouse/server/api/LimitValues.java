package io.pilothouse.server.api;

import io.pilothouse.server.api.LimitDocument.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes values that keep schemas, and values that break one word of one of them. */
final class LimitValues {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int MAX_OF_A_PATTERN = 300;

    /** Texts of every form that the documents ask for; with a number in them, they differ. */
    private static final List<String> TEXTS = List.of(
            "fd00::%d",
            "a%d",
            "a-text-of-more-than-sixteen-%d",
            "00000000-0000-4000-8000-%012d",
            "apiKey/00000000-0000-4000-8000-%012d",
            "instance/00000000-0000-4000-8000-%012d",
            "2030-01-01T00:00:00Z",
            "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
            "94bdcebe19083ce2a1f959fd02f964c7af4cfc29",
            "abcd",
            "https://hooks.example.org/%d",
            "projects/p/regions/r/serviceAttachments/a%d",
            "2:00",
            "2026-01-01T00:00",
            "tag:a%d=b",
            "n%d.unique.example.org");

    private static final List<String> BAD_TEXTS = List.of("a!`b", "a b", " ", "x", "~", "\u00e9", "zzzzz", "");

    private final LimitDocument document;
    private final Map<String, JsonNode> many = new HashMap<>();

    LimitValues(LimitDocument document) {
        this.document = document;
    }

    /** The least that fits schemas; {@code number} makes it differ from others. */
    Optional<JsonNode> sample(List<Part> written, int number) {
        List<Part> parts = document.holding(written, JSON.missingNode(), "");
        return Stream.<Stream<? extends JsonNode>>of(
                        parts.stream()
                                .flatMap(part -> part.schema().path("enum").valueStream()),
                        texts(number).map(JSON::stringNode),
                        Stream.of(JSON.booleanNode(true)),
                        parts.stream()
                                .filter(part -> part.schema().has("minimum"))
                                .map(part -> part.schema().path("minimum")),
                        Stream.of(JSON.numberNode(1), JSON.arrayNode()),
                        LimitDocument.inside(parts, "items").isEmpty()
                                ? Stream.<JsonNode>empty()
                                : sample(LimitDocument.inside(parts, "items"), number)
                                        .map(JSON.arrayNode()::add)
                                        .stream(),
                        Stream.of(object(parts, number), JSON.nullNode()))
                .flatMap(values -> values)
                .map(JsonNode.class::cast)
                .filter(value -> document.fits(written, value))
                .findFirst();
    }

    private static Stream<String> texts(int number) {
        return TEXTS.stream().map(text -> text.formatted(number));
    }

    private ObjectNode object(List<Part> parts, int number) {
        ObjectNode object = JSON.objectNode();
        for (Part part : parts) {
            for (JsonNode name : part.schema().path("required")) {
                sample(LimitDocument.member(parts, name.asString()), number)
                        .ifPresent(value -> object.set(name.asString(), value));
            }
        }
        return object;
    }

    /** A number as people write it. */
    static JsonNode number(double number) {
        return number == Math.rint(number) ? JSON.numberNode((long) number) : JSON.numberNode(number);
    }

    /** A list or a map of different entries. */
    JsonNode many(List<Part> parts, boolean list, int count) {
        List<Part> inside = LimitDocument.inside(parts, list ? "items" : "additionalProperties");
        String key = count + inside.stream().map(Part::pointer).toList().toString();
        return many.computeIfAbsent(key, _ -> entries(inside, list, count));
    }

    private JsonNode entries(List<Part> inside, boolean list, int count) {
        ArrayNode items = JSON.arrayNode();
        ObjectNode members = JSON.objectNode();
        for (int i = 0; i < count; i++) {
            JsonNode value = sample(inside, i + 1)
                    .orElseThrow(() -> new AssertionError("Nothing here makes entries of " + inside));
            items.add(value);
            members.set("a" + "b".repeat(i % 20) + "-" + "c".repeat(i / 20), value);
        }
        return list ? items : members;
    }

    /** Texts that fit, of which others are made: the good one first. */
    private Stream<String> fitting(List<Part> parts, JsonNode good) {
        Stream<String> given = good.isString() ? Stream.of(good.asString()) : Stream.empty();
        return Stream.concat(given, texts(1)).filter(text -> document.fits(parts, JSON.stringNode(text)));
    }

    /** A text of this length that fits. */
    Optional<JsonNode> ofLength(List<Part> parts, JsonNode good, int length, String filling) {
        return fitting(parts, good)
                .flatMap(text -> stretched(text, length, filling))
                .filter(text -> document.fits(parts, text))
                .findFirst();
    }

    /** A text of this length, whether it fits or not. */
    JsonNode anyOfLength(List<Part> parts, JsonNode good, int length, String filling) {
        return fitting(parts, good)
                .flatMap(text -> stretched(text, length, filling))
                .findFirst()
                .orElse(JSON.stringNode(filling.repeat(length)));
    }

    /** Made longer or shorter in ways that leave the form of some texts as it is. */
    private static Stream<JsonNode> stretched(String text, int length, String filling) {
        String more = filling.repeat(Math.max(0, length - text.length()));
        return Stream.of(text + more, text.isEmpty() ? more : text.charAt(0) + more + text.substring(1))
                .map(whole -> JSON.stringNode(whole.substring(0, length)));
    }

    /** The longest text that this schema's pattern lets pass; none when it has no end. */
    Optional<JsonNode> longest(Part part, JsonNode good) {
        JsonNode pattern = part.schema().path("pattern");
        List<String> texts = fitting(List.of(part), good).toList();
        for (int length = MAX_OF_A_PATTERN; length > 0; length--) {
            for (String text : texts) {
                Optional<JsonNode> fits = stretched(text, length, "a")
                        .filter(one -> document.keeps("pattern", pattern, one))
                        .findFirst();
                if (fits.isPresent()) {
                    return length == MAX_OF_A_PATTERN ? Optional.empty() : fits;
                }
            }
        }
        return Optional.empty();
    }

    /** A text that breaks this word of a schema, and nothing else where that can be. */
    Optional<JsonNode> badText(Part part, String keyword, List<Part> parts, JsonNode good, String spoil) {
        List<JsonNode> bad = new ArrayList<>();
        Stream.concat(fitting(parts, good).map(text -> text + spoil), BAD_TEXTS.stream())
                .map(text -> (JsonNode) JSON.stringNode(text))
                .filter(text -> !document.keeps(keyword, part.schema().path(keyword), text))
                .forEach(bad::add);
        return bad.stream()
                .filter(text -> fitsOthers(part, keyword, parts, text))
                .findFirst()
                .or(() -> bad.stream().findFirst());
    }

    private boolean fitsOthers(Part broken, String keyword, List<Part> parts, JsonNode value) {
        return parts.stream()
                .allMatch(part -> part.schema().propertyNames().stream()
                        .allMatch(word -> (part.pointer().equals(broken.pointer()) && word.equals(keyword))
                                || document.keeps(word, part.schema().path(word), value)));
    }
}
