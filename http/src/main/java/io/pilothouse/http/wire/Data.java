package io.pilothouse.http.wire;

import io.pilothouse.core.base.Faults;
import io.pilothouse.http.json.JsonWriter;
import java.util.List;

/** The successes of the alerts interface, which have no envelope: {@code {data}}, and {@code meta} beside a list. */
public final class Data {
    private static final int MOST = 1000;

    private Data() {}

    public static byte[] document(JsonWriter.Part data) {
        return JsonWriter.document(out -> {
            out.startObject();
            out.name("data");
            data.write(out);
            out.endObject();
        });
    }

    public static Answer one(JsonWriter.Part data) {
        return Answer.json(document(data));
    }

    /** The answer with one thing, or none when the caller has it as it is shown now. */
    public static <T> Answer one(Request request, T thing, JsonWriter.ItemWriter<T> writer) {
        Shown shown = Shown.of(thing, writer);
        return request.knows(shown.entityTag()) ? shown.tag(Answer.notModified()) : changed(shown);
    }

    /** The answer with one thing that was just written. */
    public static <T> Answer changed(T thing, JsonWriter.ItemWriter<T> writer) {
        return changed(Shown.of(thing, writer));
    }

    private static Answer changed(Shown shown) {
        return shown.tag(Answer.json(Envelope.object("{\"data\":", shown.json())));
    }

    /** The answer of what has nothing to tell, such as a deletion. */
    public static Answer done() {
        return Answer.json(JsonWriter.document(out -> {
            out.startObject();
            out.endObject();
        }));
    }

    /** Which part of a list is asked for. */
    public record Range(int limit, int offset) {
        public static Range of(Request request) {
            Faults faults = new Faults();
            Query query = request.query(faults);
            Range range =
                    new Range(query.whole("limit", 1, MOST, MOST), query.whole("offset", 0, Integer.MAX_VALUE, 0));
            faults.refuseIfAny();
            return range;
        }

        public <T> List<T> of(List<T> all) {
            return all.stream().skip(offset).limit(limit).toList();
        }
    }

    public static <T> Answer list(Range range, List<T> part, int total, JsonWriter.ItemWriter<T> writer) {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            out.list("data", part, writer);
            out.startObject("meta");
            out.whole("total", total);
            out.whole("limit", range.limit());
            out.whole("offset", range.offset());
            out.endObject();
            out.endObject();
        });
        return Answer.json(document).with("X-Total-Count", Integer.toString(total));
    }
}
