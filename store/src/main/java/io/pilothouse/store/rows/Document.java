package io.pilothouse.store.rows;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A document as it was read: texts, numbers, booleans, lists and documents under their names; a null is as if left out. */
final class Document {
    static final Document EMPTY = new Document();

    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, Object> members = new LinkedHashMap<>();

    private Document() {}

    /** Reads bytes as they were stored: a text of them would only be taken apart again. */
    static Document of(byte[] text) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalStateException("A stored document is not an object");
            }
            return object(json);
        }
    }

    @Nullable
    Object find(String name) {
        return members.get(name);
    }

    /** Passes on everything in it, in the order in which it was written. */
    void forEach(BiConsumer<String, Object> member) {
        members.forEach(member);
    }

    private static Document object(JsonParser json) {
        Document document = new Document();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            Object value = value(json);
            if (value != null) {
                document.members.put(name, value);
            }
        }
        return document;
    }

    private static @Nullable Object value(JsonParser json) {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_STRING -> json.getString();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case END_ARRAY, END_OBJECT, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                throw new IllegalStateException("A stored document has no value where one must be");
        };
    }

    private static List<Object> array(JsonParser json) {
        List<Object> elements = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Object value = value(json);
            if (value != null) {
                elements.add(value);
            }
        }
        return elements;
    }
}
