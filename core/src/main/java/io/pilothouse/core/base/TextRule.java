package io.pilothouse.core.base;

import java.util.Optional;
import java.util.regex.Pattern;

/** The length of a text in characters (code points) and which ones it may hold; where one is needed, blanks are not enough. */
public record TextRule(int minLength, int maxLength, Alphabet alphabet) implements Rule.OfText {

    /** What Unicode calls white space, as every dialect of patterns can say it. */
    public static final String WHITE_SPACE =
            "[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
    /** A letter with the marks that combine with it, or a digit. */
    public static final String LETTER_OR_DIGIT = "[\\p{L}\\p{Nd}]\\p{M}*";

    private static final Pattern NAME = Pattern.compile("(?:" + LETTER_OR_DIGIT + "+|" + WHITE_SPACE + ")*+");
    private static final Pattern BLANK = Pattern.compile("(?:" + WHITE_SPACE + "|\\s)*+");

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

        private boolean holds(String text) {
            return switch (this) {
                case LETTERS_DIGITS_WHITESPACE -> NAME.matcher(text).matches();
                case PRINTABLE ->
                    text.codePoints()
                            .allMatch(
                                    character -> Character.isDefined(character) && !Character.isISOControl(character));
                case WITHOUT_CONTROLS -> text.codePoints().noneMatch(Character::isISOControl);
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
        boolean held = alphabet.holds(value);
        if (minLength > 1) {
            return length >= minLength && length <= maxLength && held
                    ? Optional.empty()
                    : Optional.of("must be " + minLength + " to " + maxLength + " " + alphabet.words);
        }
        if (minLength == 1 && (value.isBlank() || BLANK.matcher(value).matches())) {
            return Optional.of("must not be blank");
        }
        if (length > maxLength) {
            return Optional.of("must be at most " + maxLength + " characters");
        }
        return held ? Optional.empty() : Optional.of("may hold " + alphabet.words + " only");
    }
}
