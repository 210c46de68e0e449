package io.pilothouse.store.rows;

import io.pilothouse.core.base.Head;
import tools.jackson.core.JsonGenerator;

/** The members of an object, each named once: passing by them both makes the object of a document and writes one. */
@FunctionalInterface
interface Shape<T> extends Codec<T> {
    T pass(Fields<T> fields);

    @Override
    default T read(Object stored, Head head) {
        return pass(new Fields.Reading<>((Document) stored, head));
    }

    @Override
    default void write(T value, Head head, JsonGenerator json) {
        json.writeStartObject();
        pass(new Fields.Writing<>(value, head, json));
        json.writeEndObject();
    }
}
