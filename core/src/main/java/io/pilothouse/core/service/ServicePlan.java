package io.pilothouse.core.service;

import io.pilothouse.core.engine.Move;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.service.DataPlane.Sight;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do next for a service from what is wanted and what is seen; pure, so that every case is a line in a
 * table. It stores no phase: killed anywhere, the next look leads to the same end.
 */
public final class ServicePlan {
    /** After this many tries without settling, about half a minute, a fault is shown before the deadline is reached. */
    private static final int TRIES_BEFORE_TROUBLE = 5;

    private static final String LOST = "Its data is not where it was. Put its folder back, or delete the service and"
            + " restore a backup of it into a new one";

    private final Patience patience;
    private final Pace pace;

    public ServicePlan(Patience patience, Pace pace) {
        this.patience = patience;
        this.pace = pace;
    }

    /**
     * The next move, and the state that clients may see once it has been tried; {@code deadline} is when they learn of
     * a delay, and {@code tries} how often it was tried for this wish; {@code storedBytes} is from the look.
     */
    public record Step(
            Move move,
            Seen seen,
            Instant deadline,
            int tries,
            @Nullable Long storedBytes) {}

    public Step next(Service service, Sight sight, Claim claim, Instant now) {
        Instant begun = service.want().since().isAfter(claim.unsettledSince())
                ? service.want().since()
                : claim.unsettledSince();
        Instant deadline = begun.plus(patience.with(service));
        boolean late = !now.isBefore(deadline);
        int tries = pace.triesFor(Duration.between(service.want().since(), now), claim.tries());
        Condition before = service.seen().condition();
        Move decided = switch (service.wishNow()) {
            case RUN -> toRun(sight, late, now);
            case STOP, SLEEP -> toStop(sight, late, now);
            case DELETE -> toErase(sight, before, late, now);
        };
        Condition condition = after(decided, sight, before);
        Instant since = condition == before ? service.seen().since() : now;
        Move move = decided instanceof Move.Wait ? new Move.Wait(pace.nextLook(since, now)) : decided;
        boolean runs = sight.condition() == Condition.RUNNING && sight.fits();
        String trouble = trouble(service, sight, tries, late, decided);
        boolean waits = trouble == null && service.wish() == Wish.RUN && sight.condition() == Condition.STARTING;
        Seen seen = new Seen(
                        condition,
                        service.seen().everRan() || runs,
                        service.seen().dbVersion(),
                        service.seen().protocols(),
                        trouble == null ? moving(service, runs) : trouble,
                        since,
                        waits ? sight.fault() : null)
                .withDatabase(sight.database());
        return new Step(move, seen, deadline, tries, sight.storedBytes());
    }

    /** The state that clients may see when the move of this step failed. */
    public Seen afterFault(Step step, Service service, String fault, Instant now) {
        boolean late = !now.isBefore(step.deadline());
        boolean judged = step.move() instanceof Move.BackOff;
        if (judged || (!late && step.tries() < TRIES_BEFORE_TROUBLE)) {
            return step.seen();
        }
        return step.seen().withTrouble(sentence(service, fault, late));
    }

    /** Why nobody is let in; null unless the service moves. */
    private static @Nullable String moving(Service service, boolean runs) {
        if (!service.isMoving() || (service.isArriving() && runs)) {
            return null;
        }
        return service.isArriving() ? Seen.ARRIVES : Seen.LEAVES;
    }

    private static Move toRun(Sight sight, boolean late, Instant now) {
        return switch (sight.condition()) {
            case UNKNOWN -> unseen(sight);
            // A start would make an empty database, and clients would write into it. Its data may come back.
            case LOST -> new Move.Wait(now);
            case ABSENT, STOPPED, BROKEN -> new Move.Start();
            // Stuck on its way: asking again is harmless, and all that can be done.
            case STARTING, STOPPING -> late ? new Move.Start() : new Move.Wait(now);
            case RUNNING -> sight.fits() ? new Move.Settled() : new Move.Start();
        };
    }

    private static Move toStop(Sight sight, boolean late, Instant now) {
        return switch (sight.condition()) {
            case UNKNOWN -> unseen(sight);
            case ABSENT, LOST, STOPPED -> new Move.Settled();
            case STARTING, RUNNING, BROKEN -> new Move.Stop();
            case STOPPING -> late ? new Move.Stop() : new Move.Wait(now);
        };
    }

    private static Move toErase(Sight sight, Condition before, boolean late, Instant now) {
        return switch (sight.condition()) {
            // A service that is deleted anyway loses nothing by a blind attempt.
            case UNKNOWN -> late ? new Move.Erase() : unseen(sight);
            case ABSENT, LOST -> new Move.Gone();
            case STARTING, RUNNING, STOPPED, BROKEN -> new Move.Erase();
            case STOPPING -> before == Condition.STOPPING && !late ? new Move.Wait(now) : new Move.Erase();
        };
    }

    private static Move unseen(Sight sight) {
        return new Move.BackOff(sight.fault() == null ? "It could not be looked at" : sight.fault());
    }

    /**
     * The state once the move is made. A service that has just been ordered to stop is not called running, even if
     * the wish changes back before the next look; one that runs keeps that name while it is made to fit.
     */
    private static Condition after(Move move, Sight sight, Condition before) {
        return switch (move) {
            case Move.Start _ ->
                sight.condition() == Condition.RUNNING && before == Condition.RUNNING
                        ? Condition.RUNNING
                        : Condition.STARTING;
            case Move.Stop _, Move.Erase _ -> Condition.STOPPING;
            // Not having been able to look changes nothing that was seen.
            case Move.BackOff _ -> before;
            case Move.Wait _, Move.Settled _, Move.Gone _ -> sight.condition();
        };
    }

    private @Nullable String trouble(Service service, Sight sight, int tries, boolean late, Move move) {
        boolean broken = sight.condition() == Condition.BROKEN;
        String fault = broken && sight.fault() == null ? "It broke down" : sight.fault();
        if (sight.condition() == Condition.LOST) {
            // A plane that knows what has happened says so.
            return service.wish() == Wish.DELETE ? null : sight.fault() == null ? LOST : sight.fault();
        }
        if (move instanceof Move.Settled) {
            return service.wishNow() == Wish.RUN ? fault : null;
        }
        String earlier = service.seen().trouble();
        if (move instanceof Move.BackOff && !late) {
            return earlier;
        }
        // A service that is to end anyway has not broken down.
        boolean fell = broken && service.seen().everRan() && service.wishNow() == Wish.RUN;
        if (!fell && !late && tries < TRIES_BEFORE_TROUBLE) {
            return null;
        }
        if (fault != null) {
            return sentence(service, fault, late);
        }
        // A sentence with a cause says more than one without, and a row that does not change is not written.
        return earlier == null && late ? patience.sentence(service) : earlier;
    }

    private String sentence(Service service, String fault, boolean late) {
        return late ? patience.sentence(service) + ": " + fault : fault;
    }
}
