package io.pilothouse.core.snapshot;

import io.pilothouse.core.base.Refused;
import java.util.regex.Pattern;

/** What a snapshot may be called, and how much may be kept. */
public final class SnapshotRules {
    /** How many snapshots a server keeps. */
    public static final int MAX_SNAPSHOTS = 100;

    /** How large the rows of one may be, because they are in memory while it is taken and while it is used. */
    public static final long MAX_BYTES = 64L << 20;

    /** How much room all of them may take where they are kept. */
    public static final long MAX_BYTES_OF_ALL = 1L << 30;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private SnapshotRules() {}

    /** A name is part of the name of a file. */
    static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw Refused.badRequest(
                    "name",
                    "must be 1 to 64 letters, digits, dots, dashes and underscores, and begin with a letter or digit");
        }
        return name;
    }

    static void requireRoom(int count, long bytes) {
        if (count >= MAX_SNAPSHOTS) {
            throw conflict("A server keeps at most " + MAX_SNAPSHOTS + " snapshots: delete one first");
        }
        if (bytes >= MAX_BYTES_OF_ALL) {
            throw conflict("The snapshots take " + (bytes >> 20) + " MiB, and may take " + (MAX_BYTES_OF_ALL >> 20)
                    + ": delete one first");
        }
    }

    static void requireSmall(long bytes) {
        if (bytes > MAX_BYTES) {
            throw conflict("There is more than a snapshot can hold, which is " + (MAX_BYTES >> 20) + " MiB of rows");
        }
    }

    static Refused conflict(String sentence) {
        return new Refused(Refused.Reason.CONFLICT, sentence);
    }
}
