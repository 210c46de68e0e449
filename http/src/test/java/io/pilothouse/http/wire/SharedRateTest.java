package io.pilothouse.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.testkit.CountedAllowances;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The limit of a key at several processes that share a store. */
class SharedRateTest {
    private static final UUID KEY = new UUID(1, 2);
    private static final int MAX = 100;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final CountedAllowances allowances = new CountedAllowances(now::get);
    private final List<RateLimit> processes =
            IntStream.range(0, 3).mapToObj(_ -> process(MAX)).toList();

    private RateLimit process(int max) {
        return new RateLimit(max, now::get, Optional.of(allowances));
    }

    private static RateLimit.Standing take(RateLimit process) {
        return Objects.requireNonNull(process.take(KEY));
    }

    private int admitted(int times) {
        int admitted = 0;
        for (int at = 0; at < times; at++) {
            admitted += take(processes.get(at % processes.size())).isOver() ? 0 : 1;
        }
        return admitted;
    }

    @Test
    void aClientThatIsSpreadEvenlyGetsExactlyTheLimitInEachMinute() {
        assertThat(admitted(3 * MAX)).isEqualTo(MAX);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(admitted(3 * MAX)).isEqualTo(MAX);
    }

    @Test
    void aClientThatLeavesItsProcessesLosesATenthOfTheLimitAtEachOfThem() {
        take(processes.get(0));
        take(processes.get(1));
        int admitted = 2;
        while (!take(processes.get(2)).isOver()) {
            admitted++;
        }
        assertThat(admitted).isEqualTo(MAX - 2 * (MAX / 10 - 1));
    }

    @Test
    void aLimitOfTenIsExactWhereverTheRequestsCome() {
        RateLimit one = process(10);
        RateLimit other = process(10);
        assertThat(take(one).left()).isEqualTo(9);
        IntStream.range(0, 9).forEach(_ -> assertThat(take(other).isOver()).isFalse());
        assertThat(take(other).isOver()).isTrue();
        assertThat(take(one)).isEqualTo(new RateLimit.Standing(10, -1, 60));
    }

    @Test
    void mostRequestsNeedNoTripAndARefusedOneNeedsNone() {
        RateLimit alone = process(1_000);
        while (!take(alone).isOver()) {
            assertThat(allowances.trips()).isLessThan(40);
        }
        int trips = allowances.trips();
        IntStream.range(0, 100).forEach(_ -> take(alone));
        assertThat(allowances.trips()).isEqualTo(trips);
    }

    @Test
    void withoutTheStoreWhatIsInHandIsAdmittedAndNothingElse() {
        RateLimit process = processes.getFirst();
        take(process);
        allowances.away(true);
        IntStream.range(1, MAX / 10)
                .forEach(_ -> assertThat(take(process).isOver()).isFalse());
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> process.take(KEY));
        assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> process.take(new UUID(3, 4)));
        allowances.away(false);
        now.addAndGet(1);
        assertThat(take(process).isOver()).isFalse();
    }
}
