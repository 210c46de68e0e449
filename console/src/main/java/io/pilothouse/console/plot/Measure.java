package io.pilothouse.console.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** What sort of number it is, for people: three figures and a unit that keeps it short. */
public enum Measure {
    PLAIN(1_000, List.of("", " k", " M", " G", " T")),
    PER_SECOND(1_000, List.of("/s", " k/s", " M/s", " G/s")),
    BYTES(1_024, List.of(" B", " KiB", " MiB", " GiB", " TiB", " PiB")),
    BYTES_PER_SECOND(1_024, List.of(" B/s", " KiB/s", " MiB/s", " GiB/s")),
    MILLIS(1_000, List.of(" ms", " s"));

    private static final MathContext FIGURES = new MathContext(3);

    private final int step;
    // List.of cannot be changed, which its type does not say.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> units;

    Measure(int step, List<String> units) {
        this.step = step;
        this.units = units;
    }

    public String shown(double number) {
        if (Double.isNaN(number)) {
            return "–";
        }
        double left = number;
        int unit = 0;
        while (Math.abs(left) >= step && unit < units.size() - 1) {
            left /= step;
            unit++;
        }
        return rounded(left) + units.get(unit);
    }

    private static String rounded(double number) {
        if (Math.abs(number) >= 100) {
            return Long.toString(Math.round(number));
        }
        BigDecimal rounded = new BigDecimal(number).round(FIGURES);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
