package io.pilothouse.pipes;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeDesign.Designed;
import io.pilothouse.core.pipe.PipeDesign.Source;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Databases.Hold;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.tables.PipeTables;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import io.pilothouse.pipes.wire.Assignment.Target;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Has a worker of its own look at a source, for one request. Few look at once, each for a short time, and none is left
 * when the request is answered. Safe for many threads.
 */
public final class PipeDiscovery implements PipeSchemaReader {
    private static final Logger LOG = System.getLogger(PipeDiscovery.class.getName());

    /** Each is a process: all that look at once, and those of one organization, which leaves room for others. */
    private static final int MAX_LOOKS = 4;

    private static final int MAX_LOOKS_OF_ONE = 2;
    private static final Duration LOOKS_FOR = Duration.ofSeconds(30);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(1);
    /** A whole processor, because somebody waits. */
    private static final PipeScaling SIZE = new PipeScaling(1, 0, 1000, 0.5);

    private static final Target NOWHERE = new Target("", "", List.of(), List.of(), "");

    private final Databases databases;
    private final WorkerProgram program;
    private final ThreadFactory readers;
    private final Executor threads;
    private final Assignments.SourcePlace place;
    private final Optional<PipeRoles> roles;
    private final Duration patience;
    private final Map<UUID, Integer> looking = new HashMap<>();
    private final Set<PipeWorker> workers = new HashSet<>();
    private boolean closed;

    public PipeDiscovery(PipeGround ground) {
        this(
                ground.databases(),
                ground.program(),
                ground.readers(),
                ground.threads(),
                new Assignments.SourcePlace(ground.kinesis()),
                ground.roles(),
                LOOKS_FOR);
    }

    PipeDiscovery(
            Databases databases,
            WorkerProgram program,
            ThreadFactory readers,
            Executor threads,
            Assignments.SourcePlace place,
            Optional<PipeRoles> roles,
            Duration patience) {
        this.databases = databases;
        this.program = program;
        this.readers = readers;
        this.threads = threads;
        this.place = place;
        this.roles = roles;
        this.patience = patience;
    }

    @Override
    public Schema read(Service service, Source source) throws Unreadable {
        return look(service, source, Tree.Members.NONE, NOWHERE);
    }

    @Override
    public void check(Service service, Designed wanted) throws Unreadable {
        Pipe pipe = wanted.pipe();
        Source source = new Source(pipe.kind(), pipe.source(), wanted.secrets());
        Schema found = look(service, source, pipe.settings(), TargetColumns.of(pipe));
        Optional<String> unfilled = TargetColumns.unfilled(pipe, found.fields());
        if (unfilled.isPresent()) {
            throw new Unreadable(unfilled.get());
        }
    }

    @Override
    public void checkTable(Service service, Pipe wanted) throws Unreadable {
        try {
            if (databases.pipeLogin(service).isPresent()) {
                new PipeTables(databases).require(wanted);
            }
        } catch (PipeTables.Unfit unfit) {
            throw new Unreadable(String.valueOf(unfit.getMessage()));
        } catch (PlaneFault silent) {
            LOG.log(Level.DEBUG, "The table of a pipe is not looked at: {0}", silent.getMessage());
        }
    }

    private Schema look(Service service, Source source, Tree.Members settings, Target target) throws Unreadable {
        Optional<String> unserved = new Unserved(roles.isPresent()).reason(source.kind(), source.open());
        if (unserved.isPresent()) {
            throw new Unreadable(unserved.get());
        }
        take(service.organizationId());
        try (Hold _ = databases.hold(service.id())) {
            return sample(service, source, settings, target);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new Unreadable("The server is stopping.");
        } finally {
            leave(service.organizationId());
        }
    }

    private Schema sample(Service service, Source source, Tree.Members settings, Target target)
            throws Unreadable, InterruptedException {
        Assignment assignment = new Assignment(
                "discovery-" + UUID.randomUUID(),
                source.kind().member(),
                place.of(source.kind(), source.open()),
                source.secret(),
                settings,
                target,
                0,
                Assignment.Errand.MOVE,
                0,
                new Share(0, 1, 1, SIZE.replicaMemoryGb(), SIZE.replicaCpuMillicores()));
        String group = PipeCrew.group(assignment);
        DiscoveryAnswers answers = new DiscoveryAnswers(databases, service, roles, source.open());
        try {
            Process process = program.startToLook(group, SIZE);
            PipeWorker worker = new PipeWorker(new ChildHost(process), assignment, answers, threads);
            worker.begin(readers);
            try {
                begun(worker);
                return answers.await(patience);
            } finally {
                end(worker);
                program.ended(group);
            }
        } catch (IOException _) {
            throw new Unreadable("A worker cannot be started.");
        }
    }

    private synchronized void take(UUID organization) {
        int all = looking.values().stream().mapToInt(Integer::intValue).sum();
        if (closed || all >= MAX_LOOKS || looking.getOrDefault(organization, 0) >= MAX_LOOKS_OF_ONE) {
            throw new Refused(
                    Refused.Reason.UNAVAILABLE, "Other schemas are being discovered right now: try again later");
        }
        looking.merge(organization, 1, Integer::sum);
    }

    private synchronized void leave(UUID organization) {
        looking.computeIfPresent(organization, (_, count) -> count == 1 ? null : count - 1);
    }

    private synchronized void begun(PipeWorker worker) {
        workers.add(worker);
        if (closed) {
            worker.kill();
        }
    }

    private void end(PipeWorker worker) throws InterruptedException {
        worker.kill();
        synchronized (this) {
            workers.remove(worker);
        }
        worker.awaitEnd(ENDS_WITHIN);
    }

    /** Ends those that look; their requests are answered with that. */
    public synchronized void close() {
        closed = true;
        workers.forEach(PipeWorker::kill);
    }
}
