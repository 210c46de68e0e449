package io.pilothouse.core.base;

import java.util.Optional;
import java.util.regex.Pattern;

/** The form that a text must have, in a pattern that every dialect of the served document reads the same. */
public record PatternRule(Pattern pattern, String message) implements Rule.OfText {
    public static PatternRule of(String pattern, String message) {
        return new PatternRule(Pattern.compile(pattern), message);
    }

    @Override
    public Optional<String> breach(String value) {
        return pattern.matcher(value).matches() ? Optional.empty() : Optional.of(message);
    }
}
