package io.pilothouse.core.port;

import java.time.Duration;
import java.time.Instant;

/** The current time; handed in, so that tests can move it. */
@FunctionalInterface
public interface Clock {
    Instant now();

    /** How far this time is behind the clock of the machine, negative if it is ahead of it. */
    default Duration behind() {
        return Duration.ZERO;
    }

    /** How long a watch has to run until this moment, as far as is known now; negative if it is over. */
    default Duration until(Instant moment) {
        return Duration.between(now(), moment);
    }

    /** The moment that comes when a watch has run this long from now on, as far as is known now. */
    default Instant after(Duration watch) {
        return now().plus(watch);
    }

    /** The time that other machines go by, for what they judge: certificates and signatures. */
    default Clock machine() {
        return this;
    }
}
