package io.pilothouse.pipes;

import io.pilothouse.core.pipe.PipeScaling;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Holds workers to their memory and their share of a processor where this process may make control groups (Linux,
 * version 2); elsewhere the limits of their Java are the only ones.
 */
public final class ControlGroups {
    private static final Logger LOG = System.getLogger(ControlGroups.class.getName());
    private static final long BYTES_IN_A_GIGABYTE = 1L << 30;
    private static final int MICROS_OF_A_PERIOD = 100_000;
    private static final int MICROS_OF_A_MILLICORE = 100;

    private final Path folder;
    private final boolean usable;

    private ControlGroups(Path folder, boolean usable) {
        this.folder = folder;
        this.usable = usable;
    }

    /** Those below {@code root}, usually {@code /sys/fs/cgroup}. */
    public static ControlGroups below(Path root) {
        Path folder = root.resolve("pilothouse-pipes");
        if (!Files.exists(root.resolve("cgroup.controllers"))) {
            return new ControlGroups(folder, false);
        }
        try {
            Files.writeString(root.resolve("cgroup.subtree_control"), "+cpu +memory");
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("cgroup.subtree_control"), "+cpu +memory");
            return new ControlGroups(folder, true);
        } catch (IOException notAllowed) {
            return new ControlGroups(folder, false);
        }
    }

    /** Whether memory and processor are held by the operating system. */
    public boolean usable() {
        return usable;
    }

    void hold(String name, long pid, PipeScaling scaling) {
        if (!usable) {
            return;
        }
        Path group = folder.resolve(name);
        try {
            Files.createDirectories(group);
            Files.writeString(group.resolve("memory.max"), Long.toString((long)
                    (scaling.replicaMemoryGb() * BYTES_IN_A_GIGABYTE)));
            Files.writeString(
                    group.resolve("cpu.max"),
                    String.format(
                            Locale.ROOT,
                            "%d %d",
                            scaling.replicaCpuMillicores() * MICROS_OF_A_MILLICORE,
                            MICROS_OF_A_PERIOD));
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
        } catch (IOException failure) {
            LOG.log(Level.WARNING, "The pipe worker {0} runs without a control group: {1}", name, failure.getMessage());
        }
    }

    /** Removes the group of a worker that has ended. */
    void forget(String name) {
        if (usable) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException stillThere) {
                LOG.log(Level.DEBUG, "The control group {0} stays: {1}", name, stillThere.getMessage());
            }
        }
    }
}
