package io.pilothouse.http.wire;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.right.Permit;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.json.JsonPath;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request whose caller may make it: what is left is to read it. */
public final class Request {
    private static final UUID NOBODY = new UUID(0, 0);
    private static final int LONGEST_IDEMPOTENCY_KEY = 255;

    private final Exchange exchange;
    private final RouteTable.Match match;
    private final Permit permit;
    private final String callerSecret;
    private byte @Nullable [] body;

    Request(Exchange exchange, RouteTable.Match match, Permit permit, String callerSecret) {
        this.exchange = exchange;
        this.match = match;
        this.permit = permit;
        this.callerSecret = callerSecret;
    }

    public Permit permit() {
        return permit;
    }

    public UUID requestId() {
        return permit.requestId();
    }

    /** The secret that proved the caller: kept answers are sealed under it. */
    String callerSecret() {
        return callerSecret;
    }

    /** An id in the path. A malformed one is collected, and reads as an id that nothing has. */
    public UUID pathId(String name, Faults faults) {
        String raw = match.parameter(name);
        if (raw == null) {
            throw new IllegalStateException("The path has no {" + name + "}");
        }
        String text = PercentText.decode(raw, false);
        UUID id = text == null ? null : Ids.parse(text);
        if (id == null) {
            faults.add("path." + name, "must be a UUID");
            return NOBODY;
        }
        return id;
    }

    /** An id in the path of an operation that reads nothing else. */
    public UUID pathId(String name) {
        Faults faults = new Faults();
        UUID id = pathId(name, faults);
        faults.refuseIfAny();
        return id;
    }

    public Query query(Faults faults) {
        return new Query(exchange.query(), faults);
    }

    /** The object in the body: its media type, its size and its syntax are refused in this order. */
    public RequestBody object(Faults faults) {
        if (!exchange.hasBody()) {
            faults.add("", "a JSON object is required as the body");
            faults.refuseIfAny();
        }
        if (!ContentType.isJson(exchange.field(RequestField.CONTENT_TYPE))) {
            throw new Refused(Refused.Reason.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json in UTF-8");
        }
        body = exchange.body();
        return new RequestBody(JsonReader.readObject(body, faults), JsonPath.ROOT, faults);
    }

    /** The object in the body of an operation that can do without one. */
    public void objectIfAny(Faults faults) {
        if (exchange.hasBody()) {
            object(faults);
        }
    }

    /** What the caller demands of the thing in the path, which is shown like this. */
    public <T> Precondition<T> precondition(JsonWriter.ItemWriter<T> writer) {
        return EntityTags.precondition(exchange.field(RequestField.IF_MATCH), writer);
    }

    /** Whether the caller has this version already. */
    boolean knows(String entityTag) {
        return EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), entityTag);
    }

    /** Null when the caller did not name one. */
    @Nullable
    public String idempotencyKey() {
        List<String> lines = exchange.field(RequestField.IDEMPOTENCY_KEY);
        if (lines.isEmpty()) {
            return null;
        }
        String key = lines.getFirst();
        boolean fits = lines.size() == 1 && !key.isEmpty() && key.length() <= LONGEST_IDEMPOTENCY_KEY;
        for (int i = 0; fits && i < key.length(); i++) {
            fits = key.charAt(i) > ' ' && key.charAt(i) <= '~';
        }
        if (!fits) {
            throw Refused.badRequest(
                    RequestField.IDEMPOTENCY_KEY.wireName(),
                    "must be 1 to " + LONGEST_IDEMPOTENCY_KEY + " visible ASCII characters");
        }
        return key;
    }

    /** The bytes that tell this request from another one with the same idempotency key. */
    byte[] distinctBytes() {
        byte[] head = (exchange.verb() + " " + exchange.path() + "?" + exchange.query() + "\n")
                .getBytes(StandardCharsets.UTF_8);
        byte[] tail = body == null ? new byte[0] : body;
        byte[] all = new byte[head.length + tail.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }

    /** The answer with one thing, or none when the caller has it as it is shown now. */
    public <T> Answer one(T thing, JsonWriter.ItemWriter<T> writer) {
        return one(Shown.of(thing, writer));
    }

    public Answer one(Shown shown) {
        return knows(shown.entityTag()) ? shown.tag(Answer.notModified()) : changed(shown);
    }

    /** The answer with one thing that was just written. */
    public <T> Answer changed(T thing, JsonWriter.ItemWriter<T> writer) {
        return changed(Shown.of(thing, writer));
    }

    private Answer changed(Shown shown) {
        return shown.tag(Answer.json(Envelope.of(requestId(), shown.json())));
    }

    /** The answer of a deletion. */
    public Answer done() {
        return Answer.json(Envelope.withoutResult(requestId()));
    }
}
