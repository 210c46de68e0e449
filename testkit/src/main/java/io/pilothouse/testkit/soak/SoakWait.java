package io.pilothouse.testkit.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Waits for what has to come about sooner or later, however slow the machine is. */
final class SoakWait {
    /** A service that was killed at each of its starts is tried again after two minutes, and may be killed again. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private static final int PAUSE_MILLIS = 50;

    private SoakWait() {}

    /** One try: empty, or a failure to talk to somebody, means that it has not come about yet. */
    @FunctionalInterface
    interface Try<T> {
        Optional<T> attempt() throws IOException, InterruptedException;
    }

    /** Whether it is so by now; the answer is what is missing, and empty when nothing is. */
    @FunctionalInterface
    interface Missing {
        String look() throws IOException, InterruptedException;
    }

    static <T> T until(String what, Try<T> attempt) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        IOException last = null;
        while (System.nanoTime() < deadline) {
            try {
                Optional<T> result = attempt.attempt();
                if (result.isPresent()) {
                    return result.get();
                }
            } catch (IOException e) {
                last = e;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new AssertionError("Not in " + PATIENCE + ": " + what, last);
    }

    /** Waits until nothing is missing; the failure has what still was. */
    static void untilNothingIsMissing(String what, Missing missing) throws InterruptedException {
        String[] last = {"it could not be asked"};
        try {
            until(what, () -> {
                last[0] = missing.look();
                return last[0].isEmpty() ? Optional.of(true) : Optional.empty();
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ": " + last[0], e);
        }
    }
}
