package io.pilothouse.testkit.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of this machine that are reached through a disk on which any change may fail, but those of owners and rights.
 * Changes are numbered in the order in which they are tried. What has failed has no effect, but for a write that is torn.
 * For one thread.
 */
public final class FaultyDisk {
    private final FaultyProvider provider = new FaultyProvider(this);
    private final List<String> tried = new ArrayList<>();
    private int failsFrom = Integer.MAX_VALUE;
    private int worksFrom = Integer.MAX_VALUE;
    private boolean tears;
    private String reason = "";

    /** The same file, as it is reached through this disk. */
    public Path at(Path file) {
        return provider.wrap(file);
    }

    /**
     * From this change on none works, as after the death of the process or on a disk that is mounted read-only; the first
     * of them is torn if it is a write and {@code torn}.
     */
    public FaultyDisk dead(int from, boolean torn) {
        return failing(from, Integer.MAX_VALUE, torn, "The process is dead");
    }

    /** This one change does not work, and all later ones do. */
    public FaultyDisk failing(int change, boolean torn, String why) {
        return failing(change, change + 1, torn, why);
    }

    private FaultyDisk failing(int from, int until, boolean torn, String why) {
        failsFrom = from;
        worksFrom = until;
        tears = torn;
        reason = why;
        return this;
    }

    /** What was tried so far, each by its kind and the name of its file. */
    public List<String> tried() {
        return List.copyOf(tried);
    }

    /** Says how many of these bytes are written; all of them if the disk works. */
    int written(Path file, int bytes) {
        boolean fails = next("write", file);
        return !fails ? bytes : tears && tried.size() - 1 == failsFrom ? bytes / 2 : -1;
    }

    /** Counts a change, and throws if it fails. */
    void change(String kind, Path file) throws IOException {
        if (next(kind, file)) {
            throw fault(file);
        }
    }

    IOException fault(Path file) {
        return new IOException(file.getFileName() + ": " + reason);
    }

    private boolean next(String kind, Path file) {
        int number = tried.size();
        tried.add(kind + " " + file.getFileName());
        return number >= failsFrom && number < worksFrom;
    }
}
