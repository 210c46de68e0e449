package io.pilothouse.http.wire;

import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Table;
import io.pilothouse.http.json.JsonWriter;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers with a collection of any length, which is read and sent a page at a time. */
public final class Listing {
    /** The size of one read; a collection that fits is answered with a known length. */
    public static final int PAGE = 200;

    private Listing() {}

    /** Reads one page, starting where the previous one ended; null is the beginning. */
    @FunctionalInterface
    public interface Pages<T> {
        Page<T> after(Table.@Nullable Cursor cursor);

        /** Begins to read a page that will be needed soon; the result is taken once. */
        default Supplier<Page<T>> ahead(Table.Cursor cursor) {
            return () -> after(cursor);
        }
    }

    /** The answer with a collection that was read as a whole. */
    public static <T> Answer answer(Request request, List<T> all, JsonWriter.ItemWriter<T> writer) {
        return answer(request, _ -> new Page<>(all, null), writer);
    }

    /** The first page is read before anything is sent, so that a refusal still gets its own status. */
    public static <T> Answer answer(Request request, Pages<T> pages, JsonWriter.ItemWriter<T> writer) {
        Page<T> first = pages.after(null);
        return answer(first, out -> {
            Enveloped.start(out, request.requestId());
            out.startArray("result");
            write(out, first, pages, writer);
            out.endArray();
            out.endObject();
        });
    }

    /** The same without an envelope, for those who expect nothing but an array. */
    public static <T> Answer bare(Pages<T> pages, JsonWriter.ItemWriter<T> writer) {
        Page<T> first = pages.after(null);
        return answer(first, out -> {
            out.startArray();
            write(out, first, pages, writer);
            out.endArray();
        });
    }

    private static Answer answer(Page<?> first, JsonWriter.Part whole) {
        if (first.next() == null) {
            return Answer.json(JsonWriter.document(whole));
        }
        return Answer.streamedJson(stream -> {
            try (JsonWriter out = new JsonWriter(stream)) {
                whole.write(out);
            }
        });
    }

    private static <T> void write(JsonWriter out, Page<T> first, Pages<T> pages, JsonWriter.ItemWriter<T> writer) {
        Page<T> page = first;
        while (page != null) {
            Table.Cursor end = page.next();
            Supplier<Page<T>> next = end == null ? null : pages.ahead(end);
            for (T item : page.items()) {
                writer.write(out, item);
            }
            page = next == null ? null : next.get();
        }
    }
}
