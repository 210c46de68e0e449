package io.pilothouse.http;

import io.pilothouse.core.domain.SecretHash;
import io.pilothouse.core.operation.Idempotency;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Supplier;

/** Answers POSTs, so that one repeated under the same Idempotency-Key is done once and answered alike. */
public final class OnceOnly {
    private final Idempotency idempotency;

    public OnceOnly(Idempotency idempotency) {
        this.idempotency = idempotency;
    }

    /** Does the work, unless it was done for the same key and request before; its result goes into an envelope. */
    Answer answer(Request request, Supplier<JsonWriter.Part> work) {
        String key = request.idempotencyKey();
        if (key == null) {
            return Answer.json(Envelope.of(request.requestId(), work.get()));
        }
        Idempotency.Kept kept = idempotency.once(
                request.permit(),
                key,
                request.callerSecret(),
                fingerprint(request.distinctBytes()),
                () -> Envelope.of(request.requestId(), work.get()));
        Answer answer = Answer.json(kept.answer());
        // The id in the header is always the one in the body, which here is that of the first request.
        return kept.replayed()
                ? answer.with("Idempotency-Replayed", "true").with(Answer.REQUEST_ID, Envelope.requestId(kept.answer()))
                : answer;
    }

    private static String fingerprint(byte[] bytes) {
        try {
            return SecretHash.base64(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
