package io.pilothouse.store;

import io.pilothouse.core.port.Keeping;
import io.pilothouse.store.rows.EpochNanos;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The kept answers in one transaction. */
final class KeepingTable {
    static final String FIND = """
        SELECT fingerprint, sealed_answer, kept_at FROM keepings
        WHERE key_id = ? AND idempotency_key = ? AND kept_at >= ?\
        """;
    static final String KEEP = """
        INSERT INTO keepings (key_id, idempotency_key, fingerprint, sealed_answer, kept_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
            sealed_answer = excluded.sealed_answer, kept_at = excluded.kept_at\
        """;
    static final String FORGET_ONE = "DELETE FROM keepings WHERE key_id = ? AND idempotency_key = ?";
    static final String FORGET = """
        DELETE FROM keepings WHERE (key_id, idempotency_key) IN
            (SELECT key_id, idempotency_key FROM keepings WHERE kept_at < ? ORDER BY kept_at LIMIT ?)\
        """;

    private final Transaction transaction;

    KeepingTable(Transaction transaction) {
        this.transaction = transaction;
    }

    Optional<Keeping> find(UUID keyId, String idempotencyKey, Instant notBefore) {
        return transaction.first(
                FIND,
                row -> new Keeping(
                        keyId,
                        idempotencyKey,
                        row.getString(1),
                        row.getString(2),
                        EpochNanos.toInstant(row.getLong(3))),
                keyId.toString(),
                idempotencyKey,
                EpochNanos.of(notBefore));
    }

    void keep(Keeping keeping) {
        transaction.changeLater(
                KEEP,
                keeping.keyId().toString(),
                keeping.idempotencyKey(),
                keeping.fingerprint(),
                keeping.sealedAnswer(),
                EpochNanos.of(keeping.keptAt()));
    }

    void forget(UUID keyId, String idempotencyKey) {
        transaction.change(FORGET_ONE, keyId.toString(), idempotencyKey);
    }

    int forget(Instant before, int limit) {
        return transaction.change(FORGET, EpochNanos.of(before), limit);
    }
}
