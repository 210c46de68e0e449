package io.pilothouse.pipes;

import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.pipes.wire.Words;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How a worker is started: a small Java with its own class path, and no environment; nothing that it is told at its start is secret. */
public final class WorkerProgram {
    private static final String MAIN = "io.pilothouse.pipes.worker.WorkerMain";
    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            // Its standard output belongs to the messages.
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=30",
            // What a batch holds is copied by each collection that it lives through.
            "-Xms24m",
            "-XX:NewSize=16m",
            "-Xss256k",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    private static final int MEGABYTES_IN_A_GIGABYTE = 1024;
    private static final int MILLICORES = 1000;
    private static final long BYTES_IN_A_GIGABYTE = 1L << 30;
    /** The rest is for what a Java needs beside its heap. */
    private static final double SHARE_OF_THE_HEAP = 0.7;

    private final Path java;
    private final String classPath;
    private final ProcessLimits limits;

    public WorkerProgram(Path java, String classPath, ProcessLimits limits) {
        this.java = java;
        this.classPath = classPath;
        this.limits = limits;
    }

    /** Starts one for a pipe; {@code name} is that of its control group, where there are any. */
    Process start(String name, PipeScaling scaling) throws IOException {
        return start(name, scaling, List.of());
    }

    /** Starts one that only looks at a source. */
    Process startToLook(String name, PipeScaling scaling) throws IOException {
        return start(name, scaling, List.of(Words.LOOK));
    }

    private Process start(String name, PipeScaling scaling, List<String> arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(java.toString()));
        line.addAll(SMALL);
        line.add("-Xmx" + Math.round(scaling.replicaMemoryGb() * MEGABYTES_IN_A_GIGABYTE * SHARE_OF_THE_HEAP) + "m");
        line.add("-XX:ActiveProcessorCount=" + Math.ceilDiv(scaling.replicaCpuMillicores(), MILLICORES));
        line.addAll(List.of("-cp", classPath, MAIN));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("LANG", "C.UTF-8");
        Process process = builder.start();
        limits.hold(
                name,
                process.pid(),
                new ProcessLimits.Share(
                        (long) (scaling.replicaMemoryGb() * BYTES_IN_A_GIGABYTE),
                        scaling.replicaCpuMillicores(),
                        ProcessLimits.Share.USUAL_WEIGHT));
        return process;
    }

    void ended(String name) {
        limits.forget(name);
    }
}
