package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeLedger.Line;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.tables.PipeTables;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.TableShape;
import io.pilothouse.pipes.wire.Words;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers what the workers of one pipe ask: for its database, and for its lines in the ledger. Safe for many threads. */
final class PipeAnswers {
    private final PipeGround ground;
    private final PipeDatabase database;
    private final ErrorReplay replay;

    private volatile long epoch;
    private volatile @Nullable Pipe pipe;
    private volatile @Nullable String unfit;

    PipeAnswers(PipeGround ground, PipeDatabase database) {
        this.ground = ground;
        this.database = database;
        this.replay = new ErrorReplay(ground.databases(), ground.ledger());
    }

    void under(long newEpoch) {
        epoch = newEpoch;
    }

    void serve(Pipe next) {
        pipe = next;
        unfit = null;
    }

    /** The number of the last replay that is still to be done; 0 if all are. */
    long asked() {
        Pipe now = pipe;
        return now == null ? 0 : replay.asked(now.id());
    }

    /** Why the table cannot be written to, if a worker found that. */
    Optional<String> unfit() {
        return Optional.ofNullable(unfit);
    }

    Tree.Members to(PipeWorker worker, About about, Tree.Members body) throws PlaneFault, InterruptedException {
        Pipe now = pipe;
        if (now == null) {
            throw new PlaneFault("The pipe is being changed.");
        }
        UUID id = now.id();
        return switch (about) {
            case DATABASE -> fitting(() -> database.open(worker, now, TargetColumns.of(now), body.flag("again")));
            case RELEASE -> {
                database.release(worker);
                yield Tree.Members.NONE;
            }
            case RANGES ->
                Span.tree(ground.ledger().find(id, body.texts("parts")).stream()
                        .map(PipeAnswers::span)
                        .toList());
            case BEGIN -> {
                boolean all = true;
                for (Span span : Span.list(body)) {
                    all &= ground.ledger().begin(id, epoch, span.part(), span.from());
                }
                yield orRefused(all);
            }
            case CLAIM -> orRefused(ground.ledger().claim(id, epoch, lines(body)));
            case DONE -> orRefused(ground.ledger().done(id, epoch, lines(body)));
            case ERRORS -> portion(now);
            case ROLE ->
                PipeRoles.answer(
                        ground.roles(), now.source(), now.organizationId(), now.serviceId(), "pilothouse-" + id);
            case TABLES ->
                fitting(() -> {
                    database.prepare(now, TableShape.list(body));
                    return Tree.Members.NONE;
                });
            case ERROR_TABLE ->
                fitting(() -> {
                    database.prepareErrors(now, body.text(Words.TABLE).orElseThrow());
                    return Tree.Members.NONE;
                });
            case TRIAL_TABLE ->
                fitting(() -> {
                    database.prepareTrial(now, body.text(Words.TABLE).orElseThrow());
                    return Tree.Members.NONE;
                });
            case STAGE ->
                fitting(() -> database.stage(now, body.text(Words.PART).orElseThrow()));
            case UNSTAGE -> {
                database.unstage(now, body.text(Words.TABLE).orElseThrow());
                yield Tree.Members.NONE;
            }
            case EMPTY ->
                fitting(() -> {
                    database.empty(now, TableShape.list(body));
                    return Tree.Members.NONE;
                });
            case SWAP ->
                fitting(() -> {
                    database.swap(now, TableShape.list(body));
                    return Tree.Members.NONE;
                });
            case FIELDS -> throw new PlaneFault("Nobody has asked which fields the source has.");
        };
    }

    /** A database that refuses to show its errors may take rows: the pipe is not given up for that. */
    private Tree.Members portion(Pipe now) throws PlaneFault {
        try {
            return replay.next(now, epoch).map(ErrorPortion::tree).orElse(Tree.Members.NONE);
        } catch (PipeTables.Unfit reason) {
            throw new PlaneFault(String.valueOf(reason.getMessage()), reason);
        }
    }

    /** Something with the tables, which may not fit. */
    private interface Fitting {
        Tree.Members run() throws PlaneFault, PipeTables.Unfit, InterruptedException;
    }

    private Tree.Members fitting(Fitting work) throws PlaneFault, InterruptedException {
        try {
            return work.run();
        } catch (PipeTables.Unfit reason) {
            unfit = reason.getMessage();
            throw new PlaneFault(String.valueOf(reason.getMessage()), reason);
        }
    }

    private static Tree.Members orRefused(boolean written) throws PlaneFault {
        if (!written) {
            throw new PlaneFault("Another worker has read on.");
        }
        return Tree.Members.NONE;
    }

    private static List<Line> lines(Tree.Members body) {
        return Span.list(body).stream()
                .map(span -> new Line(span.part(), span.from(), span.to(), span.identity()))
                .toList();
    }

    private static Span span(PipeRange range) {
        Long pending = range.pendingTo();
        return new Span(range.part(), range.mark(), pending == null ? range.mark() : pending, range.identity());
    }
}
