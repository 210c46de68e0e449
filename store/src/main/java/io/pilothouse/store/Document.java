package io.pilothouse.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
    private static final int USUAL_MEMBERS = 8;

    // No map: there are few members, read about once and mostly in the order in which they were written.
    private @Nullable Object[] members = new @Nullable Object[2 * USUAL_MEMBERS];
    private int end;
    private int next;

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
        for (int looked = 0; looked < end; looked += 2) {
            int at = next;
            next = at + 2 < end ? at + 2 : 0;
            if (name.equals(members[at])) {
                return members[at + 1];
            }
        }
        return null;
    }

    /** Passes on everything in it, in the order in which it was written. */
    void forEach(BiConsumer<String, Object> member) {
        for (int at = 0; at < end; at += 2) {
            member.accept((String) Objects.requireNonNull(members[at]), Objects.requireNonNull(members[at + 1]));
        }
    }

    private void add(String name, Object value) {
        if (end == members.length) {
            members = Arrays.copyOf(members, 2 * end);
        }
        members[end++] = name;
        members[end++] = value;
    }

    private static Document object(JsonParser json) {
        Document document = new Document();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            Object value = value(json);
            if (value != null) {
                document.add(name, value);
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
