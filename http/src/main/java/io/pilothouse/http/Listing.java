package io.pilothouse.http;

import io.pilothouse.core.port.Table;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers with a collection of any length, which is read and sent a page at a time. */
final class Listing {
    /** As many things as are read at once; a collection that fits is answered with its length known. */
    static final int PAGE = 200;

    private Listing() {}

    /** One page; {@code next} is null at the end. */
    record Page<T>(List<T> items, Table.@Nullable Cursor next) {}

    /** The first page is read before anything is sent, so that what is refused is refused with its own status. */
    static <T> Answer answer(
            Request request, Function<Table.@Nullable Cursor, Page<T>> read, JsonWriter.ItemWriter<T> writer) {
        Page<T> first = read.apply(null);
        if (first.next() == null) {
            return Answer.json(JsonWriter.document(out -> write(out, request, first, read, writer)));
        }
        return Answer.streamedJson(stream -> {
            try (JsonWriter out = new JsonWriter(stream)) {
                write(out, request, first, read, writer);
            }
        });
    }

    private static <T> void write(
            JsonWriter out,
            Request request,
            Page<T> first,
            Function<Table.@Nullable Cursor, Page<T>> read,
            JsonWriter.ItemWriter<T> writer) {
        Envelope.start(out, request.requestId());
        out.startArray("result");
        Page<T> page = first;
        while (true) {
            for (T item : page.items()) {
                writer.write(out, item);
            }
            if (page.next() == null) {
                break;
            }
            page = read.apply(page.next());
        }
        out.endArray();
        out.endObject();
    }
}
