package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.process.ProcessTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process whose parent never asks for its end, as many a container's first process is to every orphan. */
class ProcessTableIT {
    private final ProcessTable table = new ProcessTable();

    private Process parent;
    private ProcessHandle orphan;

    @BeforeEach
    void startBoth() throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self")), "Only Linux says here what a zombie is.");
        // The shell becomes a program that asks for no child's end; the child reads until its input is closed.
        parent = new ProcessBuilder("sh", "-c", "exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 600").start();
        String pid =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8)).readLine();
        orphan = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        while (!table.commandLine(parent.toHandle()).startsWith("sleep")) {
            assertThat(parent.isAlive()).isTrue();
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void endBoth() {
        if (parent != null) {
            orphan.destroyForcibly();
            parent.destroyForcibly();
        }
    }

    @Test
    void zombieIsDead() throws IOException {
        CompletableFuture<ProcessHandle> end = table.onExit(orphan);
        assertThat(table.isAlive(orphan)).isTrue();
        assertThat(end).isNotDone();

        parent.getOutputStream().close();

        assertThat(end.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(orphan);
        assertThat(table.isAlive(orphan)).isFalse();
        assertThat(orphan.isAlive()).as("what the JDK says of a zombie").isTrue();
        assertThat(table.onExit(orphan)).isDone();
    }

    @Test
    void processThatBecomesAZombieWasEnded() throws DatabaseFailure, InterruptedException {
        DatabaseProcesses processes = new DatabaseProcesses(
                new DatabaseCommand(LiveDatabase.java(), true, Fences.NONE, Egress.NONE),
                Instant::now,
                ProcessLimits.NONE);
        assertThat(processes.ended(orphan, Duration.ofMillis(1))).isFalse();

        // One that could not be ended is a fault.
        processes.end(orphan, Duration.ofSeconds(10));

        assertThat(table.isAlive(orphan)).isFalse();
    }
}
