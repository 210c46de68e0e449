package io.pilothouse.core.emulator;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * How time goes: at this moment of the machine it was {@code shown}, and since then it goes {@code rate} times as fast
 * as a watch, or not at all for zero.
 */
public record ClockState(Instant machine, Instant shown, double rate) {
    /** Rows hold moments up to here, with room for what is planned from then on. */
    public static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What it is at this moment of the machine; a machine that was set back does not take it back. */
    public Instant at(Instant machineNow) {
        Duration passed = Duration.between(machine, machineNow);
        if (passed.isNegative() || rate == 0) {
            return shown;
        }
        Instant at = shown.plus(rate == 1 ? passed : stretched(passed));
        return at.isBefore(LATEST) ? at : LATEST;
    }

    private Duration stretched(Duration passed) {
        double seconds = passed.getSeconds() * rate;
        long whole = (long) seconds;
        double nanos = (seconds - whole) * NANOS + passed.getNano() * rate;
        return Duration.ofSeconds(whole).plusNanos((long) nanos);
    }
}
