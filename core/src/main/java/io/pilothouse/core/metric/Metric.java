package io.pilothouse.core.metric;

import io.pilothouse.core.base.WordRule;
import io.pilothouse.core.pipe.PipeState;
import io.pilothouse.core.service.ServiceState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A number that the control plane knows about itself for one organization: its name, how it may be split, and how it is
 * summed up.
 */
public enum Metric {
    /** How many services there are now. */
    SERVICES(Kind.GAUGE),
    /** How many pipes there are now. */
    PIPES(Kind.GAUGE),
    /** How many requests of the organization were answered. */
    REQUESTS(Kind.COUNTER),
    /** How many things the engine has failed to make as wanted, despite repeated tries. */
    FAILING_TASKS(Kind.GAUGE),
    /** How long ago the last finished backup was; absent until there is one. */
    BACKUP_AGE_SECONDS(Kind.GAUGE),
    /** How many records of its source a pipe has yet to read. */
    PIPE_LAG_RECORDS(Kind.GAUGE),
    /** How old records are when a pipe writes them; 0 for one that has read everything. */
    PIPE_LAG_SECONDS(Kind.GAUGE),
    /** Of a hundred records of the last five minutes, how many a pipe could not ingest. */
    PIPE_ERROR_PERCENT(Kind.GAUGE),
    /** What a source keeps in its log for the slot of a pipe. */
    PIPE_SLOT_MIB(Kind.GAUGE);

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), Metric::word);

    private final Kind kind;

    Metric(Kind kind) {
        this.kind = kind;
    }

    /** Whether it is a present value, or a count over time that can be read for the past too. */
    public enum Kind {
        GAUGE,
        COUNTER
    }

    /** How the minutes of a window are combined into one number; a gauge has only its last value. */
    public enum Aggregation {
        LAST,
        SUM,
        AVG,
        MIN,
        MAX;

        /** The words of the wire. */
        public static final WordRule WORDS = WordRule.of(values(), Aggregation::word);

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Optional<Aggregation> find(String word) {
            return Arrays.stream(values())
                    .filter(aggregation -> aggregation.word().equals(word))
                    .findFirst();
        }
    }

    /** A way to split a metric: by one of these words or, if the list is empty, by the id of a thing. */
    public record Dimension(String name, List<String> words) {
        public Dimension {
            words = List.copyOf(words);
        }

        /** Whether its values are the ids of things, of which there may be any number. */
        public boolean ofIds() {
            return words.isEmpty();
        }
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isCounter() {
        return kind == Kind.COUNTER;
    }

    public List<Dimension> dimensions() {
        return switch (this) {
            case SERVICES ->
                List.of(
                        new Dimension("service", List.of()),
                        new Dimension("state", words(ServiceState.values(), ServiceState::word)));
            case PIPES ->
                List.of(
                        new Dimension("pipe", List.of()),
                        new Dimension("state", words(PipeState.values(), PipeState::word)));
            case REQUESTS -> List.of(new Dimension("status", List.of("2xx", "3xx", "4xx", "5xx")));
            case FAILING_TASKS -> List.of(new Dimension("kind", List.of("service", "pipe")));
            case BACKUP_AGE_SECONDS -> List.of();
            case PIPE_LAG_RECORDS, PIPE_LAG_SECONDS, PIPE_ERROR_PERCENT, PIPE_SLOT_MIB ->
                List.of(new Dimension("pipe", List.of()));
        };
    }

    private static <E> List<String> words(E[] values, Function<E, String> word) {
        return Arrays.stream(values).map(word).toList();
    }

    public Optional<Dimension> dimension(String name) {
        return dimensions().stream()
                .filter(dimension -> dimension.name().equals(name))
                .findFirst();
    }

    public Set<Aggregation> aggregations() {
        return isCounter() ? Set.of(Aggregation.values()) : Set.of(Aggregation.LAST);
    }

    public static Optional<Metric> find(String word) {
        return Arrays.stream(values())
                .filter(metric -> metric.word().equals(word))
                .findFirst();
    }
}
