package io.pilothouse.core.engine;

import io.pilothouse.core.engine.Comeback.Terms;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings one thing one step nearer to what is wanted: find, look, decide, do one thing outside any transaction, and
 * record what came of it under the fence of the claim. It never writes a wish, and once its lease is lost it writes
 * nothing. A call that fails, in any way, is one sentence for the plan and the row, and a line in the log now and then.
 *
 * @param <W> what is wanted, as it was found
 * @param <S> what a look gives
 * @param <D> what the plan decides
 */
public abstract class PlannedPass<W, S, D> implements Pass {
    private static final Logger LOG = System.getLogger(PlannedPass.class.getName());
    private static final Outcome<Boolean> NOTHING_TO_DO = new Outcome.Done<>(true);

    private final Ground ground;

    protected PlannedPass(Ground ground) {
        this.ground = ground;
    }

    /** The parts that every pass is made from; {@code failedCall} hears of each call to the outside that failed. */
    public record Ground(Store store, Clock clock, Comeback comeback, TimeLimit limit, Runnable failedCall) {}

    /** The outcome of a call to the outside; {@code bug} is a failure that its port does not declare. */
    private sealed interface Outcome<T> {
        record Done<T>(T value) implements Outcome<T> {}

        record Failed<T>(String why, @Nullable RuntimeException bug) implements Outcome<T> {}
    }

    /** The wish as it is now; empty when there is nothing to look after any more. */
    protected abstract Optional<W> find(Tables tables, UUID subjectId);

    /** The sight that is known without a look; empty where a look is needed. */
    protected Optional<S> known(W wanted) {
        return Optional.empty();
    }

    /** Looks at the thing; runs under the time limit, on another thread. */
    protected abstract S look(W wanted) throws PlaneFault;

    /** The sight that the plan is given when the look failed. */
    protected abstract S unseen(W wanted, String fault);

    protected abstract D decide(W wanted, S seen, Claim claim, Instant now);

    /** The action that follows from the decision. */
    protected abstract Next next(W wanted, D decision, Instant now);

    /** What was decided is about to be done. */
    protected void acting(W wanted, D decision, Instant now) {}

    /** It was done, and is not written down yet; {@code fault} is why it did not work, if so. */
    protected void acted(W wanted, S seen, D decision, @Nullable String fault, Instant now) {}

    protected abstract Terms terms(W wanted, D decision, Claim claim, Instant now);

    /** Writes down what was seen and decided, and why it did not work, if so; the claim has held until now. */
    protected abstract void record(Tables tables, W wanted, D decision, @Nullable String fault, Instant now);

    /** Nothing is left of it outside, and its task has just ended: removes its row. */
    protected abstract void remove(Tables tables, W wanted, Instant now);

    @Override
    public final void run(Claim claim) {
        Optional<W> found = ground.store().read(tables -> find(tables, claim.subjectId()));
        if (found.isEmpty()) {
            ground.store().write(tables -> tables.tasks().finish(claim));
            return;
        }
        W wanted = found.get();
        Outcome<S> look = known(wanted)
                .<Outcome<S>>map(Outcome.Done::new)
                .orElseGet(() -> attempt(() -> ground.limit().look(claim, () -> look(wanted))));
        S seen = switch (look) {
            case Outcome.Done<S>(S value) -> value;
            case Outcome.Failed<S>(String why, RuntimeException _) -> unseen(wanted, why);
        };
        Instant now = ground.clock().now();
        D decision = decide(wanted, seen, claim, now);
        Next next = next(wanted, decision, now);
        Terms terms = terms(wanted, decision, claim, now);
        acting(wanted, decision, now);
        Outcome<Boolean> deed = act(claim, next);
        logSparingly(claim, terms.tries(), look, deed);
        String fault = deed instanceof Outcome.Failed<Boolean> failed ? failed.why() : null;
        acted(wanted, seen, decision, fault, now);
        if (!record(claim, wanted, decision, next, terms, fault)) {
            LOG.log(
                    Level.INFO,
                    "{0} {1}: another pass took over, nothing was recorded",
                    claim.kind(),
                    claim.subjectId());
        }
    }

    private Outcome<Boolean> act(Claim claim, Next next) {
        return switch (next) {
            case Next.Do(Next.Effect effect) -> act(claim, effect);
            case Next.Complete(Next.Effect effect) -> act(claim, effect);
            case Next.BackOff(String why) -> new Outcome.Failed<>(why, null);
            case Next.Wait _, Next.Nap _, Next.NapUntil _, Next.Gone _ -> NOTHING_TO_DO;
        };
    }

    private Outcome<Boolean> act(Claim claim, Next.Effect effect) {
        return attempt(() -> {
            ground.limit().act(claim, effect);
            return true;
        });
    }

    /** A call as its port declares it. */
    @FunctionalInterface
    private interface Call<T> {
        T make() throws PlaneFault;
    }

    private <T> Outcome<T> attempt(Call<T> call) {
        try {
            return new Outcome.Done<>(call.make());
        } catch (PlaneFault e) {
            ground.failedCall().run();
            String message = e.getMessage();
            return new Outcome.Failed<>(message == null ? "The data plane gave no reason" : message, null);
        } catch (RuntimeException bug) {
            ground.failedCall().run();
            return new Outcome.Failed<>("The data plane failed unexpectedly; the log has the details", bug);
        }
    }

    private boolean record(Claim claim, W wanted, D decision, Next next, Terms terms, @Nullable String fault) {
        Instant now = ground.clock().now();
        if (next instanceof Next.Gone) {
            return ground.store().write(tables -> {
                boolean mine = tables.tasks().finish(claim);
                if (mine) {
                    remove(tables, wanted, now);
                }
                return mine;
            });
        }
        Release release = ground.comeback().release(next, terms, fault != null, now);
        return ground.store().write(tables -> {
            // First the fence: under an old token nothing below may happen.
            boolean mine = tables.tasks().release(claim, release, now);
            if (mine) {
                record(tables, wanted, decision, fault, now);
            }
            return mine;
        });
    }

    /** The first failure in a row and then each time their number has doubled: an outage must not flood the log. */
    private static void logSparingly(Claim claim, int tries, Outcome<?> look, Outcome<?> deed) {
        // A failed look mostly ends in a decision to back off: one failure, and the look knows its cause.
        Outcome<?> first = look instanceof Outcome.Failed<?> ? look : deed;
        if (first instanceof Outcome.Failed<?>(String why, RuntimeException bug) && Integer.bitCount(tries + 1) == 1) {
            String line = claim.kind() + " " + claim.subjectId() + ": " + why + " (try " + (tries + 1) + ")";
            LOG.log(bug == null ? Level.WARNING : Level.ERROR, line, bug);
        }
    }
}
