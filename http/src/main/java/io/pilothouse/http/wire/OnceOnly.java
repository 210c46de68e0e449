package io.pilothouse.http.wire;

import io.pilothouse.core.key.Idempotency;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.http.json.JsonWriter;
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
    public Answer answer(Request request, Supplier<JsonWriter.Part> work) {
        Outcome outcome = once(request, () -> Envelope.of(request.requestId(), work.get()));
        // The id in the header is always the one in the body, which here is that of the first request.
        return outcome.replayed()
                ? outcome.answer().with(Answer.REQUEST_ID, Envelope.requestId(outcome.document()))
                : outcome.answer();
    }

    /** The same for the alerts interface, whose answers hold no id of a request. */
    public Answer answerData(Request request, Supplier<JsonWriter.Part> work) {
        return once(request, () -> Data.document(work.get())).answer();
    }

    private Outcome once(Request request, Supplier<byte[]> document) {
        String key = request.idempotencyKey();
        if (key == null) {
            return new Outcome(document.get(), false);
        }
        Idempotency.Kept kept = idempotency.once(
                request.permit(), key, request.callerSecret(), fingerprint(request.distinctBytes()), document);
        return new Outcome(kept.answer(), kept.replayed());
    }

    /** What a request came to, now or earlier. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Outcome(byte[] document, boolean replayed) {
        Answer answer() {
            Answer answer = Answer.json(document);
            return replayed ? answer.with("Idempotency-Replayed", "true") : answer;
        }
    }

    private static String fingerprint(byte[] bytes) {
        try {
            return SecretHash.base64(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
