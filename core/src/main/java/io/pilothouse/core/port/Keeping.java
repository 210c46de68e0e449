package io.pilothouse.core.port;

import java.time.Instant;
import java.util.UUID;

/** The kept answer of a request that named an idempotency key; {@code sealedAnswer} (base64) opens only for the same caller. */
public record Keeping(UUID keyId, String idempotencyKey, String fingerprint, String sealedAnswer, Instant keptAt) {}
