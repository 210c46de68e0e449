package io.pilothouse.core.base;

import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The range of a number, ends included; {@code multipleOf} 0 allows any, 1 whole numbers only. */
public record NumberRule(double min, double max, int multipleOf) implements Rule {
    /** A bound that says no more than that the number fits. */
    private static final double AS_GOOD_AS_NONE = Integer.MAX_VALUE;

    public static NumberRule whole(double min, double max) {
        return new NumberRule(min, max, 1);
    }

    public static NumberRule wholeFrom(double min) {
        return whole(min, Integer.MAX_VALUE);
    }

    /** Adds a fault unless the number, if one was given, keeps the rule. */
    public void check(String path, @Nullable Double value, Faults faults) {
        if (value != null) {
            breach(value).ifPresent(message -> faults.add(path, message));
        }
    }

    /** A sentence about what is wrong with this value, if anything is. */
    public Optional<String> breach(double value) {
        if (multipleOf == 1 && value != Math.rint(value)) {
            return Optional.of("must be a whole number");
        }
        if (value < min || value > max) {
            return Optional.of("must be " + range(value));
        }
        if (multipleOf > 1 && value % multipleOf != 0) {
            return Optional.of("must be a multiple of " + multipleOf);
        }
        return Optional.empty();
    }

    private String range(double value) {
        if (max < AS_GOOD_AS_NONE) {
            return show(min) + " to " + show(max);
        }
        return value < min ? show(min) + " or more" : "at most " + show(max);
    }

    private static String show(double number) {
        return new BigDecimal(number).stripTrailingZeros().toPlainString();
    }
}
