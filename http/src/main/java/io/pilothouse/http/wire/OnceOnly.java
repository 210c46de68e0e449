package io.pilothouse.http.wire;

import io.pilothouse.core.key.Idempotency;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.http.json.JsonWriter;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
            return Answer.json(request.success(idempotency.each(lasting(request, work)), writer));
        }
        Idempotency.Kept kept = idempotency.once(
                request.permit(), key, request.callerSecret(), fingerprint(request.distinctBytes()), () -> {
                    Prepared<T> prepared = lasting(request, work).get();
                    return tables -> request.success(prepared.write(tables), writer);
                });
        return kept.replayed() ? replayed(request, kept.answer()) : Answer.json(kept.answer());
    }

    /**
     * The same, and also without an Idempotency-Key: when the answer to a creation was lost, its repetition by the same
     * caller is given that answer, as long as what was made is still there. An answer that was delivered is given to
     * nobody again.
     */
    public <T> Answer answerAgainIfLost(
            Request request,
            Supplier<Prepared<T>> work,
            JsonWriter.ItemWriter<T> writer,
            Function<T, UUID> made,
            BiPredicate<Tables, UUID> there) {
        if (request.idempotencyKey() != null) {
            return answer(request, work, writer);
        }
        Idempotency.Maker maker =
                new Idempotency.Maker(request.permit(), request.callerSecret(), fingerprint(request.distinctBytes()));
        Idempotency.Lost found = idempotency.takeLost(maker, there).orElse(null);
        if (found != null) {
            request.ifLost(() -> idempotency.keepLost(maker, found));
            return replayed(request, found.answer());
        }
        // Its loss matters from the commit on, so the client is watched from before it.
        AtomicReference<Idempotency.@Nullable Lost> done = new AtomicReference<>();
        request.ifLost(() -> {
            Idempotency.Lost lost = done.get();
            if (lost != null) {
                idempotency.keepLost(maker, lost);
            }
        });
        T result = idempotency.each(lasting(request, work));
        byte[] answer = request.success(result, writer);
        done.set(new Idempotency.Lost(made.apply(result), answer));
        return Answer.json(answer);
    }

    /** The same work, which writes nothing into an organization that was erased since it was prepared. */
    private static <T> Supplier<Prepared<T>> lasting(Request request, Supplier<Prepared<T>> work) {
        return () -> {
            Prepared<T> prepared = work.get();
            return tables -> {
                OrganizationOperations.get(tables, request.permit().organizationId());
                return prepared.write(tables);
            };
        };
    }

    private static Answer replayed(Request request, byte[] kept) {
        Answer replayed = Answer.json(kept).with("Idempotency-Replayed", "true");
        // The id in the header is always the one in the body, which here is that of the first request.
        String first = request.shape().requestId(kept);
        return first == null ? replayed : replayed.with(Answer.REQUEST_ID, first);
    }

    private static String fingerprint(byte[] bytes) {
        return SecretHash.base64(SecretHash.sha256(bytes));
    }
}
