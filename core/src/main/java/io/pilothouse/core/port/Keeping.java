package io.pilothouse.core.port;

import java.time.Instant;
import java.util.UUID;

/**
 * The kept answer of a request that named an idempotency key or whose answer was lost, then under a name of ours and
 * with the id of what was made as its fingerprint; {@code sealedAnswer} (base64) opens only for the same caller.
 */
public record Keeping(UUID keyId, String idempotencyKey, String fingerprint, String sealedAnswer, Instant keptAt) {}
