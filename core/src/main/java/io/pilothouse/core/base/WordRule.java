package io.pilothouse.core.base;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The words that a text may be. */
public record WordRule(List<String> words) implements Rule.OfText {
    public WordRule {
        words = List.copyOf(words);
    }

    public static WordRule of(String... words) {
        return new WordRule(List.of(words));
    }

    /** The words of an enumeration, in its order. */
    public static <E> WordRule of(E[] values, Function<E, String> word) {
        return new WordRule(Arrays.stream(values).map(word).toList());
    }

    @Override
    public Optional<String> breach(String value) {
        return words.contains(value) ? Optional.empty() : Optional.of(message());
    }

    /** What is said about any other word. */
    public String message() {
        return "must be one of " + String.join(", ", words);
    }
}
