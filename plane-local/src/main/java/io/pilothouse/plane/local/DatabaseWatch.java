package io.pilothouse.plane.local;

import io.pilothouse.plane.local.ConfigFiles.DatabaseKind;
import io.pilothouse.plane.local.DatabaseProcesses.Found;
import io.pilothouse.plane.local.turn.StartTurns;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Looks at databases, and remembers the address and the features of those that answer. Safe for many threads. */
final class DatabaseWatch {
    /** A busy machine may hold back one answer, which says nothing about a database. */
    private static final int PINGS_BEFORE_SILENT = 3;

    private static final Duration SHORT_LIFE = Duration.ofSeconds(3);

    private final DatabaseSetup setup;
    private final ServiceFolders folders;
    private final DatabaseProcesses processes;
    private final DatabaseClient client;
    private final StartTurns turns;
    private final Consumer<UUID> died;
    private final Map<UUID, Ready> ready = new ConcurrentHashMap<>();

    private record Ready(ProcessHandle process, DatabaseAddress address) {}

    /** {@code died} is called for every database that has answered and then ended without having been forgotten. */
    DatabaseWatch(
            DatabaseSetup setup,
            ServiceFolders folders,
            DatabaseProcesses processes,
            DatabaseClient client,
            StartTurns turns,
            Consumer<UUID> died) {
        this.setup = setup;
        this.folders = folders;
        this.processes = processes;
        this.client = client;
        this.turns = turns;
        this.died = died;
    }

    DatabaseSeen look(ServiceFolder folder) throws IOException, DatabaseFailure {
        UUID id = folder.id();
        Optional<String> reason = turns.waits(id);
        if (reason.isPresent()) {
            return new DatabaseSeen.Waiting(reason.get());
        }
        DatabaseSeen seen = see(folder);
        switch (seen) {
            case DatabaseSeen.Running running -> turns.answers(id);
            case DatabaseSeen.Absent absent -> turns.ended(id);
            case DatabaseSeen.Stopped stopped -> turns.ended(id);
            case DatabaseSeen.Broken broken -> turns.ended(id);
            case DatabaseSeen.Starting starting -> {}
            case DatabaseSeen.Stopping ending -> {}
            case DatabaseSeen.Waiting behind -> {}
        }
        return seen;
    }

    private DatabaseSeen see(ServiceFolder folder) throws IOException, DatabaseFailure {
        if (!folders.exists(folder.id())) {
            return new DatabaseSeen.Absent();
        }
        if (processes.mark(folder).isEmpty()) {
            return new DatabaseSeen.Stopped();
        }
        Optional<Found> found = processes.find(folder);
        if (found.isEmpty()) {
            return ended(folder);
        }
        // It may still answer, but not for long.
        return found.get().orphanedForGood() ? new DatabaseSeen.Stopping() : look(folder, found.get());
    }

    private DatabaseSeen look(ServiceFolder folder, Found found) throws IOException, DatabaseFailure {
        Optional<Ready> answered = Optional.ofNullable(ready.get(folder.id()))
                .filter(known -> known.process().equals(found.process()));
        if (!pings(folder, answered.isPresent() ? PINGS_BEFORE_SILENT : 1)) {
            return answered.isEmpty() && isYoung(found)
                    ? new DatabaseSeen.Starting()
                    : new DatabaseSeen.Broken("The database runs and does not answer.");
        }
        DatabaseAddress address = answered.isPresent() ? answered.get().address() : learn(folder, found.process());
        return new DatabaseSeen.Running(address, found.mark().fingerprint());
    }

    private DatabaseAddress learn(ServiceFolder folder, ProcessHandle process) throws IOException, DatabaseFailure {
        PortSet ports =
                folders.portsOf(folder.id()).orElseThrow(() -> new DatabaseFailure("The database has no ports."));
        String ownPassword = folder.ownPassword().orElse("");
        Capabilities capabilities = Capabilities.ask(client, ports, ownPassword, setup.clickhouse());
        DatabaseAddress address = new DatabaseAddress(ports, capabilities);
        if (setup.kind() == DatabaseKind.BUNDLED && processes.isAlive(process)) {
            // It has read the hashes of passwords, which SQL could read too, and never reads them again. The file of
            // the next process is written once this one has ended.
            Files.deleteIfExists(folder.users());
        }
        Ready now = new Ready(process, address);
        ready.put(folder.id(), now);
        listen(folder.id(), now);
        return address;
    }

    private void listen(UUID id, Ready running) {
        long since = System.nanoTime();
        CompletableFuture<Void> _ = processes.onExit(running.process()).thenAccept(_ -> {
            Duration lived = Duration.ofNanos(System.nanoTime() - since);
            Duration pause = lived.compareTo(SHORT_LIFE) < 0 ? SHORT_LIFE.minus(lived) : Duration.ZERO;
            // A database that dies repeatedly is not restarted as fast as it dies.
            CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> {
                        if (running.equals(ready.get(id))) {
                            turns.ended(id);
                            died.accept(id);
                        }
                    });
        });
    }

    private DatabaseSeen ended(ServiceFolder folder) {
        forget(folder.id());
        LastWords words = new LastWords(folder);
        return words.stoppedAsAsked()
                ? new DatabaseSeen.Stopped()
                : new DatabaseSeen.Broken(words.sentence(processes.statusOf(folder)));
    }

    /** From memory, and only while its process lives. */
    Optional<DatabaseAddress> address(UUID id) {
        Ready known = ready.get(id);
        return known != null && processes.isAlive(known.process()) ? Optional.of(known.address()) : Optional.empty();
    }

    void forget(UUID id) {
        ready.remove(id);
    }

    /** Whether a living process answers, or may still come up; asked before it is given up. */
    boolean isHealthy(ServiceFolder folder, Found found) {
        return isYoung(found) || pings(folder, PINGS_BEFORE_SILENT);
    }

    private boolean pings(ServiceFolder folder, int atMost) {
        Optional<PortSet> ports = folders.portsOf(folder.id());
        return ports.isPresent()
                && IntStream.range(0, atMost)
                        .anyMatch(_ -> client.ping(ports.get(), setup.patience().answer()));
    }

    private boolean isYoung(Found found) {
        long age = setup.clock().now().toEpochMilli() - found.mark().startedAtMillis();
        return age >= 0 && age < setup.patience().start().toMillis();
    }
}
