package io.pilothouse.core.engine;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tasks.Backlog;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.port.Wake;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Takes due tasks out of the store and hands each to its pass, within its limits. It has no thread of its own:
 * {@link #start} borrows one, tests call {@link #turn} instead. Safe for many threads; losing the store makes it wait.
 */
public final class Dispatcher implements Wake {
    private static final Logger LOG = System.getLogger(Dispatcher.class.getName());

    /** The pause after a turn in which another process was faster. */
    private static final Duration BREATH = Duration.ofMillis(20);

    /**
     * The least time between two turns: tasks that are nudged meanwhile are handed out by one claim and not by one
     * each.
     */
    private static final Duration GATHERING = Duration.ofMillis(2);

    private final Store store;
    private final Clock clock;
    private final Map<Kind, Pass> passes;
    private final Executor executor;
    private final String owner;
    private final DispatchLimits limits;
    private final Pace pace;
    private final Roster roster;
    private final StoreOutage outage = new StoreOutage();
    private final ClockSetBack setBack;

    /** Held while tasks are claimed: no reader finds one that is no longer due and not yet on the roster. */
    private final ReentrantLock claiming = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition nudged = lock.newCondition();
    private final Condition stop = lock.newCondition();
    private long nudges;
    private boolean stopping;
    private boolean looping;

    /** When the last round began, by the clock of the machine that nobody sets. */
    private volatile long roundBegan = System.nanoTime();

    /** {@code executor} runs each pass on a thread of its own; {@code owner} names this process in leases. */
    public Dispatcher(
            Store store,
            Clock clock,
            Map<Kind, Pass> passes,
            Executor executor,
            String owner,
            DispatchLimits limits,
            Pace pace) {
        this.store = store;
        this.clock = clock;
        this.passes = new EnumMap<>(Kind.class);
        this.passes.putAll(passes);
        for (Kind kind : Kind.values()) {
            if (!passes.containsKey(kind)) {
                throw new IllegalArgumentException("No pass looks after " + kind);
            }
        }
        this.executor = executor;
        this.owner = owner;
        this.limits = limits;
        this.pace = pace;
        this.roster = new Roster(limits);
        this.setBack = new ClockSetBack(store);
    }

    /**
     * For a process that has the store to itself: what held a task before is dead, and what failed under another process
     * need not fail under this one.
     */
    public void takeOver() {
        setBack.takeOver(clock.now(), limits.lease());
        store.change(tables -> tables.tasks().beginAgain(clock.now()));
    }

    /** Begins to take turns, on a thread of the executor, until {@link #stop}. */
    public void start() {
        lock.lock();
        try {
            looping = true;
        } finally {
            lock.unlock();
        }
        executor.execute(this::loop);
    }

    private void loop() {
        try {
            long before = nudges();
            while (!stopping()) {
                Instant next = turn();
                gather();
                before = pauseUntil(next, before);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.lock();
            try {
                looping = false;
            } finally {
                lock.unlock();
            }
            nudge();
        }
    }

    /** Pauses, ignoring nudges, unless it is stopped. */
    private void gather() throws InterruptedException {
        lock.lock();
        try {
            long nanos = GATHERING.toNanos();
            while (!stopping && nanos > 0) {
                nanos = stop.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands out what is due and says when to come back without a nudge. */
    public Instant turn() {
        try {
            Optional<Instant> pause = Optional.empty();
            while (pause.isEmpty()) {
                roundBegan = System.nanoTime();
                // Read again for each batch: a long backlog must not be claimed under leases of an hour ago.
                Instant now = clock.now();
                setBack.follow(now);
                extendLeases(now);
                pause = handOut(now);
            }
            outage.over();
            return pause.get();
        } catch (RuntimeException e) {
            return clock.now().plus(outage.noticed(e));
        }
    }

    /** Hands out one batch; says until when to pause when nothing is due or no pass is free. */
    private Optional<Instant> handOut(Instant now) {
        Instant poll = clock.after(limits.poll());
        int free = roster.free(now);
        if (free < 1) {
            return Optional.of(roster.nextSlow(now, roster.nextExtension(poll)));
        }
        Instant due = store.read(tables -> tables.tasks().nextDue()).orElse(poll);
        if (due.isAfter(now)) {
            return Optional.of(roster.nextExtension(due.isBefore(poll) ? due : poll));
        }
        List<Claim> claims;
        claiming.lock();
        try {
            if (stopping()) {
                return Optional.of(poll);
            }
            Instant leaseUntil = now.plus(limits.lease());
            claims = store.writeTasks(tasks -> tasks.claim(owner, now, leaseUntil, free));
            claims.forEach(claim -> roster.add(claim, now, leaseUntil));
        } finally {
            claiming.unlock();
        }
        if (claims.isEmpty()) {
            return Optional.of(now.plus(BREATH));
        }
        claims.forEach(this::hand);
        return Optional.empty();
    }

    private void hand(Claim claim) {
        try {
            executor.execute(() -> perform(claim));
        } catch (RejectedExecutionException e) {
            roster.remove(claim);
            giveBack(claim, limits.poll(), claim.tries());
        }
    }

    private void perform(Claim claim) {
        try {
            Objects.requireNonNull(passes.get(claim.kind())).run(claim);
        } catch (StoreUnavailable e) {
            // The lease ends by itself, and then the pass is run again.
            outage.noticed(e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "A pass over " + claim.kind() + " " + claim.subjectId() + " failed", e);
            giveBack(claim, pace.backOff(claim.tries(), 1.0), claim.tries() + 1);
        } finally {
            roster.remove(claim);
            nudge();
        }
    }

    private void giveBack(Claim claim, Duration pause, int tries) {
        try {
            Instant now = clock.now();
            store.writeTasks(
                    tasks -> tasks.release(claim, new Release(now.plus(pause), Urgency.ROUTINE, tries, false), now));
        } catch (RuntimeException e) {
            outage.noticed(e);
        }
    }

    private void extendLeases(Instant now) {
        List<Claim> due = roster.toExtend(now);
        if (due.isEmpty()) {
            return;
        }
        Instant leaseUntil = now.plus(limits.lease());
        store.writeTasks(tasks -> {
            due.forEach(claim -> tasks.extend(claim, leaseUntil));
            return due.size();
        });
        // One whose lease was lost is noted too: asking again would not bring it back, and its pass finds out itself.
        due.forEach(claim -> roster.extended(claim, leaseUntil));
    }

    /** There may be work: the next turn begins now. */
    @Override
    public void nudge() {
        lock.lock();
        try {
            nudges++;
            nudged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long nudges() {
        lock.lock();
        try {
            return nudges;
        } finally {
            lock.unlock();
        }
    }

    private boolean stopping() {
        lock.lock();
        try {
            return stopping;
        } finally {
            lock.unlock();
        }
    }

    /** Pauses until a nudge since {@code before} or until the moment has come, and gives the count of nudges. */
    private long pauseUntil(Instant next, long before) throws InterruptedException {
        // A clock that was set back just now must not make a long pause of it.
        Duration pause = clock.until(next);
        long nanos = pause.compareTo(limits.poll()) < 0
                ? pause.toNanos()
                : limits.poll().toNanos();
        lock.lock();
        try {
            while (nudges == before && nanos > 0) {
                nanos = nudged.awaitNanos(nanos);
            }
            return nudges;
        } finally {
            lock.unlock();
        }
    }

    /** How many passes run now. */
    public int running() {
        return roster.size();
    }

    /** The time since it last began to look for work. */
    public Duration sinceLastRound() {
        return Duration.ofNanos(System.nanoTime() - roundBegan);
    }

    /** Why nothing is handed out any more, a sentence for operators; a round that takes longer than this is stuck. */
    public Optional<String> standstill(Duration longestRound) {
        if (!looping()) {
            return Optional.of("its loop does not run");
        }
        Duration silence = sinceLastRound();
        return silence.compareTo(longestRound) > 0
                ? Optional.of("it has not looked for work for " + silence.toSeconds() + " s")
                : Optional.empty();
    }

    /** Waits until nothing runs, nothing is due and everything is settled; false when that took too long. */
    public boolean awaitSettled(Duration limit) throws InterruptedException {
        return await(limit, () -> rests(backlog -> backlog.due() == 0 && backlog.unsettled() == 0));
    }

    /** Waits until nothing runs and nothing is due now; false when that took too long. */
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        return await(limit, () -> rests(backlog -> backlog.due() == 0));
    }

    /** Whether nothing runs and, at the same moment, what is left to do is little enough. */
    private boolean rests(Predicate<Backlog> enough) {
        claiming.lock();
        try {
            return roster.size() == 0
                    && enough.test(store.read(tables -> tables.tasks().backlog(clock.now())));
        } finally {
            claiming.unlock();
        }
    }

    /** Waits until no pass runs; false when that took too long. */
    public boolean awaitQuiet(Duration limit) throws InterruptedException {
        return await(limit, () -> roster.size() == 0);
    }

    private boolean await(Duration limit, BooleanSupplier met) throws InterruptedException {
        long nanos = limit.toNanos();
        while (true) {
            long before = nudges();
            if (met.getAsBoolean()) {
                return true;
            }
            lock.lock();
            try {
                while (nudges == before) {
                    if (nanos <= 0) {
                        return false;
                    }
                    nanos = nudged.awaitNanos(nanos);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Takes nothing more on, gives running passes this long to end, and gives up the leases of those that did not, so
     * that another process need not wait for them. Says whether all of them ended.
     */
    public boolean stop(Duration grace) throws InterruptedException {
        lock.lock();
        try {
            stopping = true;
            stop.signalAll();
        } finally {
            lock.unlock();
        }
        nudge();
        boolean ended = await(grace, () -> roster.size() == 0 && !looping());
        if (!ended) {
            claimed().forEach(claim -> giveBack(claim, Duration.ZERO, claim.tries()));
        }
        return ended;
    }

    /** Work that runs once no claim is under way. */
    private List<Claim> claimed() {
        claiming.lock();
        try {
            return roster.claims();
        } finally {
            claiming.unlock();
        }
    }

    private boolean looping() {
        lock.lock();
        try {
            return looping;
        } finally {
            lock.unlock();
        }
    }
}
