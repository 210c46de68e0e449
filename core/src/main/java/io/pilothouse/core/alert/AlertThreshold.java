package io.pilothouse.core.alert;

import io.pilothouse.core.base.WordRule;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bound that a value is compared with; {@code max} is present for the two ranges and only for them. */
public record AlertThreshold(
        Type type, double value, @Nullable Double max) {

    /** The comparison. Plain above includes the threshold and plain below does not, as clients expect. */
    public enum Type {
        ABOVE,
        BELOW,
        ABOVE_EXCLUSIVE,
        BELOW_OR_EQUAL,
        EQUAL,
        NOT_EQUAL,
        BETWEEN,
        NOT_BETWEEN;

        /** The words of the wire. */
        public static final WordRule WORDS = WordRule.of(values(), Type::word);

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isRange() {
            return this == BETWEEN || this == NOT_BETWEEN;
        }

        public static Optional<Type> find(String word) {
            for (Type type : values()) {
                if (type.word().equals(word)) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }
    }

    public boolean isViolatedBy(double measured) {
        return switch (type) {
            case ABOVE -> measured >= value;
            case BELOW -> measured < value;
            case ABOVE_EXCLUSIVE -> measured > value;
            case BELOW_OR_EQUAL -> measured <= value;
            case EQUAL -> measured == value;
            case NOT_EQUAL -> measured != value;
            case BETWEEN -> measured >= value && measured <= upper();
            case NOT_BETWEEN -> measured < value || measured > upper();
        };
    }

    /** Describes a violation for a person: {@code at or above 5}. */
    public String words() {
        return switch (type) {
            case ABOVE -> "at or above " + plain(value);
            case BELOW -> "below " + plain(value);
            case ABOVE_EXCLUSIVE -> "above " + plain(value);
            case BELOW_OR_EQUAL -> "at or below " + plain(value);
            case EQUAL -> "equal to " + plain(value);
            case NOT_EQUAL -> "not equal to " + plain(value);
            case BETWEEN -> "between " + plain(value) + " and " + plain(upper());
            case NOT_BETWEEN -> "not between " + plain(value) + " and " + plain(upper());
        };
    }

    private double upper() {
        return max == null ? value : max;
    }

    /** A number as people write it: integers without a point. */
    public static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
