package io.pilothouse.http.wire;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.http.json.JsonWriter;
import java.util.List;

/** Which part of a list of the alerts interface is asked for, and the answer with it: {@code {data, meta}}. */
public record Range(int limit, int offset) {
    public static Range of(Request request) {
        Query query = request.query();
        return new Range(
                query.whole("limit", RuleBook.LIST_LIMIT, (int) RuleBook.LIST_LIMIT.max()),
                query.whole("offset", RuleBook.LIST_OFFSET, 0));
    }

    /** The answer with the part of a list that is read as a whole. */
    public <T> Answer of(List<T> all, JsonWriter.ItemWriter<T> writer) {
        return answer(all.stream().skip(offset).limit(limit).toList(), all.size(), writer);
    }

    /** The answer with a part that was read by itself. */
    public <T> Answer answer(List<T> part, int total, JsonWriter.ItemWriter<T> writer) {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            out.list("data", part, writer);
            out.startObject("meta");
            out.whole("total", total);
            out.whole("limit", limit);
            out.whole("offset", offset);
            out.endObject();
            out.endObject();
        });
        return Answer.json(document).with("X-Total-Count", Integer.toString(total));
    }
}
