package io.pilothouse.core.base;

import java.util.Optional;

/** The length of a text in characters (code points) and which ones it may hold; where one is needed, blanks are not enough. */
public record TextRule(int minLength, int maxLength, Alphabet alphabet) implements Rule.OfText {

    /** Which characters a text may hold. */
    public enum Alphabet {
        LETTERS_DIGITS_WHITESPACE("letters, digits and whitespace"),
        PRINTABLE("printable characters"),
        WITHOUT_CONTROLS("characters without control characters"),
        ANY("characters");

        private final String words;

        Alphabet(String words) {
            this.words = words;
        }

        private boolean holds(int character) {
            return switch (this) {
                case LETTERS_DIGITS_WHITESPACE ->
                    Character.isLetterOrDigit(character) || Character.isWhitespace(character);
                case PRINTABLE -> Character.isDefined(character) && !Character.isISOControl(character);
                case WITHOUT_CONTROLS -> !Character.isISOControl(character);
                case ANY -> true;
            };
        }
    }

    /** A text that is not blank, of printable characters. */
    public static TextRule printable(int maxLength) {
        return new TextRule(1, maxLength, Alphabet.PRINTABLE);
    }

    /** A text that is not blank, of any characters. */
    public static TextRule filled(int maxLength) {
        return new TextRule(1, maxLength, Alphabet.ANY);
    }

    /** A text of any characters, or of none. */
    public static TextRule any(int maxLength) {
        return new TextRule(0, maxLength, Alphabet.ANY);
    }

    @Override
    public Optional<String> breach(String value) {
        int length = value.codePointCount(0, value.length());
        boolean held = value.codePoints().allMatch(alphabet::holds);
        if (minLength > 1) {
            return length >= minLength && length <= maxLength && held
                    ? Optional.empty()
                    : Optional.of("must be " + minLength + " to " + maxLength + " " + alphabet.words);
        }
        if (minLength == 1 && value.isBlank()) {
            return Optional.of("must not be blank");
        }
        if (length > maxLength) {
            return Optional.of("must be at most " + maxLength + " characters");
        }
        return held ? Optional.empty() : Optional.of("may hold " + alphabet.words + " only");
    }
}
