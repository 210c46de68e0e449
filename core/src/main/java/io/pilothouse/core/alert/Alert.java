package io.pilothouse.core.alert;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.secret.SecretHash;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rule over one tile of a dashboard and what the evaluator found: requests write the rule and the silence, the engine
 * writes the watch. {@code builtIn} ones came with the organization and stay.
 */
public record Alert(
        UUID id,
        UUID organizationId,
        Instant createdAt,
        Instant updatedAt,
        long version,
        boolean builtIn,
        AlertRule rule,
        @Nullable AlertSilence silence,
        AlertWatch watch)
        implements Stored {
    public static final Kind<Alert> KIND = new Kind<>("alerts", Alert.class);

    private static final int TAG_BYTES = 16;

    @Override
    public UUID ownerId() {
        return organizationId;
    }

    /**
     * Changes with anything that clients see, and with nothing else: the engine writes after every window, and must not
     * lose a race for a client whose knowledge is current.
     */
    public String entityTag() {
        List<Object> shown = Arrays.asList(rule, silence, state(), watch.errors());
        return HexFormat.of().formatHex(SecretHash.sha256(shown.toString()), 0, TAG_BYTES);
    }

    public AlertState state() {
        return watch.state();
    }

    /** The silence, while it holds. */
    public @Nullable AlertSilence silence(Instant now) {
        return silence != null && silence.holds(now) ? silence : null;
    }

    /**
     * Another rule. What was found stays, so that a receiver that was told of a fire hears of its end; only another
     * schedule begins anew with the window that runs now.
     */
    public Alert withRule(AlertRule next, Instant now) {
        boolean sameWindows = next.schedule().equals(rule.schedule());
        AlertWatch kept =
                sameWindows ? watch : watch.withMeasuredUntil(next.schedule().begin(now));
        return new Alert(id, organizationId, createdAt, now, version, builtIn, next, silence, kept.withFailure(null));
    }

    public Alert withSilence(@Nullable AlertSilence next) {
        return new Alert(id, organizationId, createdAt, updatedAt, version, builtIn, rule, next, watch);
    }

    public Alert withWatch(AlertWatch next) {
        return new Alert(id, organizationId, createdAt, updatedAt, version, builtIn, rule, silence, next);
    }
}
