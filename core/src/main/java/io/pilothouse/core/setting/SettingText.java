package io.pilothouse.core.setting;

import io.pilothouse.core.base.Tree;
import java.math.BigDecimal;
import java.util.Optional;

/** The text of a setting's value that was given as a text, a number or a flag. */
final class SettingText {
    private SettingText() {}

    /** Empty for anything else, and for a number that is not exact: a large one is given as a text. */
    static Optional<String> of(Tree value) {
        if (value instanceof Tree.Text text) {
            return Optional.of(text.value());
        }
        if (value instanceof Tree.Flag flag) {
            return Optional.of(flag.value() ? "1" : "0");
        }
        return value instanceof Tree.Figure figure && Math.abs(figure.value()) < 1L << 53
                ? Optional.of(
                        BigDecimal.valueOf(figure.value()).stripTrailingZeros().toPlainString())
                : Optional.empty();
    }
}
