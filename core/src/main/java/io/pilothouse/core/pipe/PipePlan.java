package io.pilothouse.core.pipe;

import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.pipe.PipeRunner.PipeSight;
import io.pilothouse.core.port.Tasks.Claim;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what to do next for a pipe from what is wanted and what is seen; pure, and without a stored phase. */
public final class PipePlan {
    /** How long a pipe may be on its way before clients see that it failed. */
    static final Duration PATIENCE = Duration.ofMinutes(15);

    private final Pace pace;

    public PipePlan(Pace pace) {
        this.pace = pace;
    }

    /**
     * The next move, and the state that clients may see once it has been tried; {@code deadline} is when they learn of
     * a delay, and {@code tries} how often it was tried since the last change.
     */
    public record Step(Move move, PipeSeen seen, Instant deadline, int tries) {}

    public Step next(Pipe pipe, PipeSight sight, Claim claim, Instant now) {
        Move decided = switch (pipe.want().wish()) {
            case RUN -> toRun(pipe, sight, now);
            case STOP -> toStop(sight, now);
            case DELETE -> sight.phase() == PipePhase.ABSENT ? new Move.Gone() : new Move.Erase();
        };
        Instant deadline = begun(pipe, claim).plus(PATIENCE);
        boolean late = hastens(decided, sight) && !now.isBefore(deadline);
        PipePhase phase = shown(pipe, sight, decided, late);
        Instant since = phase == pipe.seen().phase() ? pipe.seen().since() : now;
        Move move = decided instanceof Move.Wait ? new Move.Wait(pace.nextLook(since, now)) : decided;
        return new Step(
                move,
                new PipeSeen(phase, sight.generation(), sight.resyncs(), trouble(sight, decided, late), since),
                deadline,
                pace.triesFor(Duration.between(pipe.updatedAt(), now), claim.tries()));
    }

    /** A change of a pipe that has long been as wanted is not late from the beginning. */
    private static Instant begun(Pipe pipe, Claim claim) {
        Instant wished = pipe.want().since();
        return wished.isAfter(claim.unsettledSince()) ? wished : claim.unsettledSince();
    }

    private static Move toRun(Pipe pipe, PipeSight sight, Instant now) {
        boolean current = sight.generation() >= pipe.want().generation()
                && sight.resyncs() >= pipe.want().resyncs();
        return switch (sight.phase()) {
            case UNKNOWN -> unseen(sight);
            case ABSENT, STOPPED, INTERNAL_ERROR -> new Move.Start();
            case PROVISIONING, SETUP, SNAPSHOT -> current ? new Move.Wait(now) : new Move.Start();
            // It comes to rest first, and is started then.
            case STOPPING -> new Move.Wait(now);
            // A pipe that ends by itself is looked at until it has ended.
            case RUNNING -> current && pipe.endsByItself() ? new Move.Wait(now) : settledOrStart(current);
            // A pipe that failed for a reason that only its owner can mend waits for a change.
            case DEGRADED, COMPLETED, FAILED -> settledOrStart(current);
        };
    }

    private static Move settledOrStart(boolean current) {
        return current ? new Move.Settled() : new Move.Start();
    }

    private static Move toStop(PipeSight sight, Instant now) {
        return switch (sight.phase()) {
            case UNKNOWN -> unseen(sight);
            case ABSENT, STOPPED, COMPLETED -> new Move.Settled();
            case STOPPING -> new Move.Wait(now);
            case PROVISIONING, SETUP, SNAPSHOT, RUNNING, DEGRADED, FAILED, INTERNAL_ERROR -> new Move.Stop();
        };
    }

    private static Move unseen(PipeSight sight) {
        return new Move.BackOff(sight.fault() == null ? "It could not be looked at" : sight.fault());
    }

    /** Whether this should not take long: reading what there is may take as long as there is much. */
    private static boolean hastens(Move move, PipeSight sight) {
        return switch (move) {
            case Move.Settled _, Move.Gone _ -> false;
            case Move.Wait _ -> sight.phase() != PipePhase.RUNNING && sight.phase() != PipePhase.SNAPSHOT;
            case Move.Start _, Move.Stop _, Move.Erase _, Move.BackOff _ -> true;
        };
    }

    private static PipePhase shown(Pipe pipe, PipeSight sight, Move move, boolean late) {
        if (late && pipe.want().wish() == Pipe.Wish.RUN) {
            return PipePhase.FAILED;
        }
        return switch (move) {
            // A worker that runs goes on while it takes up a change; anything else is on its way again.
            case Move.Start _ -> sight.phase() == PipePhase.RUNNING ? PipePhase.RUNNING : PipePhase.PROVISIONING;
            case Move.Stop _, Move.Erase _ -> PipePhase.STOPPING;
            // Not having been able to look changes nothing that was seen.
            case Move.BackOff _ -> pipe.seen().phase();
            case Move.Wait _, Move.Settled _, Move.Gone _ -> sight.phase();
        };
    }

    private static @Nullable String trouble(PipeSight sight, Move move, boolean late) {
        if (sight.fault() != null && !(move instanceof Move.BackOff)) {
            return sight.fault();
        }
        return late ? "It did not get there within " + TimeLimit.words(PATIENCE) : null;
    }
}
