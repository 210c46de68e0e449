package io.pilothouse.testkit.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The history of a simulation: a hash of every line, and the last lines. Ids differ from run to run, so each is called
 * by the order in which it was first met.
 */
final class SimTrace {
    private static final int MAX_KEPT = 400;
    private static final int FACTOR = 31;
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Map<String, String> names = new HashMap<>();
    private final Deque<String> last = new ArrayDeque<>();
    private long hash;

    void add(Instant now, int depth, String what) {
        String line = Duration.between(SimWorld.BEGINNING, now) + " " + "  ".repeat(depth) + named(what);
        hash = FACTOR * hash + line.hashCode();
        last.add(line);
        if (last.size() > MAX_KEPT) {
            last.remove();
        }
    }

    String name(UUID id) {
        return names.computeIfAbsent(id.toString(), _ -> "#" + (names.size() + 1));
    }

    /** The same text with a name for each id. */
    String named(String text) {
        return ID.matcher(text).replaceAll((MatchResult id) -> name(UUID.fromString(id.group())));
    }

    long hash() {
        return hash;
    }

    List<String> last() {
        return List.copyOf(last);
    }
}
