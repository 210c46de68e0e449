package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.testkit.CountedAllowances;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Guesses at several processes that share a store. */
class SharedGuessesTest {
    private static final int MAX_FAILURES = 6;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final CountedAllowances allowances = new CountedAllowances(nanos::get);
    private final List<Guesses> processes = IntStream.range(0, 3)
            .mapToObj(process ->
                    new Guesses(MAX_FAILURES, nanos::get, new byte[] {(byte) process}, Optional.of(allowances)))
            .toList();

    private Guesses.Attempt at(int process, String from, String name, String secret) {
        return processes.get(process).attempt(InetAddress.ofLiteral(from), name, name + ":" + secret);
    }

    /** Whether somebody who guesses wrong learns that it is wrong. */
    private boolean learns(int process, String from, String name, String secret) {
        Guesses.Attempt attempt = at(process, from, name, secret);
        return attempt.secondsToWait() == 0 && attempt.failed() == 0;
    }

    /** Whether somebody with the right secret is let in. */
    private boolean enters(int process, String from, String name, String secret) {
        Guesses.Attempt attempt = at(process, from, name, secret);
        return attempt.secondsToWait() == 0 && attempt.proven() == 0;
    }

    @Test
    void guessesThatAreSpreadOverProcessesAreNoMoreThanAtOne() {
        long learned = IntStream.range(0, 30)
                .filter(at -> learns(at % 3, "192.0.2.1", "key" + at, "x"))
                .count();
        assertThat(learned).isEqualTo(MAX_FAILURES);
        IntStream.range(0, 3)
                .forEach(process -> assertThat(enters(process, "192.0.2.1", "another", "right"))
                        .isFalse());
        assertThat(enters(2, "192.0.2.2", "another", "right")).isTrue();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(enters(1, "192.0.2.1", "another", "right")).isTrue();
        assertThat(learns(0, "192.0.2.1", "key", "x")).isTrue();
    }

    @Test
    void aRightGuessAtAProcessWithoutFailuresIsRefusedLikeAWrongOne() {
        IntStream.range(0, MAX_FAILURES).forEach(_ -> learns(0, "192.0.2.1", "key", "x"));
        Guesses.Attempt right = at(1, "192.0.2.1", "key", "right");
        assertThat(right.secondsToWait()).isZero();
        assertThat(right.proven()).isEqualTo(60);
        // What the others counted is known here from now on.
        assertThat(at(1, "192.0.2.1", "key", "right").secondsToWait()).isEqualTo(60);
        assertThat(at(2, "192.0.2.1", "key", "wrong").failed()).isEqualTo(60);
        assertThat(processes.get(1).heldUp()).isEqualTo(2);
    }

    @Test
    void aNameThatManyAddressesGuessIsClosedToThoseAloneAtEveryProcess() {
        IntStream.range(0, MAX_FAILURES).forEach(at -> learns(at % 2, "192.0.2." + at, "key", "x"));
        assertThat(enters(2, "192.0.2.1", "key", "right")).isFalse();
        assertThat(learns(1, "192.0.2.2", "key", "y")).isFalse();
        assertThat(enters(2, "198.51.100.1", "key", "right")).isTrue();
        assertThat(learns(2, "198.51.100.2", "key", "x")).isTrue();
        assertThat(learns(0, "198.51.100.2", "key", "x")).isFalse();
    }

    @Test
    void aCredentialThatWasRightHereNeedsNoTripAndPasses() {
        assertThat(enters(0, "192.0.2.1", "key", "right")).isTrue();
        int trips = allowances.trips();
        assertThat(enters(0, "192.0.2.1", "key", "right")).isTrue();
        assertThat(allowances.trips()).isEqualTo(trips);
        IntStream.range(0, MAX_FAILURES).forEach(_ -> learns(1, "192.0.2.1", "key", "x"));
        assertThat(enters(0, "192.0.2.1", "key", "right")).isTrue();
    }

    @Test
    void aFailureThatCannotBeCountedIsNotAnsweredAsOne() {
        allowances.away(true);
        Guesses.Attempt wrong = at(0, "192.0.2.1", "key", "x");
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(wrong::failed);
        Guesses.Attempt right = at(0, "192.0.2.1", "key", "right");
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(right::proven);
    }

    @Test
    void aProcessWritesDownABoundedNumberOfFailuresInAMinute() {
        SharedFailures failures = new SharedFailures(allowances, MAX_FAILURES, nanos::get, 2);
        IntStream.range(0, 5).forEach(at -> failures.failed(new Origin(at, false), "key"));
        assertThat(allowances.trips()).isEqualTo(2);
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(failures.failed(new Origin(9, false), "key").from()).isNotNull();
    }
}
