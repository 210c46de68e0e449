package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GuessesTest {
    private static final int MAX_FAILURES = 5;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private final Guesses guesses = new Guesses(MAX_FAILURES, nanos::get, new byte[] {1, 2, 3});

    @Test
    void addressWithTooManyFailuresWaitsForTheRestOfItsMinute() {
        for (int count = 0; count < MAX_FAILURES; count++) {
            assertThat(at("192.0.2.1", "key" + count, "x").secondsToWait()).isZero();
            at("192.0.2.1", "key" + count, "x").failed();
        }
        pass(Duration.ofSeconds(20));
        assertThat(at("192.0.2.1", "another", "right").secondsToWait()).isEqualTo(40);
        assertThat(at("192.0.2.2", "another", "right").secondsToWait()).isZero();
        assertThat(guesses.failed()).isEqualTo(MAX_FAILURES);
        assertThat(guesses.heldUp()).isEqualTo(1);
        pass(Duration.ofSeconds(40));
        assertThat(at("192.0.2.1", "another", "right").secondsToWait()).isZero();
        at("192.0.2.1", "another", "wrong").failed();
        assertThat(at("192.0.2.1", "another", "right").secondsToWait()).isZero();
    }

    @Test
    void credentialThatWasRightBeforePassesUntilItIsWrong() {
        at("192.0.2.9", "key", "right").proven();
        for (int count = 0; count < MAX_FAILURES; count++) {
            at("192.0.2.1", "key", "x" + count).failed();
        }
        assertThat(at("192.0.2.1", "key", "right").secondsToWait()).isZero();
        assertThat(at("192.0.2.1", "key", "left").secondsToWait()).isEqualTo(60);
        at("192.0.2.1", "key", "right").failed();
        assertThat(at("192.0.2.1", "key", "right").secondsToWait()).isPositive();
    }

    @Test
    void nameThatManyAddressesGuessIsClosedToThoseAlone() {
        for (int count = 0; count < MAX_FAILURES; count++) {
            at("192.0.2." + count, "key", "x").failed();
        }
        assertThat(at("192.0.2.1", "key", "y").secondsToWait()).isPositive();
        assertThat(at("192.0.2.1", "other key", "y").secondsToWait()).isZero();
        assertThat(at("198.51.100.1", "key", "right").secondsToWait()).isZero();
        pass(Duration.ofMinutes(1));
        assertThat(at("192.0.2.1", "key", "y").secondsToWait()).isZero();
    }

    @Test
    void whoShowsNothingIsNeverProven() {
        guesses.attempt(InetAddress.ofLiteral("192.0.2.1"), "service", null).proven();
        for (int count = 0; count < MAX_FAILURES; count++) {
            guesses.attempt(InetAddress.ofLiteral("192.0.2.1"), "service", null).failed();
        }
        assertThat(guesses.attempt(InetAddress.ofLiteral("192.0.2.1"), "service", null)
                        .secondsToWait())
                .isPositive();
    }

    @Test
    void withoutALimitNobodyWaits() {
        Guesses any = new Guesses(0, nanos::get, new byte[0]);
        for (int count = 0; count < 100; count++) {
            any.attempt(InetAddress.ofLiteral("192.0.2.1"), "key", "x").failed();
        }
        assertThat(any.attempt(InetAddress.ofLiteral("192.0.2.1"), "key", "x").secondsToWait())
                .isZero();
        assertThat(any.failed()).isEqualTo(100);
    }

    private Guesses.Attempt at(String from, String name, String secret) {
        return guesses.attempt(InetAddress.ofLiteral(from), name, name + ":" + secret);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
