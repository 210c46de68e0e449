package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The time of the machine's clock without its jumps, which it follows after a while only: a wrong clock that is soon
 * set right deletes nothing and makes nothing late. Safe for many threads.
 */
final class SteadyClock implements Clock {
    private static final Logger LOG = System.getLogger(SteadyClock.class.getName());
    private static final Duration JUMP = Duration.ofSeconds(10);
    private static final Duration MAX_HOLD = Duration.ofHours(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Path UPTIME = Path.of("/proc/uptime");

    private final Clock machine;
    private final LongSupplier ticks;
    private final Supplier<OptionalLong> uptime;
    private final long begun;
    private volatile Anchor anchor;

    /** A moment of the time given out, with the ticks and the uptime of it; {@code jumped} has the ticks of a jump since. */
    private record Anchor(
            Instant time,
            long tick,
            OptionalLong uptime,
            @Nullable Long jumped) {
        Instant at(long now) {
            return time.plusNanos(now - tick);
        }
    }

    /**
     * {@code ticks} are nanoseconds that no one can set, and that may stand still while the machine sleeps;
     * {@code uptime} are such that count then too, if the system has them.
     */
    SteadyClock(Clock machine, LongSupplier ticks, Supplier<OptionalLong> uptime) {
        this.machine = machine;
        this.ticks = ticks;
        this.uptime = uptime;
        this.begun = ticks.getAsLong();
        this.anchor = new Anchor(machine.now(), begun, uptime.get(), null);
    }

    static SteadyClock ofMachine() {
        return new SteadyClock(Instant::now, System::nanoTime, SteadyClock::uptimeOfLinux);
    }

    private static OptionalLong uptimeOfLinux() {
        try {
            String seconds = Files.readString(UPTIME).split(" ", 2)[0];
            return OptionalLong.of(Math.round(Double.parseDouble(seconds) * SECOND));
        } catch (IOException | NumberFormatException none) {
            return OptionalLong.empty();
        }
    }

    @Override
    public Instant now() {
        Instant shown = machine.now();
        long tick = ticks.getAsLong();
        Anchor known = anchor;
        if (known.jumped == null && isNear(known.at(tick), shown)) {
            if (tick - known.tick > SECOND) {
                anchor = new Anchor(shown, tick, uptime.get(), null);
            }
            return shown;
        }
        return afterAJump(shown, tick);
    }

    @Override
    public Duration behind() {
        Duration behind = Duration.between(now(), machine.now());
        return isNear(behind) ? Duration.ZERO : behind;
    }

    private synchronized Instant afterAJump(Instant shown, long tick) {
        Anchor known = anchor;
        Instant steady = known.at(tick);
        if (isNear(steady, shown)) {
            if (known.jumped != null) {
                LOG.log(Level.INFO, "The clock of this machine is right again");
            }
            return follow(shown, tick);
        }
        if (known.jumped == null) {
            if (wasAsleep(known, shown)) {
                return follow(shown, tick);
            }
            anchor = new Anchor(known.time, known.tick, known.uptime, tick);
            LOG.log(
                    Level.WARNING,
                    "The clock of this machine jumped from {0} to {1}; the time before is kept for {2}, or until a restart",
                    steady,
                    shown,
                    hold(tick));
            return steady;
        }
        if (tick - known.jumped >= hold(known.jumped).toNanos()) {
            LOG.log(Level.WARNING, "The clock of this machine is followed now, from {0} to {1}", steady, shown);
            return follow(shown, tick);
        }
        return steady;
    }

    /** A clock that is set right soon after the machine's start is followed soon. */
    private Duration hold(long jumped) {
        Duration run = Duration.ofNanos(jumped - begun);
        return run.compareTo(MAX_HOLD) < 0 ? run : MAX_HOLD;
    }

    private boolean wasAsleep(Anchor known, Instant shown) {
        OptionalLong now = uptime.get();
        if (now.isEmpty() || known.uptime.isEmpty()) {
            // Such a system cannot tell a sleep from a jump, and sleeps are far more frequent.
            return shown.isAfter(known.time);
        }
        return isNear(known.time.plusNanos(now.getAsLong() - known.uptime.getAsLong()), shown);
    }

    private Instant follow(Instant shown, long tick) {
        anchor = new Anchor(shown, tick, uptime.get(), null);
        return shown;
    }

    private static boolean isNear(Instant one, Instant other) {
        return isNear(Duration.between(one, other));
    }

    private static boolean isNear(Duration apart) {
        return apart.abs().compareTo(JUMP) < 0;
    }
}
