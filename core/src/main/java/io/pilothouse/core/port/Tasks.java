package io.pilothouse.core.port;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Work that is due: one row for each thing that the engine looks after. A claim holds a lease with a fencing token; a
 * write under an old token changes nothing. A wake during a claim is never lost: it wins over the nap.
 */
public interface Tasks {
    /** The kinds of things that tasks are for; the order is the urgency in which a backlog is taken. */
    enum Kind {
        SERVICE,
        SCALING_SCHEDULE,
        PIPE,
        REVERSE_PRIVATE_ENDPOINT,
        /** All backups of the service that is its subject. */
        BACKUP,
        ALERT,
        DELIVERY
    }

    /** How soon a task is taken when there are more than can be done: work that a person waits for comes first. */
    enum Urgency {
        NEW,
        CHANGED,
        ROUTINE
    }

    /** One task taken: {@code token} fences it, {@code tries} counts failures in a row, {@code unsettledSince} starts deadlines. */
    record Claim(Kind kind, UUID subjectId, long token, long wakes, int tries, Instant unsettledSince) {}

    /** Makes the task due now, creating it if there is none; starts its unsettled time unless it already runs. */
    void wake(Kind kind, UUID subjectId, Urgency urgency, Instant now);

    /**
     * Takes up to {@code limit} tasks that are due and not leased, most urgent first, then longest due: those that any
     * process may do and, where the store was opened for a host, those of that host.
     */
    List<Claim> claim(String owner, Instant now, Instant leaseUntil, int limit);

    /** Extends a lease; false when the token is old. */
    boolean extend(Claim claim, Instant leaseUntil);

    /**
     * Makes due now what is leased until a moment up to {@code until}, and any process's what was a host's. For a process
     * that has the store to itself: the holder of a lease that is older than its start is dead.
     */
    void endLeases(Instant now, Instant until);

    /**
     * Makes due now what failed and is unsettled, as if it had never been tried. What is leased is left alone, and so are
     * deliveries: their receiver may have asked for the pause.
     */
    void beginAgain(Instant now);

    /** The clock went back by this much: what nobody holds and is due later is due as much earlier, and not before now. */
    void bringForward(Duration by, Instant now);

    /** When the unsettled time began that began last. */
    Optional<Instant> latestUnsettled();

    /** Gives a task back, due at {@code next} or, if it was woken meanwhile, at once; false when the token is old. */
    boolean release(Claim claim, Release release, Instant now);

    /** Ends a task whose subject is deleted; false when the token is old. */
    boolean finish(Claim claim);

    /** When the next task without a lease is due, or when the next lease ends, whichever is first. */
    Optional<Instant> nextDue();

    /** When this thing is looked at next; empty when nobody looks after it. */
    Optional<Due> find(Kind kind, UUID subjectId);

    /** Leaves a task that is there to the processes of this host from now on; for null it stays whose it is. */
    void place(Kind kind, UUID subjectId, @Nullable UUID hostId);

    /** Whose the task is; empty for one that is not there or that any process may do. */
    Optional<UUID> findHost(Kind kind, UUID subjectId);

    /** At most {@code limit} things of this kind whose tasks are this host's, in the order of their ids. */
    List<UUID> placed(Kind kind, UUID hostId, @Nullable UUID afterId, int limit);

    /** How many there are; costs what it counts. */
    long countPlaced(Kind kind, UUID hostId);

    /** How many tasks are due now, and how many are unsettled. */
    Backlog backlog(Instant now);

    /** How a task is given back. {@code settled} ends its unsettled time. */
    record Release(Instant next, Urgency urgency, int tries, boolean settled) {}

    /** When a task can be taken: {@code taken} if somebody has it now, and then {@code at} is the end of the lease. */
    record Due(Instant at, boolean taken, boolean settled) {}

    /** How much work waits. */
    record Backlog(long due, long unsettled) {}
}
