package io.pilothouse.http.wire;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Permit;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.json.JsonPath;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.incoming.CalledAddress;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request whose caller has the right to make it; its parts are read from here. */
public final class Request {
    private static final UUID NOBODY = new UUID(0, 0);

    private final Exchange exchange;
    private final RouteTable.Match match;
    private final Permit permit;
    private final String callerSecret;
    private final AnswerShape shape;
    private final Faults faults = new Faults();
    private final @Nullable UUID[] ids;
    private byte @Nullable [] body;

    /** Reads the ids in the path at once: what is wrong with any of them comes before what is wrong with the rest. */
    Request(Exchange exchange, RouteTable.Match match, Permit permit, String callerSecret, AnswerShape shape) {
        this.exchange = exchange;
        this.match = match;
        this.permit = permit;
        this.callerSecret = callerSecret;
        this.shape = shape;
        this.ids = readIds();
    }

    private @Nullable UUID[] readIds() {
        List<String> names = match.parameterNames();
        @Nullable UUID[] read = new UUID[names.size()];
        for (int i = 0; i < read.length; i++) {
            String name = names.get(i);
            // The gate has looked at the organization: what is no UUID is answered there as a foreign one.
            if (name.endsWith("Id") && !name.equals(Gate.ORGANIZATION_ID)) {
                String text = PercentText.decode(match.parameter(i), false);
                read[i] = text == null ? null : Ids.parse(text);
                if (read[i] == null) {
                    faults.add("path." + name, "must be a UUID");
                    read[i] = NOBODY;
                }
            }
        }
        return read;
    }

    /** For an operation that judges the request and reports {@link #faults} together with its own. */
    public Permit permit() {
        return permit;
    }

    /** For an operation that judges nothing: refuses what was wrong with the request so far. */
    public Permit checkedPermit() {
        faults.refuseIfAny();
        return permit;
    }

    /** The faults of the request so far. */
    public Faults faults() {
        return faults;
    }

    UUID requestId() {
        return permit.requestId();
    }

    AnswerShape shape() {
        return shape;
    }

    /** The secret that proved the caller: kept answers are sealed under it. */
    String callerSecret() {
        return callerSecret;
    }

    /** Has this done if the answer cannot be delivered. */
    void ifLost(Runnable then) {
        exchange.ifLost(then);
    }

    /** An id in the path; one that nothing has where it is malformed, which {@link #faults} reports. */
    public UUID id(String name) {
        int index = match.parameterNames().indexOf(name);
        UUID id = index < 0 ? null : ids[index];
        if (id == null) {
            throw new IllegalStateException("The path has no id called " + name);
        }
        return id;
    }

    /** A name in the path, decoded; an empty one where it cannot be, which nothing has. */
    public String name(String parameter) {
        String text = match.parameter(parameter);
        if (text == null) {
            throw new IllegalStateException("The path has no name called " + parameter);
        }
        String decoded = PercentText.decode(text, false);
        return decoded == null ? "" : decoded;
    }

    public Query query() {
        return new Query(exchange.query(), faults);
    }

    /** By which address the caller called this server; refused where it does not say so. */
    public CalledAddress calledAddress() {
        return exchange.calledAddress()
                .orElseThrow(() -> Refused.badRequest(
                        RequestField.HOST.wireName(), "must name the host of this server, and nothing else"));
    }

    /** The body as it comes, whatever it is. */
    public InputStream stream() {
        return exchange.stream();
    }

    /** An injected fault struck this request. */
    public void injected(Exchange.Injected fault) {
        exchange.injected(fault);
    }

    /** The refusal of this request that nobody's mistake caused, in the shape of its listener. */
    public Answer unasked(int status, String code, String sentence) {
        Problem problem = new Problem(status, code, sentence, List.of(), requestId());
        return shape.refusal(problem, exchange.field(RequestField.ACCEPT));
    }

    /** Calls this once, on another thread, if the client hangs up from the end of its body on. */
    public void whenGone(Runnable gone) {
        exchange.whenGone(gone);
    }

    /** The value of a header that is there once; empty otherwise. */
    public Optional<String> header(RequestField field) {
        List<String> lines = exchange.field(field);
        return lines.size() == 1 ? Optional.of(lines.getFirst()) : Optional.empty();
    }

    /** The object in the body: its media type, size and syntax are checked in this order. */
    public RequestBody object() {
        body = bytes(exchange, faults);
        return new RequestBody(JsonReader.readObject(body, faults), JsonPath.ROOT, faults);
    }

    /** The same of a request that needs no credentials. */
    public static RequestBody object(Exchange exchange, Faults faults) {
        return new RequestBody(JsonReader.readObject(bytes(exchange, faults), faults), JsonPath.ROOT, faults);
    }

    private static byte[] bytes(Exchange exchange, Faults faults) {
        if (!exchange.hasBody()) {
            faults.add("", "a JSON object is required as the body");
            faults.refuseIfAny();
        }
        if (!ContentType.isJson(exchange.field(RequestField.CONTENT_TYPE))) {
            throw new Refused(Refused.Reason.UNSUPPORTED_MEDIA_TYPE, "The body must be application/json in UTF-8");
        }
        return exchange.body();
    }

    /** The object in an optional body; an empty one where there is no body. */
    public RequestBody objectIfAny() {
        return exchange.hasBody() ? object() : new RequestBody(Tree.Members.NONE, JsonPath.ROOT, faults);
    }

    /** The caller's demand on the thing in the path, which is shown like this. */
    public <T> Precondition<T> precondition(JsonWriter.ItemWriter<T> writer) {
        return EntityTags.precondition(exchange.field(RequestField.IF_MATCH), writer);
    }

    /** Whether the caller has this version already. */
    boolean knows(String entityTag) {
        return EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), entityTag);
    }

    /** Null if the caller gave none. */
    @Nullable
    public String idempotencyKey() {
        List<String> lines = exchange.field(RequestField.IDEMPOTENCY_KEY);
        if (lines.isEmpty()) {
            return null;
        }
        String key = lines.getFirst();
        if (lines.size() > 1 || RuleBook.IDEMPOTENCY_KEY.breach(key).isPresent()) {
            throw Refused.badRequest(RequestField.IDEMPOTENCY_KEY.wireName(), RuleBook.IDEMPOTENCY_KEY.message());
        }
        return key;
    }

    /** The bytes that distinguish this request from another with the same idempotency key. */
    byte[] distinctBytes() {
        String path = exchange.path();
        String plain = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        byte[] head = (exchange.verb() + " " + plain + "?" + exchange.query() + "\n").getBytes(StandardCharsets.UTF_8);
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

    /** The answer with one thing just written. */
    public <T> Answer changed(T thing, JsonWriter.ItemWriter<T> writer) {
        return changed(Shown.of(thing, writer));
    }

    public Answer changed(Shown shown) {
        return shown.tag(Answer.json(shape.success(requestId(), shown.json())));
    }

    /** The answer with one thing that is written while it is sent, and has no entity tag. */
    public Answer streamed(JsonWriter.Part result) {
        return Answer.streamedJson(stream -> {
            try (JsonWriter out = new JsonWriter(stream)) {
                Enveloped.start(out, requestId());
                out.name("result");
                result.write(out);
                out.endObject();
            }
        });
    }

    /** The answer with something that has no entity tag. */
    public <T> Answer untagged(T result, JsonWriter.ItemWriter<T> writer) {
        return Answer.json(success(result, writer));
    }

    <T> byte[] success(T result, JsonWriter.ItemWriter<T> writer) {
        return shape.success(requestId(), JsonWriter.document(out -> writer.write(out, result)));
    }

    /** The answer to a deletion. */
    public Answer done() {
        return Answer.json(shape.done(requestId()));
    }
}
