package io.pilothouse.plane.local;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.process.ProcessTable;
import io.pilothouse.plane.local.user.RunAs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts, finds and ends the process of a service's database. */
final class DatabaseProcesses {
    private static final Duration TO_DIE_WHEN_KILLED = Duration.ofSeconds(10);

    private final DatabaseCommand command;
    private final Clock clock;
    private final ProcessLimits limits;
    private final ProcessTable table = new ProcessTable();
    // Held for as long as they live: collecting one would close the pipe by which the process watches its parent.
    private final Map<UUID, Process> children = new ConcurrentHashMap<>();

    DatabaseProcesses(DatabaseCommand command, Clock clock, ProcessLimits limits) {
        this.command = command;
        this.clock = clock;
        this.limits = limits;
    }

    /** A living process, and whether it was started by this control plane or by an earlier one. */
    record Found(ProcessHandle process, ProcessMark mark, boolean ours) {
        /** Its parent, with which it ends, has ended: it is about to end too. */
        boolean orphanedForGood() {
            return mark.withParent() && !ours;
        }
    }

    Optional<ProcessMark> mark(ServiceFolder folder) throws IOException {
        // A damaged one says that something was started here, and nothing more.
        return folder.processMark()
                .map(text -> ProcessMark.parse(text).orElseGet(() -> ProcessMark.begun(0, false, "")));
    }

    /** Looks only: what it finds is written down by those who work on the service alone. */
    Optional<Found> find(ServiceFolder folder) throws IOException {
        Optional<ProcessMark> mark = mark(folder);
        if (mark.isEmpty()) {
            return Optional.empty();
        }
        Process child = children.get(folder.id());
        if (child != null && table.isAlive(child.toHandle()) && mark.get().pid().equals(Optional.of(child.pid()))) {
            return Optional.of(new Found(child.toHandle(), mark.get(), true));
        }
        Optional<ProcessHandle> process = table.find(mark.get(), folder.config());
        if (process.isEmpty()) {
            return Optional.empty();
        }
        ProcessMark known = mark.get().pid().isPresent()
                ? mark.get()
                : mark.get().of(process.get().pid(), table.started(process.get()));
        boolean ours = child != null && child.pid() == process.get().pid();
        return Optional.of(new Found(process.get(), known, ours));
    }

    /** The folders from which databases run, no matter which control plane started them and whether it was recorded. */
    Map<Path, ProcessHandle> below(Path root) {
        return table.below(root);
    }

    ProcessHandle launch(
            ClickHouse clickhouse, ServiceFolder folder, RunAs user, String fingerprint, ProcessLimits.Share share)
            throws IOException, DatabaseFailure {
        // Written first: if this process is killed right after the start, the next one finds the database by its
        // command line.
        ProcessMark begun =
                ProcessMark.begun(clock.now().toEpochMilli(), command.endsWithParent(clickhouse), fingerprint);
        folder.keepProcessMark(begun.text());
        Process process;
        try {
            process = command.start(clickhouse, folder, user);
        } catch (DatabaseFailure fault) {
            folder.dropProcessMark();
            throw fault;
        } catch (IOException failure) {
            folder.dropProcessMark();
            throw new DatabaseFailure("The database's program cannot be started.", failure);
        }
        children.put(folder.id(), process);
        table.endBeforeOthers(process.toHandle());
        hold(folder, process.toHandle(), share);
        folder.keepProcessMark(
                begun.of(process.pid(), table.started(process.toHandle())).text());
        return process.toHandle();
    }

    /** Holds it to this much, also when it runs already. */
    void hold(ServiceFolder folder, ProcessHandle process, ProcessLimits.Share share) {
        limits.hold(folder.id().toString(), process.pid(), share);
    }

    /** Writes its number down, if the control plane that started it did not come so far. */
    void keepNumber(ServiceFolder folder, Found found) throws IOException {
        if (mark(folder).flatMap(ProcessMark::pid).isEmpty()) {
            folder.keepProcessMark(found.mark().text());
        }
    }

    void keepFingerprint(ServiceFolder folder, ProcessMark mark, String fingerprint) throws IOException {
        folder.keepProcessMark(mark.fitting(fingerprint).text());
    }

    /** Asks the process to end, and kills it if it has not ended after that time. */
    void end(ProcessHandle process, Duration atMost) throws DatabaseFailure, InterruptedException {
        process.destroy();
        if (!ended(process, atMost)) {
            process.destroyForcibly();
            if (!ended(process, TO_DIE_WHEN_KILLED)) {
                throw new DatabaseFailure("The database's process " + process.pid() + " cannot be ended.");
            }
        }
    }

    /** Whether the process has ended, or does within that time. */
    boolean ended(ProcessHandle process, Duration atMost) throws InterruptedException {
        CompletableFuture<ProcessHandle> end = onExit(process);
        try {
            end.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return !isAlive(process);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("The end of a process does not fail.", impossible);
        } finally {
            end.cancel(false);
        }
    }

    boolean isAlive(ProcessHandle process) {
        return table.isAlive(process);
    }

    CompletableFuture<ProcessHandle> onExit(ProcessHandle process) {
        return table.onExit(process);
    }

    /** Forgets a process that has ended, so that its end does not count as a failure. */
    void forget(ServiceFolder folder) throws IOException {
        folder.dropProcessMark();
        children.remove(folder.id());
        limits.forget(folder.id().toString());
    }

    /** The status with which a process of ours ended. */
    OptionalInt statusOf(ServiceFolder folder) {
        Process child = children.get(folder.id());
        if (child == null || table.isAlive(child.toHandle())) {
            return OptionalInt.empty();
        }
        try {
            // The system reports the end a moment before the JDK knows the status.
            return OptionalInt.of(child.waitFor());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }
}
