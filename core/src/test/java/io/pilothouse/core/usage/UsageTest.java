package io.pilothouse.core.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.usage.UsageOperations.Period;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans, sizes and periods. */
class UsageTest {
    private static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");
    private static final LocalDate DAY = LocalDate.parse("2026-03-10");

    private static UsageSpan span(Instant begin, @Nullable Instant end) {
        return new UsageSpan(Head.of(UUID.randomUUID(), UUID.randomUUID(), begin), 8, end);
    }

    @ParameterizedTest
    @CsvSource({
        // Hours after noon at which it begins and ends; the period ends three hours after noon.
        "-5, -1, 0",
        "-5, 1, 8",
        "1, 2, 8",
        "1, 9, 16",
        "-5, 9, 24",
        "4, 9, 0"
    })
    void aSpanCountsWhatOfItIsInThePeriod(int begin, int end, double gigabyteHours) {
        UsageSpan span = span(NOON.plus(Duration.ofHours(begin)), NOON.plus(Duration.ofHours(end)));
        assertThat(span.gigabyteHours(NOON, NOON.plus(Duration.ofHours(3)), NOON.plus(Duration.ofHours(9))))
                .isCloseTo(gigabyteHours, within(1e-9));
    }

    @Test
    void aSpanThatLastsCountsUntilNow() {
        UsageSpan lasting = span(NOON, null);
        Instant later = NOON.plus(Duration.ofHours(2));
        assertThat(lasting.gigabyteHours(NOON, NOON.plus(Duration.ofHours(9)), later))
                .isEqualTo(16);
        assertThat(lasting.ended(NOON.plusSeconds(3600)).gigabyteHours(NOON, NOON.plus(Duration.ofHours(9)), later))
                .isEqualTo(8);
    }

    private static UsageMeter meter() {
        UUID id = UUID.randomUUID();
        return new UsageMeter(Head.of(id, UUID.randomUUID(), NOON), id, true, "M", List.of(), List.of(), null);
    }

    @Test
    void aSizeHoldsUntilTheNextOneAndOncePerDay() {
        UsageMeter meter = meter().with(DAY, 10).with(DAY, 99).with(DAY.plusDays(3), 30);
        LocalDate never = DAY.plusYears(1);
        assertThat(meter.bytesOn(DAY.minusDays(1), never)).isZero();
        assertThat(meter.bytesOn(DAY, never)).isEqualTo(10);
        assertThat(meter.bytesOn(DAY.plusDays(2), never)).isEqualTo(10);
        assertThat(meter.bytesOn(DAY.plusDays(9), never)).isEqualTo(30);
        assertThat(meter.bytesOn(DAY.plusDays(9), DAY.plusDays(8))).isZero();
        assertThat(meter.gone("Last", List.of(), NOON).goneAt()).isEqualTo(NOON);
    }

    @Test
    void aMeterKeepsAHundredDays() {
        UsageMeter meter = meter();
        for (int day = 0; day < 150; day++) {
            meter = meter.with(DAY.plusDays(day), day + 1L);
        }
        assertThat(meter.disk()).hasSize(100);
        assertThat(meter.disk().getFirst().bytes()).isEqualTo(51);
    }

    @Test
    void pricesAreForAnHourAndForThirtyDays() {
        UsagePrices prices = new UsagePrices(0.5, 30);
        assertThat(prices.memory(8)).isEqualTo(4);
        assertThat(prices.storage(1_000_000_000_000L)).isCloseTo(1, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "2026-03-10, 2026-03-10, 0",
                "2026-03-01, 2026-03-31, 0",
                "2026-03-01, 2026-04-01, 1",
                "2026-03-02, 2026-03-01, 1",
                "-, 2026-03-01, 1",
                "2026-03-01, -, 1",
                "-, -, 2"
            })
    void aPeriodIsAtMostThirtyOneDays(@Nullable LocalDate from, @Nullable LocalDate to, int faults) {
        Faults found = new Faults();
        Period.of(from, to, List.of(), found);
        assertThat(found.list()).hasSize(faults);
    }
}
