package io.pilothouse.core.pipe.progress;

import io.pilothouse.core.pipe.Pipe;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the workers of one pipe have counted since they were started, or what is known of one that stands still. What is
 * not known is missing.
 */
public record PipeFigures(Pipe pipe, Map<PipeFigure, Long> values, List<TableEvents> tables) {
    public PipeFigures {
        EnumMap<PipeFigure, Long> copy = new EnumMap<>(PipeFigure.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
        tables = List.copyOf(tables);
    }

    /** With these instead of what was known of the same sort. */
    public PipeFigures with(Map<PipeFigure, Long> newer) {
        Map<PipeFigure, Long> all = new EnumMap<>(PipeFigure.class);
        all.putAll(values);
        all.putAll(newer);
        return new PipeFigures(pipe, all, tables);
    }

    /** How many changes of one sort were fetched for one table: {@code insert}, {@code update} or {@code delete}. */
    public record TableEvents(String table, String event, long count) {}
}
