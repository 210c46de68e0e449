package io.pilothouse.core.alert;

import io.pilothouse.core.base.WordRule;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** How long a window of an alert is. */
public enum AlertInterval {
    ONE_MINUTE("1m", 1),
    FIVE_MINUTES("5m", 5),
    QUARTER_HOUR("15m", 15),
    HALF_HOUR("30m", 30),
    ONE_HOUR("1h", 60),
    SIX_HOURS("6h", 6 * 60),
    TWELVE_HOURS("12h", 12 * 60),
    ONE_DAY("1d", 24 * 60);

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), AlertInterval::word);

    private final String word;
    private final int minutes;

    AlertInterval(String word, int minutes) {
        this.word = word;
        this.minutes = minutes;
    }

    public String word() {
        return word;
    }

    public int minutes() {
        return minutes;
    }

    public Duration length() {
        return Duration.ofMinutes(minutes);
    }

    public static Optional<AlertInterval> find(String word) {
        return Arrays.stream(values())
                .filter(interval -> interval.word.equals(word))
                .findFirst();
    }
}
