package io.pilothouse.core.base;

import java.math.BigDecimal;
import java.util.Optional;

/** The range of a number, ends included; {@code multipleOf} 0 allows any, 1 whole numbers only. */
public record NumberRule(double min, double max, int multipleOf) {

    /** A sentence about what is wrong with this value, if anything is. */
    public Optional<String> breach(double value) {
        if (multipleOf == 1 && value != Math.rint(value)) {
            return Optional.of("must be a whole number");
        }
        if (value < min || value > max) {
            return Optional.of(
                    max >= Integer.MAX_VALUE
                            ? "must be " + show(min) + " or more"
                            : "must be " + show(min) + " to " + show(max));
        }
        if (multipleOf > 1 && value % multipleOf != 0) {
            return Optional.of("must be a multiple of " + multipleOf);
        }
        return Optional.empty();
    }

    private static String show(double number) {
        return new BigDecimal(number).stripTrailingZeros().toPlainString();
    }
}
