package io.pilothouse.core.service;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last observation of a service, written by the engine only. {@code everRan} stays true once it ran;
 * {@code protocols} are those that its database speaks, none while that is unknown; {@code trouble} is a sentence for a
 * person, there when a deadline was missed or the plane reported a fault; {@code waiting} is one too, of a service that
 * is on its way and waits for something, which is no trouble.
 */
public record Seen(
        Condition condition,
        boolean everRan,
        @Nullable String dbVersion,
        List<String> protocols,
        @Nullable String trouble,
        Instant since,
        @Nullable String waiting) {
    static final String LEAVES =
            "It moves to another host, because its own is drained. Until it runs there, nobody is let in";

    static final String ARRIVES =
            "It moves to this host, and its data is being restored here. Until that is done, nobody is let in";

    public Seen {
        protocols = List.copyOf(protocols);
    }

    /** One that waits for nothing. */
    public Seen(
            Condition condition,
            boolean everRan,
            @Nullable String dbVersion,
            List<String> protocols,
            @Nullable String trouble,
            Instant since) {
        this(condition, everRan, dbVersion, protocols, trouble, since, null);
    }

    /** Of a database whose protocols are unknown. */
    public Seen(
            Condition condition, boolean everRan, @Nullable String dbVersion, @Nullable String trouble, Instant since) {
        this(condition, everRan, dbVersion, List.of(), trouble, since);
    }

    public static Seen nothingYet(Instant now) {
        return new Seen(Condition.UNKNOWN, false, null, null, now);
    }

    /** What is known of the database; null leaves what was. */
    public Seen withDatabase(DataPlane.@Nullable Database database) {
        return database == null
                ? this
                : new Seen(condition, everRan, database.version(), database.protocols(), trouble, since, waiting);
    }

    /** What it waited for is of the look before. */
    public Seen withTrouble(@Nullable String sentence) {
        return new Seen(condition, everRan, dbVersion, protocols, sentence, since);
    }

    /** Why the service is not as wanted, or not yet. */
    public @Nullable String reason() {
        return trouble == null ? waiting : trouble;
    }

    /** Whether clients can use this protocol of the contract; while nobody knows, they can. */
    public boolean speaks(String protocol) {
        return protocols.isEmpty() || protocols.contains(protocol);
    }
}
