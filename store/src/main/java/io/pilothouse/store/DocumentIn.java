package io.pilothouse.store;

import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A document as it was read; every getter has a fallback, so that a row of an older program still opens. */
final class DocumentIn {
    private static final JsonFactory JSON = new JsonFactory();

    private static final int USUAL_MEMBERS = 8;

    // No map: there are few members, read about once and mostly in the order in which they were written.
    private @Nullable Object[] members = new @Nullable Object[2 * USUAL_MEMBERS];
    private int end;
    private int next;

    private DocumentIn() {}

    /** Of bytes, which are as they were stored: a text of them would only be taken apart again. */
    static DocumentIn of(byte[] text) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalStateException("A stored document is not an object");
            }
            return object(json);
        }
    }

    @Nullable
    String textOrNull(String name) {
        return member(name, String.class);
    }

    String text(String name, String fallback) {
        String value = textOrNull(name);
        return value == null ? fallback : value;
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(member(name, Boolean.class));
    }

    int number(String name, int fallback) {
        Long value = member(name, Long.class);
        return value == null ? fallback : Math.toIntExact(value);
    }

    double fraction(String name, double fallback) {
        Number value = member(name, Number.class);
        return value == null ? fallback : value.doubleValue();
    }

    /** The object under this name as a tree, an empty one if there is none. */
    Tree.Members members(String name) {
        return TreeRows.members(object(name));
    }

    /** The list under this name as a tree, an empty one if there is none. */
    Tree.Items items(String name) {
        List<?> values = member(name, List.class);
        return values == null ? new Tree.Items(List.of()) : TreeRows.items(values);
    }

    /** Tells everything in it, in the order in which it was written. */
    void forEach(BiConsumer<String, Object> member) {
        for (int at = 0; at < end; at += 2) {
            member.accept((String) Objects.requireNonNull(members[at]), Objects.requireNonNull(members[at + 1]));
        }
    }

    @Nullable
    Double decimalOrNull(String name) {
        Number value = member(name, Number.class);
        return value == null ? null : value.doubleValue();
    }

    @Nullable
    Instant instantOrNull(String name) {
        String value = textOrNull(name);
        return value == null ? null : InstantText.parse(value);
    }

    Instant instant(String name, Instant fallback) {
        Instant value = instantOrNull(name);
        return value == null ? fallback : value;
    }

    @Nullable
    UUID idOrNull(String name) {
        String value = textOrNull(name);
        return value == null ? null : UUID.fromString(value);
    }

    UUID id(String name, UUID fallback) {
        UUID value = idOrNull(name);
        return value == null ? fallback : value;
    }

    <E extends Enum<E>> E choice(String name, E fallback) {
        String value = textOrNull(name);
        return value == null ? fallback : Enum.valueOf(fallback.getDeclaringClass(), value);
    }

    @Nullable
    DocumentIn objectOrNull(String name) {
        return member(name, DocumentIn.class);
    }

    /** The object under this name, or an empty one, whose members all have their fallbacks. */
    DocumentIn object(String name) {
        DocumentIn value = objectOrNull(name);
        return value == null ? new DocumentIn() : value;
    }

    List<String> texts(String name) {
        return elements(name, String.class::cast);
    }

    <E> List<E> list(String name, Function<DocumentIn, E> reading) {
        return elements(name, value -> reading.apply((DocumentIn) value));
    }

    private <E> List<E> elements(String name, Function<Object, E> reading) {
        List<?> values = member(name, List.class);
        if (values == null) {
            return List.of();
        }
        List<E> read = new ArrayList<>(values.size());
        for (Object value : values) {
            read.add(reading.apply(value));
        }
        return Collections.unmodifiableList(read);
    }

    private <V> @Nullable V member(String name, Class<V> type) {
        for (int looked = 0; looked < end; looked += 2) {
            int at = next;
            next = at + 2 < end ? at + 2 : 0;
            if (name.equals(members[at])) {
                return type.cast(members[at + 1]);
            }
        }
        return null;
    }

    private void add(String name, Object value) {
        if (end == members.length) {
            members = Arrays.copyOf(members, 2 * end);
        }
        members[end++] = name;
        members[end++] = value;
    }

    private static DocumentIn object(JsonParser json) {
        DocumentIn document = new DocumentIn();
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
