package io.pilothouse.pipes;

import io.pilothouse.core.port.ProcessLimits;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds processes to their memory and their processors where this program may make control groups (Linux, version 2);
 * elsewhere the limits that they have of themselves are the only ones.
 */
public final class ControlGroups implements ProcessLimits {
    private static final Logger LOG = System.getLogger(ControlGroups.class.getName());
    private static final int MICROS_OF_A_PERIOD = 100_000;
    private static final int MICROS_OF_A_MILLICORE = 100;

    private final Path folder;
    private final boolean usable;

    private ControlGroups(Path folder, boolean usable) {
        this.folder = folder;
        this.usable = usable;
    }

    /**
     * Those of one kind below {@code root}, usually {@code /sys/fs/cgroup}; {@code kind} is the name of their own
     * folder, and {@code weight} what all of them together weigh against everything outside it, where each process has
     * {@link Share#USUAL_WEIGHT}: inside a group, the niceness of a process says nothing to those outside.
     */
    public static ControlGroups below(Path root, String kind, int weight) {
        Path folder = root.resolve(kind);
        if (!Files.exists(root.resolve("cgroup.controllers"))) {
            return new ControlGroups(folder, false);
        }
        try {
            Files.writeString(root.resolve("cgroup.subtree_control"), "+cpu +memory");
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("cgroup.subtree_control"), "+cpu +memory");
            Files.writeString(folder.resolve("cpu.weight"), Integer.toString(weight));
            return new ControlGroups(folder, true);
        } catch (IOException notAllowed) {
            return new ControlGroups(folder, false);
        }
    }

    /** Whether memory and processor are held by the operating system. */
    public boolean usable() {
        return usable;
    }

    @Override
    public void hold(String name, long pid, Share share) {
        if (!usable) {
            return;
        }
        Path group = folder.resolve(name);
        try {
            Files.createDirectories(group);
            Files.writeString(group.resolve("memory.max"), Long.toString(share.memoryBytes()));
            String processors =
                    share.millicores() == 0 ? "max" : Integer.toString(share.millicores() * MICROS_OF_A_MILLICORE);
            Files.writeString(group.resolve("cpu.max"), processors + " " + MICROS_OF_A_PERIOD);
            Files.writeString(group.resolve("cpu.weight"), Integer.toString(share.weight()));
            Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
        } catch (IOException failure) {
            LOG.log(
                    Level.WARNING,
                    "The process of {0} runs without the limits of a control group: {1}",
                    name,
                    failure.getMessage());
        }
    }

    @Override
    public void forget(String name) {
        if (usable) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException stillThere) {
                LOG.log(Level.DEBUG, "The control group {0} stays: {1}", name, stillThere.getMessage());
            }
        }
    }
}
