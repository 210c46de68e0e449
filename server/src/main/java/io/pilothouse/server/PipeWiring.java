package io.pilothouse.server;

import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.pipe.PipePass;
import io.pilothouse.core.pipe.PipePlan;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.core.pipe.ReversePrivateEndpointPass;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.pipes.ConnectCluster;
import io.pilothouse.pipes.ControlGroups;
import io.pilothouse.pipes.PipeDiscovery;
import io.pilothouse.pipes.PipeGround;
import io.pilothouse.pipes.PipeRoles;
import io.pilothouse.pipes.WorkerPipeRunner;
import io.pilothouse.pipes.WorkerProgram;
import io.pilothouse.pipes.wire.RoleKey;
import io.pilothouse.plane.local.bucket.BucketFault;
import io.pilothouse.plane.local.bucket.Roles;
import io.pilothouse.plane.simulated.SimulatedReversePrivateEndpoints;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.connect.ConnectOpening;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/** What moves the data of pipes: child processes where there are real databases, and nothing where there are not. */
final class PipeWiring {
    private static final int READER_STACK_BYTES = 256 << 10;

    private static final String JAVA_ONLY =
            "only the Java of a worker holds its memory, and nothing its processor: this"
                    + " program may make no control groups (version 2) here";

    private final Store store;
    private final Clock clock;
    private final PipeRunner runner;
    private final SimulatedReversePrivateEndpoints endpoints;
    private final PipeSchemaReader schemas;
    private final Optional<WorkerPipeRunner> workers;
    private final String limits;
    private volatile Wake engine = () -> {};

    PipeWiring(
            Config config,
            Surroundings surroundings,
            Store store,
            Vault vault,
            PlaneParts parts,
            Home home,
            ExecutorService threads,
            Opened opened)
            throws StartRefused {
        this.store = store;
        this.clock = surroundings.clock();
        this.endpoints = new SimulatedReversePrivateEndpoints(clock, PlaneParts.pipePhase(config));
        ThreadFactory readers = Thread.ofPlatform()
                .daemon()
                .name("pipe-worker-", 0)
                .stackSize(READER_STACK_BYTES)
                .factory();
        // Without the workers' program the plane's own runner says that there is nothing that moves data.
        Optional<String> classes = WorkerClasses.find();
        Optional<ConnectCluster> connect = parts.inside().isPresent()
                ? connect(config, home, surroundings, readers, opened, classes.isPresent())
                : Optional.empty();
        ControlGroups groups =
                ControlGroups.below(Path.of("/sys/fs/cgroup"), "pilothouse-pipes", ProcessLimits.Share.USUAL_WEIGHT);
        Optional<PipeGround> ground = parts.inside()
                .filter(_ -> classes.isPresent())
                .map(inside -> new PipeGround(
                        store,
                        clock,
                        vault,
                        new PipeLedger(store, clock),
                        inside.databases(),
                        (service, pipe) -> inside.sleep().wake(service, pipe),
                        this::look,
                        new WorkerProgram(
                                Path.of(System.getProperty("java.home"), "bin", "java"), classes.orElseThrow(), groups),
                        inside.roles().map(PipeWiring::roles),
                        config.find(LocalPlaneOptions.AWS_KINESIS_URL),
                        connect,
                        readers,
                        threads));
        this.workers = ground.map(WorkerPipeRunner::new);
        this.limits = workers.isEmpty() ? "not needed" : groups.usable() ? "hold" : JAVA_ONLY;
        Optional<PipeDiscovery> discovery = ground.map(PipeDiscovery::new);
        this.schemas = discovery.<PipeSchemaReader>map(real -> real).orElse(parts.schemas());
        this.runner = workers.<PipeRunner>map(real -> real).orElse(parts.pipes());
        workers.ifPresent(real -> opened.add("pipe workers", real::close));
        discovery.ifPresent(real -> opened.add("looks at sources", real::close));
    }

    private static PipeRoles roles(Roles own) {
        return (arn, session, externalId) -> {
            try {
                BucketAccess.Login.Key key = own.take(arn, session, externalId);
                return new RoleKey(key.id(), key.secret(), String.valueOf(key.token()));
            } catch (BucketFault fault) {
                throw new PlaneFault(String.valueOf(fault.getMessage()), fault);
            }
        };
    }

    private static Optional<ConnectCluster> connect(
            Config config, Home home, Surroundings surroundings, ThreadFactory readers, Opened opened, boolean pipesRun)
            throws StartRefused {
        List<String> workers = config.get(LocalPlaneOptions.PIPE_RUNNER).connect();
        if (workers.isEmpty()) {
            return Optional.empty();
        }
        if (!pipesRun) {
            throw new StartRefused(LocalPlaneOptions.PIPE_RUNNER.flag()
                    + " names Kafka Connect, and no pipe runs here: the folder worker is not beside the program.");
        }
        HostPort listen = config.get(LocalPlaneOptions.PIPE_TASKS_LISTEN);
        try {
            Clock clock = surroundings.clock().machine();
            TlsAuthority authority = home.openAuthority(clock, surroundings.random());
            ConnectCluster cluster = new ConnectOpening(authority, clock, surroundings.random(), readers)
                    .open(workers, listen, config.find(LocalPlaneOptions.PIPE_TASKS_ADDRESS));
            opened.add("door for tasks", cluster.door()::close);
            return Optional.of(cluster);
        } catch (IOException | GeneralSecurityException failure) {
            throw new StartRefused(
                    "Tasks of Kafka Connect cannot come in at " + listen + ": " + failure.getMessage(), failure);
        }
    }

    /** Whether the system holds workers to their memory and processor, or what does not hold them. */
    String limits() {
        return limits;
    }

    /** What the pipes that run here have moved. */
    PipeProgress progress() {
        return workers.<PipeProgress>map(real -> real).orElse(PipeProgress.NONE);
    }

    /** The passes over pipes and over their private ways to sources, which are simulated on every plane. */
    Map<Tasks.Kind, Pass> passes(PlannedPass.Ground ground) {
        return Map.of(
                Tasks.Kind.PIPE,
                new PipePass(ground, runner, new PipePlan(Pace.USUAL)),
                Tasks.Kind.REVERSE_PRIVATE_ENDPOINT,
                new ReversePrivateEndpointPass(ground, endpoints, new ReversePrivateEndpointPlan(Pace.USUAL)));
    }

    /** Forgets what it remembers of private ways to sources with these ids. */
    void forget(Set<UUID> ids) {
        endpoints.forget(ids);
    }

    /** Ends the workers of these pipes, so that nothing is written for rows that go; refused where one does not end. */
    void end(Set<UUID> ids) {
        try {
            if (workers.isPresent()) {
                workers.get().forget(ids);
            }
        } catch (PlaneFault late) {
            throw new Refused(Refused.Reason.UNAVAILABLE, late.getMessage() + " Try again.");
        }
    }

    PipeSchemaReader schemas() {
        return schemas;
    }

    /** Takes up the pipes that ran before this start. */
    void begin(Wake wake) {
        engine = wake;
        workers.ifPresent(WorkerPipeRunner::begin);
    }

    private void look(UUID pipeId) {
        store.change(tables -> {
            if (tables.of(Pipe.KIND).find(pipeId).isPresent()) {
                tables.tasks().wake(Tasks.Kind.PIPE, pipeId, Tasks.Urgency.CHANGED, clock.now());
                tables.afterCommit(engine::nudge);
            }
        });
    }
}
