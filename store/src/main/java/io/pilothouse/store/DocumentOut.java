package io.pilothouse.store;

import io.pilothouse.core.base.Tree;
import java.io.StringWriter;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes one document, member by member; what is null is left out. */
final class DocumentOut {
    // All ASCII: half a surrogate pair or a database of another encoding cannot change what comes back.
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final JsonGenerator json;

    private DocumentOut(JsonGenerator json) {
        this.json = json;
    }

    static String of(Consumer<DocumentOut> members) {
        StringWriter text = new StringWriter(1_024);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            members.accept(new DocumentOut(json));
            json.writeEndObject();
        }
        return text.toString();
    }

    DocumentOut text(String name, @Nullable Object value) {
        if (value != null) {
            json.writeStringProperty(name, value.toString());
        }
        return this;
    }

    DocumentOut flag(String name, boolean value) {
        json.writeBooleanProperty(name, value);
        return this;
    }

    DocumentOut number(String name, int value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    DocumentOut fraction(String name, double value) {
        json.writeNumberProperty(name, value);
        return this;
    }

    DocumentOut tree(String name, Tree tree) {
        json.writeName(name);
        TreeRows.write(json, tree);
        return this;
    }

    DocumentOut decimal(String name, @Nullable Double value) {
        if (value != null) {
            json.writeNumberProperty(name, value);
        }
        return this;
    }

    DocumentOut object(String name, Consumer<DocumentOut> members) {
        json.writeObjectPropertyStart(name);
        members.accept(this);
        json.writeEndObject();
        return this;
    }

    DocumentOut texts(String name, List<String> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(json::writeString);
        json.writeEndArray();
        return this;
    }

    <E> DocumentOut list(String name, List<E> elements, BiConsumer<E, DocumentOut> members) {
        json.writeArrayPropertyStart(name);
        for (E element : elements) {
            json.writeStartObject();
            members.accept(element, this);
            json.writeEndObject();
        }
        json.writeEndArray();
        return this;
    }
}
