package io.pilothouse.http.wire;

import io.pilothouse.core.key.Idempotency;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.http.json.JsonWriter;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Supplier;

/** Answers POSTs, so that one repeated under the same Idempotency-Key is done once and answered identically. */
public final class OnceOnly {
    private final Idempotency idempotency;

    public OnceOnly(Idempotency idempotency) {
        this.idempotency = idempotency;
    }

    /** Does the work and shows its result, unless that was done for the same key and request before. */
    public <T> Answer answer(Request request, Supplier<Prepared<T>> work, JsonWriter.ItemWriter<T> writer) {
        String key = request.idempotencyKey();
        if (key == null) {
            return Answer.json(request.success(idempotency.each(work), writer));
        }
        Idempotency.Kept kept = idempotency.once(
                request.permit(), key, request.callerSecret(), fingerprint(request.distinctBytes()), () -> {
                    Prepared<T> prepared = work.get();
                    return tables -> request.success(prepared.write(tables), writer);
                });
        Answer answer = Answer.json(kept.answer());
        if (!kept.replayed()) {
            return answer;
        }
        Answer replayed = answer.with("Idempotency-Replayed", "true");
        // The id in the header is always the one in the body, which here is that of the first request.
        String first = request.shape().requestId(kept.answer());
        return first == null ? replayed : replayed.with(Answer.REQUEST_ID, first);
    }

    private static String fingerprint(byte[] bytes) {
        try {
            return SecretHash.base64(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
