package io.pilothouse.plane.local.process;

import java.io.IOException;
import java.util.List;

/** The part of {@code /proc/<pid>/stat} that this room needs. */
record ProcessStat(char state, long threads, String startTicks) {
    // Counted from the state, which is the first field after the name.
    private static final int THREADS = 17;
    private static final int START = 19;

    /** Takes the whole line; its second field, the name, may hold anything, also blanks, brackets and line ends. */
    static ProcessStat parse(String line) throws IOException {
        List<String> fields =
                List.of(line.substring(line.lastIndexOf(')') + 1).strip().split(" ", -1));
        if (fields.size() <= START || fields.getFirst().length() != 1) {
            throw new IOException("This is not the status of a process: " + line);
        }
        try {
            return new ProcessStat(fields.getFirst().charAt(0), Long.parseLong(fields.get(THREADS)), fields.get(START));
        } catch (NumberFormatException damaged) {
            throw new IOException("This is not the status of a process: " + line, damaged);
        }
    }

    /** Whether it has ended and only its status is left; its first thread may end before the others. */
    boolean isDead() {
        return switch (state) {
            case 'Z' -> threads <= 1;
            case 'X', 'x' -> true;
            default -> false;
        };
    }
}
