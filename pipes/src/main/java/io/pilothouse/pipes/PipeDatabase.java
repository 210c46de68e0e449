package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases.Hold;
import io.pilothouse.core.service.Databases.PipeLogin;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.pipes.tables.MappedTables;
import io.pilothouse.pipes.tables.PipeTables;
import io.pilothouse.pipes.tables.StagedTables;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.TableShape;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The database of one pipe: woken when a worker has rows for it, kept awake until the worker lets go, and with the
 * pipe's tables made before the first row. Safe for many threads.
 */
final class PipeDatabase {
    private static final Duration WAKES_WITHIN = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final PipeGround ground;
    private final PipeTables tables;
    private final MappedTables mapped;
    private final StagedTables stages;
    private final Map<PipeWorker, Hold> holds = new HashMap<>();
    private int preparedFor = -1;
    private boolean remembers = true;

    PipeDatabase(PipeGround ground) {
        this.ground = ground;
        this.tables = new PipeTables(ground.databases());
        this.mapped = new MappedTables(tables);
        this.stages = new StagedTables(
                id -> ground.store().read(rows -> rows.of(Pipe.KIND).find(id)).isPresent(),
                ground.ledger()::find,
                tables);
    }

    /** Whether its table drops an insert that it has had before, as far as that is known. */
    synchronized boolean remembers() {
        return remembers;
    }

    /** Makes the tables if the database runs now; one that sleeps is left alone. */
    void prepareIfAwake(Pipe pipe, Target target) throws PlaneFault, PipeTables.Unfit {
        Optional<Service> service = find(pipe);
        if (service.isPresent() && ground.databases().pipeLogin(service.get()).isPresent()) {
            prepare(pipe, target, false);
        }
    }

    /** The login for a worker, once the database runs; {@code again} makes sure of the tables once more. */
    Tree.Members open(PipeWorker worker, Pipe pipe, Target target, boolean again)
            throws PlaneFault, PipeTables.Unfit, InterruptedException {
        hold(worker, pipe);
        boolean open = false;
        try {
            PipeLogin login = awake(pipe);
            prepare(pipe, target, again);
            open = true;
            return new Tree.Members(Map.of(
                    "address", new Tree.Text(login.address().toString()),
                    "user", new Tree.Text(login.user()),
                    "password", new Tree.Text(login.password())));
        } finally {
            if (!open) {
                release(worker);
            }
        }
    }

    private PipeLogin awake(Pipe pipe) throws PlaneFault, InterruptedException {
        long deadline = System.nanoTime() + WAKES_WITHIN.toNanos();
        while (true) {
            Service service = find(pipe).orElseThrow(() -> new PlaneFault("The service is gone."));
            if (service.isMoving()) {
                throw new PlaneFault("The service is moving to another host.");
            }
            if (service.wish() == Wish.SLEEP) {
                ground.waking().wake(service.id(), pipe.id());
            } else if (service.wish() != Wish.RUN) {
                throw new PlaneFault("The service is " + service.state().word() + ".");
            } else {
                Optional<PipeLogin> login = ground.databases().pipeLogin(service);
                if (login.isPresent()) {
                    return login.get();
                }
            }
            if (System.nanoTime() > deadline) {
                throw new PlaneFault("The service's database does not run.");
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        }
    }

    /** Makes the tables of a source that has tables, whose shape only a worker can see. */
    synchronized void prepare(Pipe pipe, List<TableShape> shapes) throws PlaneFault, PipeTables.Unfit {
        remembers = mapped.prepare(pipe, shapes);
    }

    /** Makes the table that keeps what could not be inserted into this one. */
    synchronized void prepareErrors(Pipe pipe, String target) throws PlaneFault, PipeTables.Unfit {
        mapped.prepareErrors(pipe, target);
    }

    /** Makes the table that tells which rows this one would refuse. */
    synchronized void prepareTrial(Pipe pipe, String table) throws PlaneFault, PipeTables.Unfit {
        if (pipe.database()) {
            mapped.prepareTrial(pipe, table);
        } else {
            Target target = TargetColumns.of(pipe);
            tables.prepareTrial(pipe.serviceId(), target.database(), target.table());
        }
    }

    /** Makes the table that holds a file until all of it is there. */
    Tree.Members stage(Pipe pipe, String part) throws PlaneFault, PipeTables.Unfit {
        return stages.open(pipe, TargetColumns.of(pipe), part);
    }

    void unstage(Pipe pipe, String table) throws PlaneFault {
        stages.drop(pipe, table);
    }

    synchronized void empty(Pipe pipe, List<TableShape> shapes) throws PlaneFault, PipeTables.Unfit {
        mapped.empty(pipe, shapes);
    }

    synchronized void swap(Pipe pipe, List<TableShape> shapes) throws PlaneFault, PipeTables.Unfit {
        mapped.swap(pipe, shapes);
    }

    private synchronized void prepare(Pipe pipe, Target target, boolean again) throws PlaneFault, PipeTables.Unfit {
        if (pipe.database()) {
            return;
        }
        if (again || preparedFor != pipe.want().generation()) {
            remembers = tables.prepare(pipe, target);
            if (pipe.kind() == PipeKind.OBJECT_STORAGE
                    && preparedFor != pipe.want().generation()) {
                stages.dropLeft(pipe);
            }
            preparedFor = pipe.want().generation();
        }
    }

    private synchronized void hold(PipeWorker worker, Pipe pipe) {
        holds.computeIfAbsent(worker, _ -> ground.databases().hold(pipe.serviceId()));
    }

    synchronized void release(PipeWorker worker) {
        Hold hold = holds.remove(worker);
        if (hold != null) {
            hold.close();
        }
    }

    private Optional<Service> find(Pipe pipe) {
        return ground.store().read(rows -> rows.of(Service.KIND).find(pipe.serviceId()));
    }
}
