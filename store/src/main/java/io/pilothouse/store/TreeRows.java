package io.pilothouse.store;

import io.pilothouse.core.base.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Trees inside documents: written as the JSON they stand for, and read back from what a document holds. */
final class TreeRows {
    private TreeRows() {}

    static void write(JsonGenerator json, Tree tree) {
        switch (tree) {
            case Tree.Text text -> json.writeString(text.value());
            case Tree.Figure figure -> json.writeNumber(figure.value());
            case Tree.Flag flag -> json.writeBoolean(flag.value());
            case Tree.Nothing _ -> json.writeNull();
            case Tree.Items items -> {
                json.writeStartArray();
                items.values().forEach(item -> write(json, item));
                json.writeEndArray();
            }
            case Tree.Members members -> {
                json.writeStartObject();
                members.values().forEach((name, value) -> {
                    json.writeName(name);
                    write(json, value);
                });
                json.writeEndObject();
            }
        }
    }

    static Tree.Members members(DocumentIn document) {
        Map<String, Tree> values = new LinkedHashMap<>();
        document.forEach((name, value) -> values.put(name, tree(value)));
        return new Tree.Members(values);
    }

    static Tree.Items items(List<?> values) {
        return new Tree.Items(values.stream().map(TreeRows::tree).toList());
    }

    private static Tree tree(Object value) {
        return switch (value) {
            case String text -> new Tree.Text(text);
            case Number number -> new Tree.Figure(number.doubleValue());
            case Boolean flag -> new Tree.Flag(flag);
            case List<?> list -> items(list);
            case DocumentIn document -> members(document);
            default -> throw new IllegalStateException("A document holds a " + value.getClass());
        };
    }
}
