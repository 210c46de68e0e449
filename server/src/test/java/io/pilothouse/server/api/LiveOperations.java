package io.pilothouse.server.api;

import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The operations of the live service in the order of its document, each with its tag, the names of what it takes and
 * answers, and the words of enumerations. A schema stands there by its name; the member without a name lists those that
 * a value may be one of.
 */
final class LiveOperations {
    private final JsonNode all;

    private LiveOperations(JsonNode all) {
        this.all = all;
    }

    /** One operation; a field is named by its path and has the words that it may be, or none where it may be anything. */
    record Live(
            String id,
            String tag,
            Set<String> query,
            SortedMap<String, Set<String>> takes,
            SortedMap<String, Set<String>> answers) {}

    static LiveOperations read() {
        try (InputStream in = LiveOperations.class.getResourceAsStream("/live-operations.json")) {
            return new LiveOperations(ApiJson.read(Objects.requireNonNull(in).readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Live> list() {
        return all.path("operations")
                .propertyStream()
                .map(entry -> new Live(
                        entry.getKey(),
                        entry.getValue().path("tag").asString(),
                        words(entry.getValue().path("query")),
                        fields(entry.getValue().path("takes")),
                        fields(entry.getValue().path("answers"))))
                .toList();
    }

    private SortedMap<String, Set<String>> fields(JsonNode shape) {
        SortedMap<String, Set<String>> found = new TreeMap<>();
        collect("", shape, found, new ArrayDeque<>());
        return found;
    }

    private void collect(String path, JsonNode shape, SortedMap<String, Set<String>> found, Deque<String> around) {
        if (shape.isString()) {
            String name = shape.asString();
            if (!around.contains(name)) {
                around.push(name);
                collect(path, all.path("schemas").path(name), found, around);
                around.pop();
            }
        } else if (shape.isArray()) {
            found.computeIfAbsent(path, none -> new TreeSet<>()).addAll(words(shape));
        } else {
            shape.path("").forEach(one -> collect(path, one, found, around));
            shape.propertyStream().filter(member -> !member.getKey().isEmpty()).forEach(member -> {
                String field = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
                found.computeIfAbsent(field, none -> new TreeSet<>());
                collect(field, member.getValue(), found, around);
            });
        }
    }

    private static Set<String> words(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    }
}
