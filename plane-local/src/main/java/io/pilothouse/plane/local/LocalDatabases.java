package io.pilothouse.plane.local;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.plane.local.ConfigFiles.DatabaseKind;
import io.pilothouse.plane.local.DatabaseProcesses.Found;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.turn.AllAtOnce;
import io.pilothouse.plane.local.turn.OneByOne;
import io.pilothouse.plane.local.turn.StartTurns;
import io.pilothouse.plane.local.user.RunAs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The databases of all services on this machine: one folder and at most one process each, under names derived from the
 * service's id. Every call may be repeated at any time, also by a later control plane: each looks first, and takes over
 * a database that still runs. Only {@code erase} deletes data. Safe for many threads.
 */
public final class LocalDatabases implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
    private static final Duration TO_FOLLOW_ITS_PARENT = Duration.ofSeconds(10);

    private final DatabaseSetup setup;
    private final Installs installs;
    private final Fences fences;
    private final String fence;
    private final ServiceFolders folders;
    private final DatabaseProcesses processes;
    private final DatabaseClient client = new DatabaseClient();
    private final DatabaseWatch watch;
    private final StartTurns starts;
    private final Set<UUID> stopping = ConcurrentHashMap.newKeySet();
    private final OneByOne working = new OneByOne();

    /** The result of a start. */
    public enum Started {
        /** Others are ahead of it; it is to be asked for again. */
        WAITING,
        LAUNCHED,
        RAN_ALREADY,
        CHANGED_WHILE_RUNNING,
        RESTARTED
    }

    /** Processes of no known service, which were ended, and folders of none, which were left as they are. */
    public record Swept(List<UUID> ended, List<UUID> foldersKept, List<UUID> erasuresFinished) {}

    public LocalDatabases(DatabaseSetup setup) throws DatabaseFailure {
        this(setup, id -> {});
    }

    /** {@code look} is called for one that ended without being asked to, or that waited and may start now. */
    public LocalDatabases(DatabaseSetup setup, Consumer<UUID> look) throws DatabaseFailure {
        this(setup, Installs.only(setup.clickhouse()), look);
    }

    /** The same for services that run on different versions, each on its own. */
    public LocalDatabases(DatabaseSetup setup, Installs installs, Consumer<UUID> look) throws DatabaseFailure {
        this.setup = setup;
        this.installs = installs;
        this.fences = setup.held();
        this.fence = "/" + fences + "/" + setup.egress();
        try {
            this.folders = ServiceFolders.open(setup.root(), setup.users(), setup.ports());
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(setup.root(), failure);
        }
        this.processes = new DatabaseProcesses(
                new DatabaseCommand(setup.java(), !setup.keep(), fences, setup.egress()),
                setup.clock(),
                setup.limits());
        this.starts = new StartTurns(setup.budget(), setup.patience().start(), System::nanoTime, look);
        this.watch = new DatabaseWatch(setup, folders, processes, client, starts, id -> {
            if (!stopping.contains(id)) {
                look.accept(id);
            }
        });
    }

    Installs installs() {
        return installs;
    }

    /**
     * Which settings and which version a running one has, and what SQL in it is held to: one that outlived a control plane with other
     * flags is not as it is wanted.
     */
    String fingerprint(DatabaseSettings settings) {
        return settings.fingerprint() + asStarted(settings);
    }

    /** What only a start changes. */
    private String asStarted(DatabaseSettings settings) {
        return "/" + installs.named(settings.version()) + fence;
    }

    /** The protocols that one that is started now may speak; a server's own are known once it runs. */
    List<String> protocols() {
        return bundled() ? List.of(GatewayProtocol.HTTPS.wireName()) : RuleBook.PROTOCOLS.words();
    }

    /** Whether they are the bundled ClickHouse, which speaks HTTP alone. */
    public boolean bundled() {
        return setup.kind() == DatabaseKind.BUNDLED;
    }

    /** Every service that has a folder below this one, which is only looked at. */
    public static List<UUID> found(Path root) throws IOException {
        return ServiceFolders.in(root);
    }

    /** Every service that has anything here. */
    public Set<UUID> present() throws DatabaseFailure {
        try {
            return Set.copyOf(folders.all());
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folders.root(), failure);
        }
    }

    /** Warnings about how the databases run here, as sentences for a person; empty if all is well. */
    public List<String> warnings() {
        List<String> sentences = new ArrayList<>();
        setup.users().warning().ifPresent(sentences::add);
        sentences.addAll(setup.gaps());
        return sentences;
    }

    /** Starts it with these settings, or applies them; returns when that is under way, not when it answers. */
    public Started start(UUID id, DatabaseSettings settings) throws DatabaseFailure, InterruptedException {
        ServiceFolder folder = folders.of(id);
        return alone(id, () -> {
            Optional<Found> found = processes.find(folder);
            if (found.isEmpty()) {
                if (starts.ask(id).isPresent()) {
                    return Started.WAITING;
                }
                launch(folder, settings);
                return Started.LAUNCHED;
            }
            Found running = found.get();
            processes.keepNumber(folder, running);
            if (running.orphanedForGood()) {
                endFollower(running);
            } else if (watch.isHealthy(folder, running)) {
                if (running.mark().fingerprint().equals(fingerprint(settings))) {
                    return Started.RAN_ALREADY;
                }
                if (changedWhileRunning(folder, running, settings)) {
                    return Started.CHANGED_WHILE_RUNNING;
                }
            }
            endAndForget(folder);
            starts.begin(id);
            launch(folder, settings);
            return Started.RESTARTED;
        });
    }

    public DatabaseSeen observe(UUID id) throws DatabaseFailure {
        ServiceFolder folder = folders.of(id);
        try {
            return stopping.contains(id) ? new DatabaseSeen.Stopping() : watch.look(folder);
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folder.path(), failure);
        }
    }

    /** Which of them may start, for what else takes the memory of a database. */
    StartTurns turns() {
        return starts;
    }

    /** Where it listens, from memory: never waits, and knows only what looks have shown since it started. */
    public Optional<DatabaseAddress> address(UUID id) {
        return stopping.contains(id) ? Optional.empty() : watch.address(id);
    }

    /** Looks repeatedly until it answers, ends, or the time is up. */
    public Optional<DatabaseAddress> awaitAnswer(UUID id, Duration atMost)
            throws DatabaseFailure, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            switch (observe(id)) {
                case DatabaseSeen.Running(DatabaseAddress address, String fingerprint) -> {
                    return Optional.of(address);
                }
                case DatabaseSeen.Broken(String reason) -> throw new DatabaseFailure(reason);
                case DatabaseSeen.Absent(), DatabaseSeen.Stopped() -> {
                    return Optional.empty();
                }
                case DatabaseSeen.Starting(), DatabaseSeen.Stopping(), DatabaseSeen.Waiting(String _) -> {
                    if (System.nanoTime() > deadline) {
                        return Optional.empty();
                    }
                    TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
                }
            }
        }
    }

    /** Stops it and keeps its data; does nothing if it does not run or does not exist. */
    public void stop(UUID id) throws DatabaseFailure, InterruptedException {
        end(id, _ -> {});
    }

    /** Removes everything it ever had, including its data. */
    public void erase(UUID id) throws DatabaseFailure, InterruptedException {
        end(id, _ -> folders.erase(id));
    }

    /** Work on the folder of a database that does not run, and that nobody starts meanwhile. */
    public interface FolderWork {
        void in(Path folder) throws IOException, DatabaseFailure;
    }

    /** Stops it, and does this while it is stopped. */
    public void end(UUID id, FolderWork work) throws DatabaseFailure, InterruptedException {
        ServiceFolder folder = folders.of(id);
        alone(id, () -> {
            endAndForget(folder);
            starts.leave(id);
            work.in(folder.path());
            return id;
        });
    }

    /** Ends processes of unknown services, and returns the folders of unknown services. */
    public Swept sweep(Set<UUID> known) throws DatabaseFailure, InterruptedException {
        List<UUID> ended = new ArrayList<>();
        List<UUID> kept = new ArrayList<>();
        try {
            Map<Path, ProcessHandle> strangers = processes.below(folders.root());
            strangers
                    .keySet()
                    .removeIf(path -> ServiceFolders.idOf(path)
                            .filter(id -> known.contains(id) && folders.of(id).exists())
                            .isPresent());
            AllAtOnce.run(
                    setup.threads(),
                    strangers.values(),
                    DatabaseFailure.class,
                    process -> processes.end(process, setup.patience().stop()));
            strangers.keySet().forEach(path -> ServiceFolders.idOf(path).ifPresent(ended::add));
            for (UUID id : folders.all()) {
                if (!known.contains(id)) {
                    stop(id);
                    kept.add(id);
                }
            }
            return new Swept(ended, kept, folders.finishErasures());
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folders.root(), failure);
        }
    }

    /** Asks a running database as the control plane's own user. */
    DatabaseClient.Answer ask(UUID id, String sql, Duration atMost) throws DatabaseFailure {
        ServiceFolder folder = folders.of(id);
        try {
            Optional<String> password = folder.ownPassword();
            Optional<PortSet> ports = folders.portsOf(id);
            return password.isEmpty() || ports.isEmpty()
                    ? new DatabaseClient.Answer.Silence("there is no database")
                    : client.query(ports.get(), password.get(), sql, atMost);
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folder.path(), failure);
        }
    }

    /** The password of the control plane's own users in it; empty where there is no database. */
    Optional<String> ownPassword(UUID id) throws DatabaseFailure {
        ServiceFolder folder = folders.of(id);
        try {
            return folder.ownPassword();
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folder.path(), failure);
        }
    }

    ServiceFolder folder(UUID id) {
        return folders.of(id);
    }

    RunAs userOf(UUID id) throws DatabaseFailure {
        return folders.userOf(id);
    }

    /** Releases everything; the databases end too, unless they are to outlive the control plane. */
    @Override
    public void close() throws DatabaseFailure {
        try (folders) {
            if (!setup.keep()) {
                AllAtOnce.run(setup.threads(), folders.all(), DatabaseFailure.class, this::stop);
            }
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folders.root(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatabaseFailure(
                    "The databases were not all stopped, because the stop was cut short.", interrupted);
        }
    }

    private void launch(ServiceFolder folder, DatabaseSettings settings) throws IOException, DatabaseFailure {
        try {
            ClickHouse clickhouse = installs.find(settings.version())
                    .orElseThrow(() -> new DatabaseFailure("ClickHouse " + settings.version()
                            + ", which its data is from, is not installed, and none that is opens that data."));
            PortSet ports = folders.prepare(folder, bundled() ? 1 : PortSet.SIZE);
            String ownPassword = Secrets.newPassword();
            folder.keepOwnPassword(ownPassword);
            folders.write(folder, setup.files(folder, ports, clickhouse), settings, ownPassword);
            if (bundled()) {
                // It keeps the names of its own tables in memory and their files on disk, and fails on those files.
                Folders.delete(folder.path(), Path.of("data", "data", "system"));
            }
            processes.launch(
                    clickhouse,
                    folder,
                    folders.userOf(folder.id()),
                    fingerprint(settings),
                    setup.budget().share(settings.memoryBytes()));
        } finally {
            starts.launched(folder.id());
        }
    }

    /** A database that should have ended with an earlier control plane: it is ending, or is killed. */
    private void endFollower(Found running) throws DatabaseFailure, InterruptedException {
        if (!processes.ended(running.process(), TO_FOLLOW_ITS_PARENT)) {
            processes.end(running.process(), setup.patience().stop());
        }
    }

    /** Servers reload their files on request; if that fails the caller restarts them. */
    private boolean changedWhileRunning(ServiceFolder folder, Found running, DatabaseSettings settings)
            throws IOException, DatabaseFailure {
        Optional<String> ownPassword = folder.ownPassword();
        Optional<PortSet> ports = folders.portsOf(folder.id());
        Optional<ClickHouse> clickhouse = installs.find(settings.version());
        boolean startedOtherwise = !running.mark().fingerprint().endsWith(asStarted(settings));
        if (bundled() || startedOtherwise || ownPassword.isEmpty() || ports.isEmpty() || clickhouse.isEmpty()) {
            return false;
        }
        folders.write(folder, setup.files(folder, ports.get(), clickhouse.get()), settings, ownPassword.get());
        DatabaseClient.Answer answer =
                ask(folder.id(), "SYSTEM RELOAD CONFIG", setup.patience().start());
        if (!(answer instanceof DatabaseClient.Answer.Text)) {
            return false;
        }
        processes.hold(folder, running.process(), setup.budget().share(settings.memoryBytes()));
        processes.keepFingerprint(folder, running.mark(), fingerprint(settings));
        return true;
    }

    private void endAndForget(ServiceFolder folder) throws IOException, DatabaseFailure, InterruptedException {
        stopping.add(folder.id());
        try {
            Optional<Found> found = processes.find(folder);
            if (found.isPresent()) {
                processes.end(found.get().process(), setup.patience().stop());
            }
            watch.forget(folder.id());
            processes.forget(folder);
        } finally {
            stopping.remove(folder.id());
        }
    }

    private interface Work<T> {
        T run() throws IOException, DatabaseFailure, InterruptedException;
    }

    /** Runs one action at a time for each service. */
    private <T> T alone(UUID id, Work<T> work) throws DatabaseFailure, InterruptedException {
        try (OneByOne.Held _ = working.take(id)) {
            return work.run();
        } catch (IOException failure) {
            throw DatabaseFailure.unusable(folders.of(id).path(), failure);
        }
    }
}
