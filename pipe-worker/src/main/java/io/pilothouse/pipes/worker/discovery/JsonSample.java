package io.pilothouse.pipes.worker.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pilothouse.pipes.wire.FoundFields.Field;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON objects as far as they were looked at: which paths they have, and how many of them have each. An object in an
 * object becomes paths, as pipes name its fields. For one thread.
 */
final class JsonSample {
    private static final int MAX_PATHS = 1000;
    private static final int MAX_DEPTH = 8;
    private static final int MAX_CHARACTERS = 1 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How many objects have something at a path; 0 where it was never but null. */
    private final Map<String, Integer> present = new LinkedHashMap<>();

    private final StringBuilder lines = new StringBuilder();
    private int records;

    /** Leaves out what is not an object, and what is too much to look at. */
    void add(byte[] record) {
        if (lines.length() > MAX_CHARACTERS) {
            return;
        }
        if (read(record) instanceof ObjectNode object) {
            ObjectNode flat = JSON.createObjectNode();
            flatten("", object, flat, 1);
            lines.append(flat).append('\n');
            records++;
        }
    }

    private static JsonNode read(byte[] record) {
        try {
            return JSON.readTree(record);
        } catch (IOException notJson) {
            return MissingNode.getInstance();
        }
    }

    private void flatten(String prefix, ObjectNode object, ObjectNode flat, int depth) {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            String path = prefix + member.getKey();
            JsonNode value = member.getValue();
            boolean empty = value.isNull() || (value.isObject() && value.isEmpty());
            if (value instanceof ObjectNode inner && !empty && depth < MAX_DEPTH) {
                flatten(path + ".", inner, flat, depth + 1);
            } else if (present.size() < MAX_PATHS || present.containsKey(path)) {
                flat.set(path, empty ? flat.nullNode() : value);
                present.merge(path, empty ? 0 : 1, Integer::sum);
            }
        }
    }

    /** How many objects there were. */
    int records() {
        return records;
    }

    /** The objects without objects in them, one on each line. */
    String lines() {
        return lines.toString();
    }

    /** The fields with the types that a database has found for the lines. */
    List<Field> fields(Map<String, String> types) {
        List<Field> fields = new ArrayList<>();
        present.forEach((path, count) -> {
            if (count > 0 || present.keySet().stream().noneMatch(other -> other.startsWith(path + "."))) {
                fields.add(new Field(path, types.getOrDefault(path, "String"), count < records));
            }
        });
        return fields;
    }
}
