package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rule over one tile of a dashboard and what the evaluator found: requests write the rule and the silence, the engine
 * writes the watch. {@code builtIn} ones exist as long as their organization.
 */
public record Alert(
        Head head,
        Instant updatedAt,
        boolean builtIn,
        AlertRule rule,
        @Nullable AlertSilence silence,
        AlertWatch watch) implements Stored {
    public static final Kind<Alert> KIND = new Kind<>("alerts", Alert.class);

    public UUID organizationId() {
        return head.ownerId();
    }

    public AlertState state() {
        return watch.state();
    }

    /** The silence, while it lasts. */
    public @Nullable AlertSilence silence(Instant now) {
        return silence != null && silence.holds(now) ? silence : null;
    }

    /**
     * The alert under another rule. The watch stays, so that a receiver that was notified of a fire is notified of its
     * end; only a changed schedule starts again, with the current window.
     */
    public Alert withRule(AlertRule next, Instant now) {
        boolean sameWindows = next.schedule().equals(rule.schedule());
        AlertWatch kept =
                sameWindows ? watch : watch.withMeasuredUntil(next.schedule().begin(now));
        return new Alert(head, now, builtIn, next, silence, kept.withFailure(null));
    }

    public Alert withSilence(@Nullable AlertSilence next) {
        return new Alert(head, updatedAt, builtIn, rule, next, watch);
    }

    public Alert withWatch(AlertWatch next) {
        return new Alert(head, updatedAt, builtIn, rule, silence, next);
    }
}
