package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** What this system can keep the bundled ClickHouse from: files that are not its own, ports, and addresses. */
public record Fences(boolean files, boolean ports, boolean addresses) {
    public static final Fences NONE = new Fences(false, false, false);

    /** Found out by trying, on a thread of its own that then ends: of the kind that the system knows. */
    public static Fences ofThisSystem(ThreadFactory platformThreads) {
        if (!SystemCalls.isLinux()) {
            return NONE;
        }
        try {
            LandlockFence landlock = new LandlockFence();
            return new Fences(
                    landlock.version() > 0, landlock.holdsPorts(), ConnectionFence.isPossible(platformThreads));
        } catch (IOException refused) {
            return NONE;
        }
    }

    /** Whether SQL can reach neither files nor places that it should not: at least the ports are held. */
    public boolean hold() {
        return files && (ports || addresses);
    }

    /** What is not held, in sentences for a person. */
    public List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        if (!files) {
            gaps.add("This system has no Landlock: SQL in one service can read files of this machine, other services'"
                    + " and Pilothouse's own among them.");
        }
        if (!addresses) {
            gaps.add(
                    ports
                            ? "This system holds connections of SQL to ports and not to addresses: SQL can reach the"
                                    + " ports of --egress (443 by default) on this machine and its neighbours too."
                            : "This system cannot hold connections of SQL: a name that leads to this machine or its"
                                    + " neighbours is not refused.");
        }
        return gaps;
    }

    /** What is left for a program that is not ours: nobody lives beside it who could judge addresses. */
    public Fences ofAProgram() {
        return files ? new Fences(true, ports, false) : NONE;
    }

    public static Fences parse(String text) {
        List<String> words = List.of(text.split(","));
        return new Fences(words.contains("files"), words.contains("ports"), words.contains("addresses"));
    }

    /** What {@link #parse} reads. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        if (files) {
            words.add("files");
        }
        if (ports) {
            words.add("ports");
        }
        if (addresses) {
            words.add("addresses");
        }
        return words.isEmpty() ? "none" : String.join(",", words);
    }
}
