package io.pilothouse.http.wire;

import io.pilothouse.http.json.JsonWriter;

/** One thing as it is shown: its JSON, which must not change, and the entity tag that follows from it. */
@SuppressWarnings("ArrayRecordComponent")
public record Shown(byte[] json, String entityTag) {
    public static <T> Shown of(T thing, JsonWriter.ItemWriter<T> writer) {
        byte[] json = JsonWriter.document(out -> writer.write(out, thing));
        return new Shown(json, EntityTags.of(json));
    }

    /** One whose changes collide with {@code lasting} alone. */
    public static <T> Shown of(T thing, JsonWriter.ItemWriter<T> writer, JsonWriter.ItemWriter<T> lasting) {
        Shown whole = of(thing, writer);
        return new Shown(whole.json, of(thing, lasting).entityTag + whole.entityTag);
    }

    public Answer tag(Answer answer) {
        return answer.with("ETag", EntityTags.quote(entityTag));
    }
}
