package io.pilothouse.pipes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * How much processor and memory a process uses, as the system counts it. It is looked at only when somebody asks, and
 * not more often than every few seconds. Safe for many threads.
 */
final class ProcessUse {
    private static final long BETWEEN_LOOKS_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MILLI = 1000;
    private static final int KIBIBYTE = 1024;

    private final ProcessHandle process;
    private long lookedAt = System.nanoTime();
    private Duration used = Duration.ZERO;
    private OptionalLong millicores = OptionalLong.empty();

    ProcessUse(ProcessHandle process) {
        this.process = process;
    }

    /** On average since the look before; unknown where the system does not say. */
    synchronized OptionalLong millicores() {
        long now = System.nanoTime();
        long passed = now - lookedAt;
        if (millicores.isPresent() && passed < BETWEEN_LOOKS_NANOS) {
            return millicores;
        }
        process.info().totalCpuDuration().ifPresent(total -> {
            millicores = OptionalLong.of(total.minus(used).toNanos() * MILLI / Math.max(1, passed));
            used = total;
            lookedAt = now;
        });
        return millicores;
    }

    /** What it holds of the machine's memory; unknown where there is no {@code /proc}. */
    OptionalLong memoryBytes() {
        try {
            return resident(Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")));
        } catch (IOException gone) {
            return OptionalLong.empty();
        }
    }

    static OptionalLong resident(List<String> status) {
        return status.stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
                .findFirst();
    }
}
