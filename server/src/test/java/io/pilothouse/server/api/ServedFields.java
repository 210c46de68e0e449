package io.pilothouse.server.api;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What the served document of an edition says that its operations take and answer, by the paths of their fields. */
final class ServedFields {
    private final JsonNode document;

    ServedFields(JsonNode document) {
        this.document = document;
    }

    Set<String> query(String operationId) {
        return operation(operationId)
                .path("parameters")
                .valueStream()
                .map(this::whole)
                .filter(parameter -> parameter.path("in").asString().equals("query"))
                .map(parameter -> parameter.path("name").asString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    SortedMap<String, Set<String>> takes(String operationId) {
        return fields(whole(operation(operationId).path("requestBody")).at("/content/application~1json/schema"));
    }

    SortedMap<String, Set<String>> answers(String operationId) {
        JsonNode answer = whole(operation(operationId).at("/responses/200"));
        SortedMap<String, Set<String>> all = fields(answer.at("/content/application~1json/schema"));
        SortedMap<String, Set<String>> inside = new TreeMap<>();
        all.forEach((path, words) -> {
            if (path.startsWith("result.")) {
                inside.put(path.substring("result.".length()), words);
            }
        });
        return inside;
    }

    private JsonNode operation(String operationId) {
        return document.path("paths")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .filter(operation -> operation.path("operationId").asString("").equals(operationId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The served document has no " + operationId));
    }

    private JsonNode whole(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asString().substring(1)) : node;
    }

    private SortedMap<String, Set<String>> fields(JsonNode schema) {
        SortedMap<String, Set<String>> found = new TreeMap<>();
        collect("", schema, found, new ArrayDeque<>());
        return found;
    }

    private void collect(String path, JsonNode schema, SortedMap<String, Set<String>> found, Deque<String> around) {
        if (schema.has("$ref")) {
            String target = schema.path("$ref").asString();
            if (!around.contains(target)) {
                around.push(target);
                collect(path, document.at(target.substring(1)), found, around);
                around.pop();
            }
        }
        for (String among : List.of("allOf", "oneOf", "anyOf")) {
            schema.path(among).forEach(one -> collect(path, one, found, around));
        }
        if (schema.has("items")) {
            collect(path, schema.path("items"), found, around);
        }
        schema.path("enum")
                .forEach(word ->
                        found.computeIfAbsent(path, none -> new TreeSet<>()).add(word.asString()));
        schema.path("properties").propertyStream().forEach(member -> {
            String field = path.isEmpty() ? member.getKey() : path + "." + member.getKey();
            found.computeIfAbsent(field, none -> new TreeSet<>());
            collect(field, member.getValue(), found, around);
        });
    }
}
