package io.pilothouse.core.service;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last observation of a service, written by the engine only. {@code everRan} stays true once it ran;
 * {@code trouble} is a sentence for a person, there when a deadline was missed or the plane reported a fault.
 */
public record Seen(
        Condition condition,
        boolean everRan,
        @Nullable String dbVersion,
        @Nullable String trouble,
        Instant since) {

    public static Seen nothingYet(Instant now) {
        return new Seen(Condition.UNKNOWN, false, null, null, now);
    }

    public Seen withDbVersion(@Nullable String version) {
        return new Seen(condition, everRan, version, trouble, since);
    }

    public Seen withTrouble(@Nullable String sentence) {
        return new Seen(condition, everRan, dbVersion, sentence, since);
    }
}
