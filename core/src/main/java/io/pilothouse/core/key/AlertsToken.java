package io.pilothouse.core.key;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A bearer token of the alerts interface: found by the keyed hash of its text, which is all that is stored. */
public record AlertsToken(
        Head head,
        String name,
        String tokenSuffix,
        String tokenHash,
        @Nullable Instant usedAt) implements Stored {
    /** Reference: the keyed hash of the token, unique. */
    public static final Kind<AlertsToken> KIND = new Kind<>("alerts_tokens", AlertsToken.class);

    public UUID organizationId() {
        return head.ownerId();
    }

    /** As it is kept after a use; its hash may be a newer one of the same text. */
    public AlertsToken used(Instant now, String newTokenHash) {
        return new AlertsToken(head, name, tokenSuffix, newTokenHash, now);
    }

    public AlertsToken withTokenHash(String newTokenHash) {
        return new AlertsToken(head, name, tokenSuffix, newTokenHash, usedAt);
    }

    @Override
    public String toString() {
        return "AlertsToken[" + id() + "]";
    }
}
