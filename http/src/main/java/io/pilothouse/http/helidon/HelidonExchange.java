package io.pilothouse.http.helidon;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.right.Caller;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.ConnectionLost;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.RequestIds;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.CalledAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An exchange of the HTTP server; it also decides whether the connection can be reused afterwards. */
final class HelidonExchange implements Exchange {
    /** Up to this much unread input is read off; beyond it, hanging up is cheaper. */
    private static final long MAX_UNREAD = 64 * 1024;

    private static final long MAX_DRAINED = 16 * 1024 * 1024;

    private final RoutingRequest request;
    private final RoutingResponse response;
    private final GuardedContext context;
    private final ListenerLimits limits;
    private final boolean stopping;
    private final UUID requestId = RequestIds.next();
    private @Nullable UUID keyId;
    private @Nullable Injected injected;
    private boolean broken;
    private boolean ended;
    private @Nullable Runnable lost;
    private @Nullable Runnable atItsEnd;

    HelidonExchange(
            RoutingRequest request,
            RoutingResponse response,
            GuardedContext context,
            ListenerLimits limits,
            boolean stopping) {
        this.request = request;
        this.response = response;
        this.context = context;
        this.limits = limits;
        this.stopping = stopping;
    }

    @Override
    public UUID requestId() {
        return requestId;
    }

    @Override
    public @Nullable Verb verb() {
        return Verb.of(request.prologue().method().text());
    }

    @Override
    public String path() {
        String target = request.prologue().uriPath().rawPath();
        if (!target.startsWith("http://")) {
            return target;
        }
        // The absolute form, which a server must accept: the path begins after the authority.
        int slash = target.indexOf('/', "http://".length());
        return slash < 0 ? "/" : target.substring(slash);
    }

    @Override
    public String query() {
        return request.prologue().query().rawValue();
    }

    @Override
    public List<String> field(RequestField field) {
        return request.headers().all(FieldNames.of(field), List::of);
    }

    @Override
    public InetAddress remoteAddress() {
        return context.client(field(RequestField.FORWARDED), field(RequestField.X_FORWARDED_FOR));
    }

    @Override
    public Optional<CalledAddress> calledAddress() {
        return context.calledAddress(
                field(RequestField.HOST),
                new CalledAddress.ProxyFields(
                        field(RequestField.FORWARDED),
                        field(RequestField.X_FORWARDED_PROTO),
                        field(RequestField.X_FORWARDED_HOST)));
    }

    @Override
    public void identified(Caller caller) {
        keyId = caller.keyId();
    }

    @Override
    public @Nullable UUID identifiedKey() {
        return keyId;
    }

    @Override
    public void injected(Injected fault) {
        injected = fault;
    }

    @Override
    public @Nullable Injected injected() {
        return injected;
    }

    @Override
    public boolean hasBody() {
        ServerRequestHeaders headers = request.headers();
        return headers.contains(HeaderNames.TRANSFER_ENCODING)
                || headers.contentLength().orElse(0) > 0;
    }

    /** Not closed: closing would read to the end of a body that is too large. */
    @Override
    public byte[] body() {
        return hasBody() ? new BodyStream(false).readWhole() : new byte[0];
    }

    @Override
    public InputStream stream() {
        if (hasBody()) {
            return new BodyStream(true);
        }
        noteEnd();
        return InputStream.nullInputStream();
    }

    @Override
    public void whenGone(Runnable gone) {
        atItsEnd = gone;
        if (!hasBody() || ended) {
            noteEnd();
        }
    }

    /** Nothing of this request is left to be read. */
    private void noteEnd() {
        ended = true;
        Runnable gone = atItsEnd;
        if (gone != null) {
            atItsEnd = null;
            context.watch(gone);
        }
    }

    /** The body with a ceiling; what is passed on as it comes takes no room while it does. */
    private final class BodyStream extends InputStream {
        private final boolean passedOn;
        private final byte[] one = new byte[1];
        private @Nullable InputStream in;
        private int count;

        private BodyStream(boolean passedOn) {
            if (request.headers().contentLength().orElse(0) > limits.bodyBytes()) {
                throw tooLarge();
            }
            this.passedOn = passedOn;
        }

        private byte[] readWhole() {
            try {
                return readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int read() {
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            Refused refusal;
            try {
                int read = ended ? -1 : begun().read(bytes, offset, length);
                if (read < 0 && !ended) {
                    context.deadline().enter(Deadline.Step.WORK);
                    noteEnd();
                }
                count += Math.max(0, read);
                if (passedOn) {
                    context.passedOn();
                }
                if (count <= limits.bodyBytes()) {
                    return read;
                }
                refusal = tooLarge();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (GuardedContext.TooManyBytes tooMany) {
                broken = true;
                refusal = tooLarge();
            } catch (GuardedContext.NoRoom full) {
                broken = true;
                refusal = new Refused(
                        Refused.Reason.UNAVAILABLE, "Too many bodies are on their way right now: try again");
            } catch (RequestException | IllegalArgumentException | IllegalStateException malformed) {
                broken = true;
                refusal = Refused.badRequest("", "the chunks of the body are malformed");
            } catch (CloseConnectionException gone) {
                throw lost(gone);
            }
            throw refusal;
        }

        private InputStream begun() {
            InputStream known = in;
            if (known == null) {
                context.beginBody(requestId, remoteAddress(), keyId);
                known = request.content().inputStream();
                in = known;
            }
            return known;
        }
    }

    private Refused tooLarge() {
        return new Refused(
                Refused.Reason.PAYLOAD_TOO_LARGE, "The body is larger than " + limits.bodyBytes() + " bytes");
    }

    private ConnectionLost lost(RuntimeException cause) {
        boolean slow = context.deadline().step() == Deadline.Step.OVER;
        return new ConnectionLost(slow ? ConnectionLost.CLIENT_TOO_SLOW : ConnectionLost.CLIENT_WENT_AWAY, cause);
    }

    @Override
    public void ifLost(Runnable then) {
        lost = then;
        context.watch();
    }

    @Override
    public boolean gone() {
        return context.gone();
    }

    private void noteLoss() {
        Runnable then = lost;
        lost = null;
        if (then != null) {
            then.run();
        }
    }

    @Override
    public long answer(Answer answer) {
        if (injected != null && injected.cuts()) {
            noteLoss();
            throw lost(new CloseConnectionException("An injected fault cuts the connection"));
        }
        if (gone()) {
            // The first write to a socket whose other end is closed seems to succeed.
            noteLoss();
        }
        try {
            context.deadline().enter(Deadline.Step.WORK);
            writeHead(answer);
            return switch (answer.content()) {
                case Answer.Whole whole -> sendWhole(whole);
                case Answer.Streamed streamed -> sendStreamed(streamed);
                case Answer.None _ -> {
                    response.send();
                    yield 0;
                }
            };
        } catch (CloseConnectionException gone) {
            noteLoss();
            throw lost(gone);
        }
    }

    private void writeHead(Answer answer) {
        response.status(Status.create(answer.status()));
        for (Answer.Field field : answer.fields()) {
            response.header(HeaderNames.create(field.name()), field.value());
        }
        if (injected != null) {
            response.header(HeaderNames.create(Injected.HEADER), injected.fault());
        }
        if (stopping || closes()) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
    }

    private long sendWhole(Answer.Whole whole) {
        response.header(HeaderNames.CONTENT_TYPE, whole.mediaType());
        if (isHead()) {
            response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(whole.bytes().length));
            response.send();
            return 0;
        }
        response.send(whole.bytes());
        return whole.bytes().length;
    }

    private long sendStreamed(Answer.Streamed streamed) {
        response.header(HeaderNames.CONTENT_TYPE, streamed.mediaType());
        if (isHead()) {
            CountingStream counted = new CountingStream(OutputStream.nullOutputStream());
            streamed.stream().writeTo(counted);
            response.header(HeaderNames.CONTENT_LENGTH, Long.toString(counted.count()));
            response.send();
            return 0;
        }
        if (context.older()) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            streamed.stream().writeTo(whole);
            response.send(whole.toByteArray());
            return whole.size();
        }
        CountingStream counted = new CountingStream(response.outputStream());
        streamed.stream().writeTo(counted);
        response.commit();
        return counted.count();
    }

    private boolean isHead() {
        return request.prologue().method().text().equals("HEAD");
    }

    /** Reads off the rest of the body, or hangs up if that is cheaper. */
    void finish() {
        boolean closes = closes();
        if (hasUnread()) {
            readOff(closes);
        }
        // Helidon before 4.5.4 leaves a socket open that it promised to close (its issue 12324).
        if (closes || stopping || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
            throw new CloseConnectionException("This connection was for one request");
        }
        context.rest();
    }

    private void readOff(boolean closes) {
        if (closes) {
            // Do not wait for a client that got no 100 Continue, or whose chunks are malformed.
            if (request.continueSent() && !(broken && context.caughtUp())) {
                context.drain(unreadBytes());
            }
            return;
        }
        try {
            context.deadline().enter(Deadline.Step.DRAIN);
            request.content().consume();
        } catch (RuntimeException malformed) {
            throw new CloseConnectionException("What followed the request is malformed", malformed);
        }
    }

    /** Whether the rest of the body stands in the way of another request. */
    private boolean closes() {
        return broken
                || context.older()
                || context.turnedAway()
                || (hasUnread() && (!request.continueSent() || unreadBytes() > MAX_UNREAD));
    }

    private boolean hasUnread() {
        return hasBody() && !request.content().consumed();
    }

    /**
     * An upper bound of the bytes left; a chunked body has none, and one whose reading has begun is no longer measured.
     */
    private long unreadBytes() {
        return request.headers().contentLength().orElse(MAX_DRAINED);
    }
}
