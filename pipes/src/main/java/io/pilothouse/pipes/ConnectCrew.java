package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.port.Clock;
import io.pilothouse.pipes.Connectors.Away;
import io.pilothouse.pipes.Connectors.Sight;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.TaskHello;
import io.pilothouse.pipes.wire.TaskSettings;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one pipe as tasks of a connector of Kafka Connect. The connector says only where this process is and a
 * token; the tasks come in with it and are then workers like others. Each change of the pipe ends all of them and takes
 * another token, and a task that comes twice takes its own place. Safe for many threads.
 */
final class ConnectCrew implements Crew {
    private static final Duration DRAINS_WITHIN = Duration.ofSeconds(20);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 3;
    /** Kafka Connect shares its tasks out again before it starts one. */
    private static final Duration COMES_WITHIN = Duration.ofMinutes(1);

    private final ConnectCluster cluster;
    private final String name;
    private final BiFunction<Pipe, Long, List<Assignment>> assignments;
    private final PipeWorker.Listener listener;
    private final ThreadFactory readers;
    private final Executor threads;
    private final Clock clock;
    private final Duration drainsWithin;
    private final Map<Integer, PipeWorker> workers = new TreeMap<>();
    private final Map<PipeWorker, TaskHost> hosts = new HashMap<>();

    private List<Assignment> wanted = List.of();
    private String token = "";
    /** When Kafka Connect was given the token. */
    private @Nullable Instant placed;

    /** Whether a task came in with it. */
    private boolean came;

    private long nextLook = System.nanoTime();
    private int tries;
    private @Nullable String trouble;

    ConnectCrew(PipeGround ground, ConnectCluster cluster, UUID pipeId, PipeWorker.Listener listener) {
        this(
                cluster,
                pipeId,
                new Assignments(ground)::of,
                listener,
                ground.readers(),
                ground.threads(),
                ground.clock(),
                DRAINS_WITHIN);
    }

    ConnectCrew(
            ConnectCluster cluster,
            UUID pipeId,
            BiFunction<Pipe, Long, List<Assignment>> assignments,
            PipeWorker.Listener listener,
            ThreadFactory readers,
            Executor threads,
            Clock clock,
            Duration drainsWithin) {
        this.cluster = cluster;
        this.name = ConnectCluster.name(pipeId);
        this.assignments = assignments;
        this.listener = listener;
        this.readers = readers;
        this.threads = threads;
        this.clock = clock;
        this.drainsWithin = drainsWithin;
    }

    @Override
    public void bring(Pipe pipe, long replay) throws InterruptedException {
        List<Assignment> next = assignments.apply(pipe, replay);
        if (!next.equals(wanted())) {
            drainAll();
            admit(next);
        }
        if (isDue()) {
            attempt(this::place);
        }
    }

    private synchronized List<Assignment> wanted() {
        return wanted;
    }

    private synchronized void admit(List<Assignment> next) {
        wanted = next;
        token = cluster.tokens().get();
        placed = null;
        came = false;
        tries = 0;
        nextLook = System.nanoTime();
        cluster.door().open(token, this);
    }

    private synchronized boolean isDue() {
        return System.nanoTime() - nextLook >= 0;
    }

    /** Something that is asked of Kafka Connect; whether all is well there. */
    @FunctionalInterface
    private interface Asking {
        boolean ask() throws Away;
    }

    private boolean attempt(Asking asking) {
        String wrong = null;
        boolean well = false;
        try {
            well = asking.ask();
        } catch (Away away) {
            wrong = away.sentence();
        }
        synchronized (this) {
            if (well || wrong != null) {
                trouble = wrong;
            }
            tries = well ? 0 : Math.min(tries + 1, MAX_DOUBLINGS);
            Duration pause = well ? BETWEEN_LOOKS : FIRST_PAUSE;
            nextLook = System.nanoTime() + (pause.toNanos() << tries);
        }
        return well;
    }

    /** Has Kafka Connect run the connector as it is wanted, whatever others did to it there. */
    private boolean place() throws Away {
        Connectors connectors = cluster.connectors();
        Map<String, String> configuration;
        boolean known;
        synchronized (this) {
            configuration = configuration();
            known = placed != null;
        }
        if (!known) {
            connectors.run(name, configuration);
            synchronized (this) {
                placed = clock.now();
            }
            return true;
        }
        return switch (connectors.look(name)) {
            case Sight.Running() -> true;
            case Sight.Missing() -> {
                connectors.run(name, configuration);
                yield true;
            }
            case Sight.Still() -> {
                connectors.resume(name);
                yield true;
            }
            case Sight.Failed(String reason) -> {
                connectors.restart(name);
                synchronized (this) {
                    trouble = "A task of Kafka Connect failed and is started again: " + reason;
                }
                yield false;
            }
        };
    }

    private Map<String, String> configuration() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("connector.class", TaskSettings.CONNECTOR);
        all.put("tasks.max", Integer.toString(wanted.size()));
        // It hands no record to Kafka Connect; these need no schemas if the cluster's own do.
        all.put("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        all.put("value.converter", "org.apache.kafka.connect.converters.ByteArrayConverter");
        all.put(TaskSettings.ADDRESS, cluster.address());
        all.put(TaskSettings.AUTHORITY, cluster.authority());
        all.put(TaskSettings.TOKEN, token);
        return all;
    }

    /** Takes in a task; false where it is not one of those that the pipe wants now. */
    boolean join(TaskHello hello, Socket socket, Socket secured) throws IOException {
        TaskHost host = new TaskHost(socket, secured, hello.visit());
        PipeWorker worker;
        synchronized (this) {
            if (!isWanted(hello)) {
                return false;
            }
            came = true;
            worker = new PipeWorker(host, wanted.get(hello.index()), listener, threads);
            PipeWorker before = workers.put(hello.index(), worker);
            hosts.put(worker, host);
            if (before != null) {
                // Cut off before the other one learns where to go on.
                before.kill();
            }
        }
        worker.begin(readers);
        return true;
    }

    private boolean isWanted(TaskHello hello) {
        return hello.token().equals(token) && hello.index() < wanted.size();
    }

    /** The task that says this, if it is the one whose place it takes. */
    synchronized Optional<TaskHost> visitor(TaskHello hello) {
        return Optional.ofNullable(workers.get(hello.index()))
                .filter(_ -> hello.token().equals(token))
                .map(hosts::get)
                .filter(host -> host.visit().equals(hello.visit()));
    }

    @Override
    public Tree.Members way(PipeWorker worker, Tree.Members way) {
        TaskHost host;
        synchronized (this) {
            host = hosts.get(worker);
        }
        if (host != null) {
            way.text("address").ifPresent(host::lead);
        }
        return way.with("address", new Tree.Text("https://" + cluster.address()));
    }

    @Override
    public synchronized Collection<PipeWorker> working() {
        return List.copyOf(workers.values());
    }

    @Override
    public synchronized Map<PipeFigure, Long> figures() {
        return Map.of(PipeFigure.WORKERS, (long) workers.size());
    }

    @Override
    public synchronized Optional<String> trouble() {
        return trouble == null ? nobodyCame() : Optional.of(trouble);
    }

    /** What keeps tasks away is seen by them alone, in the log of Kafka Connect. */
    private Optional<String> nobodyCame() {
        boolean overdue =
                placed != null && Duration.between(placed, clock.now()).compareTo(COMES_WITHIN) >= 0;
        return overdue && !came
                ? Optional.of("No task of Kafka Connect has come to " + cluster.address()
                        + " yet; the log of Kafka Connect says why.")
                : Optional.empty();
    }

    @Override
    public void steady(PipeWorker worker) {
        // Kafka Connect starts its tasks, and decides when.
    }

    @Override
    public synchronized void ended(PipeWorker worker, boolean said) {
        hosts.remove(worker);
        if (!said) {
            workers.values().remove(worker);
        }
    }

    @Override
    public void drainAll() throws InterruptedException {
        List<PipeWorker> leaving;
        synchronized (this) {
            // No other may come in, and those that leave still need their way to the database.
            wanted = List.of();
            nextLook = System.nanoTime();
            leaving = List.copyOf(workers.values());
        }
        leaving.forEach(PipeWorker::drain);
        for (PipeWorker worker : leaving) {
            if (!worker.awaitEnd(drainsWithin)) {
                worker.kill();
            }
            synchronized (this) {
                workers.values().remove(worker);
            }
        }
        synchronized (this) {
            refuse();
        }
    }

    /** Takes in nobody any more. */
    private void refuse() {
        cluster.door().shut(token);
        token = "";
        placed = null;
        wanted = List.of();
    }

    @Override
    public boolean left() {
        return isDue()
                && attempt(() -> {
                    cluster.connectors().stop(name);
                    return true;
                });
    }

    @Override
    public synchronized void killAll() {
        refuse();
        workers.values().forEach(PipeWorker::kill);
    }
}
