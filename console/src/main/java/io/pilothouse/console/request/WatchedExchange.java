package io.pilothouse.console.request;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.ConnectionLost;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.CalledAddress;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that goes into the ring when it is answered. Who is not known leaves nothing. Secrets are blanked before
 * anything is kept, and what cannot be read as JSON is not kept.
 */
final class WatchedExchange implements Exchange {
    private static final int MAX_BODY_BYTES = 32_768;
    private static final int MAX_TARGET_LENGTH = 2_000;
    private static final byte[] NOTHING = {};

    private final Exchange exchange;
    private final RequestRing ring;
    private final Instant at;
    private final long began;
    private @Nullable Caller caller;
    private byte[] sent = NOTHING;

    WatchedExchange(Exchange exchange, RequestRing ring, Instant at, long began) {
        this.exchange = exchange;
        this.ring = ring;
        this.at = at;
        this.began = began;
    }

    @Override
    public void identified(Caller known) {
        caller = known;
        exchange.identified(known);
    }

    @Override
    public @Nullable UUID identifiedKey() {
        return exchange.identifiedKey();
    }

    @Override
    public void injected(Injected fault) {
        exchange.injected(fault);
    }

    @Override
    public @Nullable Injected injected() {
        return exchange.injected();
    }

    @Override
    public byte[] body() {
        sent = exchange.body();
        return sent;
    }

    /** It is kept before it is sent, so that a client that has the answer finds the request. */
    @Override
    public long answer(Answer answer) {
        Verb verb = exchange.verb();
        if (caller != null && verb != null) {
            keep(caller, verb, answer);
        }
        return exchange.answer(answer);
    }

    private void keep(Caller known, Verb verb, Answer answer) {
        Client client = exchange.client();
        // Clients of ClickHouse's own interface put passwords and statements there.
        String query = exchange.path().startsWith(RequestWatch.QUERIES) ? "" : exchange.query();
        String target = query.isEmpty() ? exchange.path() : exchange.path() + "?" + query;
        boolean tells = verb != Verb.GET || answer.status() >= 400;
        Injected fault = exchange.injected();
        ring.add(new SeenRequest(
                exchange.requestId(),
                at,
                new SeenRequest.Sender(
                        known.organizationId(),
                        known.keyId(),
                        known.keyName(),
                        client.host(),
                        client.agent() == null ? "" : client.agent()),
                verb,
                target.substring(0, Math.min(target.length(), MAX_TARGET_LENGTH)),
                fault != null && fault.cuts() ? ConnectionLost.CLIENT_WENT_AWAY : answer.status(),
                fault == null ? "" : fault.fault(),
                Duration.ofNanos(System.nanoTime() - began),
                kept(sent),
                tells && answer.content() instanceof Answer.Whole whole ? kept(whole.bytes()) : SeenRequest.Body.NONE));
    }

    private static SeenRequest.Body kept(byte[] body) {
        if (body.length == 0) {
            return SeenRequest.Body.NONE;
        }
        return new SeenRequest.Body(body.length > MAX_BODY_BYTES ? null : withoutSecrets(body), body.length);
    }

    private static @Nullable String withoutSecrets(byte[] body) {
        try {
            Tree.Members blanked = FieldChange.withoutSecrets(JsonReader.readObject(body, new Faults()));
            return new String(JsonWriter.document(out -> TreeJson.write(out, blanked)), StandardCharsets.UTF_8);
        } catch (Refused unreadable) {
            return null;
        }
    }

    @Override
    public UUID requestId() {
        return exchange.requestId();
    }

    @Override
    public @Nullable Verb verb() {
        return exchange.verb();
    }

    @Override
    public String path() {
        return exchange.path();
    }

    @Override
    public String query() {
        return exchange.query();
    }

    @Override
    public List<String> field(RequestField field) {
        return exchange.field(field);
    }

    @Override
    public InetAddress remoteAddress() {
        return exchange.remoteAddress();
    }

    @Override
    public Optional<CalledAddress> calledAddress() {
        return exchange.calledAddress();
    }

    @Override
    public Client client() {
        return exchange.client();
    }

    @Override
    public boolean hasBody() {
        return exchange.hasBody();
    }

    @Override
    public void ifLost(Runnable then) {
        exchange.ifLost(then);
    }

    @Override
    public boolean gone() {
        return exchange.gone();
    }

    @Override
    public InputStream stream() {
        return exchange.stream();
    }

    @Override
    public void whenGone(Runnable gone) {
        exchange.whenGone(gone);
    }
}
