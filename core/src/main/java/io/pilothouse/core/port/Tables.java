package io.pilothouse.core.port;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** One transaction's view of the store: a table for each kind of thing. Good inside the work it is handed to only. */
public interface Tables {
    /** The rows of one kind. */
    <T extends Stored> Table<T> of(Kind<T> kind);

    MetricPoints metricPoints();

    /** The check that a vault has the keys of this store; empty until one was kept. */
    Optional<String> findVaultCheck();

    void keepVaultCheck(String check);

    /** The check that {@code secret.key} is that of this store; empty until one was kept. */
    Optional<String> findSecretCheck();

    void keepSecretCheck(String check);

    /** The sealed text of this key; empty where keys are kept outside, and until there is one. */
    Optional<String> findSealed(SealedKey key);

    void keepSealed(SealedKey key, String sealed);

    Tasks tasks();

    Ports ports();

    /** Rows of every kind at once, by the organization that they belong to. */
    Belongings belongings();

    /** An id for something made at this moment; the same one if the work is run again. */
    UUID newId(Instant now);

    /** The answer kept for this key and idempotency key, unless it was kept before {@code notBefore}. */
    Optional<Keeping> findKeeping(UUID keyId, String idempotencyKey, Instant notBefore);

    /** Keeps an answer, replacing one that has grown too old. */
    void keep(Keeping keeping);

    void forgetKeeping(UUID keyId, String idempotencyKey);

    /** Forgets at most {@code limit} answers kept before this moment and says how many went. */
    int forgetKeepings(Instant before, int limit);

    /** Runs after the commit of the outermost write, never after a rollback. */
    void afterCommit(Runnable nudge);
}
