package io.pilothouse.core.setting;

import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.Rule;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The values that a setting may have, as texts. */
public sealed interface SettingValues {
    /** Those of {@code compatibility}. */
    SettingValues VERSION =
            new Text(PatternRule.of("([0-9]{1,4}(\\.[0-9]{1,5}){1,3})?", "must be a version of ClickHouse, as 25.8"));

    /** That of a setting which holds the program's own rules. */
    SettingValues OF_THE_PROGRAM = new Fixed("is set by Pilothouse and cannot be changed");

    /** What is wrong with this value, as the end of a sentence; empty if nothing is. */
    Optional<String> breach(String value);

    /** The type that clients are shown. */
    String type();

    /** A whole number; {@code auto} if the database may choose one. */
    record Whole(BigInteger min, BigInteger max, boolean auto) implements SettingValues {
        private static final Pattern FORM = Pattern.compile("-?[0-9]{1,20}");

        @Override
        public Optional<String> breach(String value) {
            if (auto && value.equals(AUTO)) {
                return Optional.empty();
            }
            if (!FORM.matcher(value).matches()) {
                return Optional.of("must be a whole number" + (auto ? " or auto" : ""));
            }
            BigInteger number = new BigInteger(value);
            return number.compareTo(min) < 0 || number.compareTo(max) > 0
                    ? Optional.of("must be from " + min + " to " + max)
                    : Optional.empty();
        }

        @Override
        public String type() {
            return "integer";
        }
    }

    /** A number that need not be whole. */
    record Fraction(BigDecimal min, BigDecimal max, boolean auto) implements SettingValues {
        private static final Pattern FORM = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,20})?");

        @Override
        public Optional<String> breach(String value) {
            if (auto && value.equals(AUTO)) {
                return Optional.empty();
            }
            if (!FORM.matcher(value).matches()) {
                return Optional.of("must be a number" + (auto ? " or auto" : ""));
            }
            BigDecimal number = new BigDecimal(value);
            return number.compareTo(min) < 0 || number.compareTo(max) > 0
                    ? Optional.of("must be from " + min.toPlainString() + " to " + max.toPlainString())
                    : Optional.empty();
        }

        @Override
        public String type() {
            return "number";
        }
    }

    /** On or off. */
    record Flag(boolean auto) implements SettingValues {
        private static final Set<String> WORDS = Set.of("0", "1", "false", "true");

        @Override
        public Optional<String> breach(String value) {
            return WORDS.contains(value) || (auto && value.equals(AUTO))
                    ? Optional.empty()
                    : Optional.of("must be 0 or 1" + (auto ? " or auto" : ""));
        }

        @Override
        public String type() {
            return "integer";
        }
    }

    /** One of these words; {@code many} if it may be several with commas between. */
    record Words(List<String> words, boolean many) implements SettingValues {
        public Words {
            words = List.copyOf(words);
        }

        @Override
        public Optional<String> breach(String value) {
            List<String> given = many ? List.of(value.split(",", -1)) : List.of(value);
            return words.containsAll(given)
                    ? Optional.empty()
                    : Optional.of((many ? "must be some of " : "must be one of ") + list());
        }

        /** The words for a sentence. */
        String list() {
            return String.join(
                    ", ", words.stream().filter(word -> !word.isEmpty()).toList());
        }

        @Override
        public String type() {
            return "string";
        }
    }

    /** A text that keeps a rule. */
    record Text(Rule.OfText rule) implements SettingValues {
        @Override
        public Optional<String> breach(String value) {
            return rule.breach(value);
        }

        @Override
        public String type() {
            return "string";
        }
    }

    /** What no service may change, and why: such a setting is not offered. */
    record Fixed(String why) implements SettingValues {
        @Override
        public Optional<String> breach(String value) {
            return Optional.of(why);
        }

        @Override
        public String type() {
            return "string";
        }
    }

    /** The word by which the database chooses. */
    String AUTO = "auto";
}
