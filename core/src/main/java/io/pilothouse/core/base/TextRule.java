package io.pilothouse.core.base;

import java.util.Optional;

/** The length of a text in characters (code points) and which ones it may hold; a blank text is refused. */
public record TextRule(int maxLength, Alphabet alphabet) {

    /** Which characters a text may hold. */
    public enum Alphabet {
        LETTERS_DIGITS_WHITESPACE("letters, digits and whitespace"),
        PRINTABLE("printable characters");

        private final String words;

        Alphabet(String words) {
            this.words = words;
        }

        private boolean holds(int character) {
            return switch (this) {
                case LETTERS_DIGITS_WHITESPACE ->
                    Character.isLetterOrDigit(character) || Character.isWhitespace(character);
                case PRINTABLE -> Character.isDefined(character) && !Character.isISOControl(character);
            };
        }
    }

    /** A sentence about what is wrong with this value, if anything is. */
    public Optional<String> breach(String value) {
        if (value.isBlank()) {
            return Optional.of("must not be blank");
        }
        if (value.codePointCount(0, value.length()) > maxLength) {
            return Optional.of("must be at most " + maxLength + " characters");
        }
        if (!value.codePoints().allMatch(alphabet::holds)) {
            return Optional.of("may hold " + alphabet.words + " only");
        }
        return Optional.empty();
    }
}
