package io.pilothouse.plane.local.process;

import io.pilothouse.plane.local.bundled.BundledMain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The machine's processes, looked up so that one that merely has the right number is never taken for a service, and
 * that a zombie is dead. The JDK counts a process as alive until its parent has asked for its status, and the first
 * process of a container, which is the parent of every orphan, may never ask.
 */
public final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration MAX_PAUSE = Duration.ofMillis(300);

    /** Whether any of its code still runs. */
    public boolean isAlive(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            return !stat(process).isDead();
        } catch (IOException goneOrNoProcHere) {
            return process.isAlive();
        }
    }

    /** Completes once the process is dead; a cancel ends the watching. */
    public CompletableFuture<ProcessHandle> onExit(ProcessHandle process) {
        // The JDK asks for the status of its own children; without /proc it is all there is.
        if (isChild(process) || !Files.isDirectory(PROC)) {
            return process.onExit();
        }
        CompletableFuture<ProcessHandle> end = new CompletableFuture<>();
        watch(process, end, FIRST_PAUSE);
        return end;
    }

    private void watch(ProcessHandle process, CompletableFuture<ProcessHandle> end, Duration pause) {
        if (end.isDone()) {
            return;
        }
        if (!isAlive(process)) {
            end.complete(process);
            return;
        }
        Duration doubled = pause.plus(pause);
        Duration next = doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> watch(process, end, next));
    }

    private static boolean isChild(ProcessHandle process) {
        return process.parent().equals(Optional.of(ProcessHandle.current()));
    }

    /** The living process of this mark, if its number, its moment of start and its command line all say so. */
    public Optional<ProcessHandle> find(ProcessMark mark, Path config) {
        Predicate<ProcessHandle> serves = process -> servesFrom(commandLine(process), config);
        if (mark.pid().isPresent()) {
            return ProcessHandle.of(mark.pid().get())
                    .filter(this::isAlive)
                    .filter(process -> started(process).equals(mark.started()))
                    .filter(serves);
        }
        return ProcessHandle.allProcesses().filter(serves).findFirst();
    }

    /** The folders below this one from which a database runs now, no matter what started it. */
    public Map<Path, ProcessHandle> below(Path root) {
        Map<Path, ProcessHandle> found = new HashMap<>();
        ProcessHandle.allProcesses().forEach(process -> {
            String line = commandLine(process);
            int at = line.indexOf(root + "/");
            int end = at < 0 ? -1 : line.indexOf("/config.xml", at);
            if (end > 0 && servesFrom(line, Path.of(line.substring(at, end), "config.xml"))) {
                found.put(Path.of(line.substring(at, end)), process);
            }
        });
        return found;
    }

    /** An editor or a pager that has the file open is not a database. */
    private static boolean servesFrom(String commandLine, Path config) {
        return commandLine.contains("--config-file=" + config)
                || (commandLine.contains(BundledMain.class.getName() + " ")
                        && commandLine.contains(" " + config + " "));
    }

    /** When the process started, in clock ticks since boot, because a wall clock may be set. */
    public String started(ProcessHandle process) {
        try {
            String boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id"), StandardCharsets.US_ASCII);
            return boot.strip() + "/" + stat(process).startTicks();
        } catch (IOException noProcHere) {
            return process.info().startInstant().map(Instant::toString).orElse("unknown");
        }
    }

    /** Where memory ends, the system ends such a process, and what it starts, before the control plane. */
    public void endBeforeOthers(ProcessHandle process) {
        try {
            Files.writeString(PROC.resolve(Long.toString(process.pid())).resolve("oom_score_adj"), "500");
        } catch (IOException goneOrNoProcHere) {
            // A process that has ended is noticed soon, and a system without this file chooses by size.
        }
    }

    private static ProcessStat stat(ProcessHandle process) throws IOException {
        Path stat = PROC.resolve(Long.toString(process.pid())).resolve("stat");
        return ProcessStat.parse(Files.readString(stat, StandardCharsets.ISO_8859_1));
    }

    public String commandLine(ProcessHandle process) {
        try {
            // The JDK cuts it off at some length.
            byte[] line = Files.readAllBytes(
                    PROC.resolve(Long.toString(process.pid())).resolve("cmdline"));
            return new String(line, StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException noProcHere) {
            return process.info().commandLine().orElse("");
        }
    }
}
