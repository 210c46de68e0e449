package io.pilothouse.console;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.CalledAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A request of the API that a form sends for somebody who is signed in; its answer stays in this process. */
final class InnerExchange implements Exchange {
    private final Visit visit;
    private final ApiCall call;
    private final String once;
    private final byte[] body;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private @Nullable Answer answered;

    /** What is sent again under the same {@code once}, unless that is empty, is done once. */
    InnerExchange(Visit visit, ApiCall call, String once) {
        this.visit = visit;
        this.call = call;
        this.once = once;
        this.body = call.body() == null ? new byte[0] : call.body().getBytes(StandardCharsets.UTF_8);
    }

    Answer answered() {
        if (answered == null) {
            throw new IllegalStateException("The gate gives every request an answer");
        }
        return answered;
    }

    /** The content of the answer. */
    byte[] written() {
        return content.toByteArray();
    }

    /** The same as the form's: the history then names one request. */
    @Override
    public UUID requestId() {
        return visit.exchange().requestId();
    }

    @Override
    public Verb verb() {
        return call.verb();
    }

    @Override
    public String path() {
        return call.path();
    }

    @Override
    public String query() {
        return "";
    }

    @Override
    public List<String> field(RequestField field) {
        return switch (field) {
            case AUTHORIZATION -> List.of("Basic " + basic());
            case CONTENT_TYPE -> call.body() == null ? List.of() : List.of("application/json");
            case IDEMPOTENCY_KEY -> once.isEmpty() ? List.of() : List.of(once);
            case ACCEPT, COOKIE, HX_REQUEST, IF_MATCH, IF_NONE_MATCH, SEC_FETCH_SITE, WAKE_SERVICE -> List.of();
            case FORWARDED, HOST, ORIGIN, USER_AGENT, X_FORWARDED_FOR, X_FORWARDED_HOST, X_FORWARDED_PROTO ->
                visit.exchange().field(field);
        };
    }

    private String basic() {
        String pair = "session:" + visit.token();
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InetAddress remoteAddress() {
        return visit.exchange().remoteAddress();
    }

    @Override
    public Optional<CalledAddress> calledAddress() {
        return visit.apiAddress();
    }

    @Override
    public boolean hasBody() {
        return body.length > 0;
    }

    @Override
    public byte[] body() {
        return body.clone();
    }

    @Override
    public void ifLost(Runnable then) {
        // Its answer cannot be lost on the way to this process.
    }

    @Override
    public boolean gone() {
        return false;
    }

    @Override
    public InputStream stream() {
        return new ByteArrayInputStream(body);
    }

    @Override
    public void whenGone(Runnable gone) {
        // This process does not hang up on itself.
    }

    @Override
    public long answer(Answer answer) {
        answered = answer;
        switch (answer.content()) {
            case Answer.Whole whole -> content.writeBytes(whole.bytes());
            case Answer.Streamed streamed -> streamed.stream().writeTo(content);
            case Answer.None _ -> {
                // A 304, for which no page asks.
            }
        }
        return content.size();
    }
}
