package io.pilothouse.core.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.figure.PulseHistory.Span;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PulseTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final Instant START = Instant.EPOCH.plus(Duration.ofDays(20_000));

    private final PulseHistory history = new PulseHistory(START);

    private static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    private static Pulse queries(double each) {
        return new Pulse(Map.of(Vital.QUERIES_PER_SECOND, each, Vital.CONNECTIONS, each));
    }

    private List<Double> known(Vital vital, Span span, long now) {
        return history.values(ONE, vital, span, minute(now)).stream()
                .filter(value -> !value.isNaN())
                .toList();
    }

    @Test
    void whatWasNeverSeenHasNoHistory() {
        assertThat(history.values(ONE, Vital.MEMORY_BYTES, Span.HOUR, START)).isEmpty();
        assertThat(history.since()).isEqualTo(START);
    }

    @Test
    void anHourHasAValueForEachMinuteAndAGapWhereNobodyLooked() {
        history.add(ONE, minute(0), queries(1));
        history.add(ONE, minute(2), queries(3));
        List<Double> hour = history.values(ONE, Vital.QUERIES_PER_SECOND, Span.HOUR, minute(3));
        assertThat(hour).hasSize(60);
        assertThat(hour.subList(56, 60)).containsExactly(1.0, Double.NaN, 3.0, Double.NaN);
        assertThat(known(Vital.MEMORY_BYTES, Span.HOUR, 3)).isEmpty();
    }

    @Test
    void everythingThatIsWatchedIsReadAtOneMoment() {
        history.add(ONE, minute(0), queries(1));
        Map<Vital, List<Double>> all = history.values(ONE, Span.HOUR, minute(0));
        assertThat(all).containsOnlyKeys(Vital.values());
        all.forEach((vital, values) ->
                assertThat(values).as(vital.name()).isEqualTo(history.values(ONE, vital, Span.HOUR, minute(0))));
    }

    @Test
    void aDayKnowsNoRateThatNoMinuteKnew() {
        history.add(ONE, minute(0), new Pulse(Map.of(Vital.CONNECTIONS, 4.0)));
        assertThat(known(Vital.QUERIES_PER_SECOND, Span.DAY, 1)).isEmpty();
        assertThat(known(Vital.CONNECTIONS, Span.DAY, 1)).containsExactly(4.0);
    }

    @Test
    void aDayHasTheMeanOfARateAndTheHighestOfTheRestForEachQuarterOfAnHour() {
        history.add(ONE, minute(0), queries(1));
        history.add(ONE, minute(14), queries(2));
        history.add(ONE, minute(15), queries(7));
        assertThat(history.values(ONE, Vital.CONNECTIONS, Span.DAY, minute(15))).hasSize(96);
        assertThat(known(Vital.QUERIES_PER_SECOND, Span.DAY, 15)).containsExactly(1.5, 7.0);
        assertThat(known(Vital.CONNECTIONS, Span.DAY, 15)).containsExactly(2.0, 7.0);
        history.add(ONE, minute(16), queries(3));
        assertThat(known(Vital.CONNECTIONS, Span.DAY, 16)).containsExactly(2.0, 7.0);
    }

    @Test
    void theOldestMakesRoomForTheNewest() {
        for (int at = 0; at < 61; at++) {
            history.add(ONE, minute(at), queries(at));
        }
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 60))
                .hasSize(60)
                .startsWith(1.0)
                .endsWith(60.0);
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 119)).containsExactly(60.0);
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 120)).isEmpty();
        assertThat(known(Vital.CONNECTIONS, Span.DAY, 120)).containsExactly(14.0, 29.0, 44.0, 59.0, 60.0);
    }

    @Test
    void aMinuteIsKeptOnceAndAClockThatWasSetBackAddsNothing() {
        history.add(ONE, minute(5), queries(1));
        history.add(ONE, minute(5), queries(2));
        history.add(ONE, minute(4), queries(3));
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 5)).containsExactly(1.0);
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 4)).isEmpty();
    }

    @Test
    void aServiceThatSleptForADayHasNoHistoryAnyMore() {
        history.add(ONE, minute(0), queries(1));
        long day = Duration.ofDays(1).toMinutes();
        assertThat(history.values(ONE, Vital.CONNECTIONS, Span.DAY, minute(day - 1)))
                .isNotEmpty();
        assertThat(history.values(ONE, Vital.CONNECTIONS, Span.DAY, minute(day)))
                .isEmpty();
    }

    @Test
    void whereAllPlacesAreTakenTheOneThatWasNotSeenForLongestGoesAndNoneThatRuns() {
        history.add(ONE, minute(0), queries(1));
        for (int at = 1; at < PulseHistory.MAX_SERVICES; at++) {
            history.add(new UUID(1, at), minute(5), queries(1));
        }
        history.add(OTHER, minute(1), queries(2));
        assertThat(history.values(OTHER, Vital.CONNECTIONS, Span.HOUR, minute(5)))
                .isEmpty();
        history.add(OTHER, minute(5), queries(2));
        assertThat(history.values(OTHER, Vital.CONNECTIONS, Span.HOUR, minute(5)))
                .endsWith(2.0);
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 5)).isEmpty();
        history.add(ONE, minute(6), queries(1));
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 6)).isEmpty();
        long nextDay = Duration.ofDays(2).toMinutes();
        history.add(ONE, minute(nextDay), queries(4));
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, nextDay)).containsExactly(4.0);
        assertThat(history.values(OTHER, Vital.CONNECTIONS, Span.DAY, minute(6)))
                .isEmpty();
    }

    @Test
    void aStepBeginsAtAWholeMinuteOrQuarterOfAnHour() {
        Instant moment = START.plusSeconds(29 * 60 + 7);
        assertThat(Span.HOUR.begin(moment, 0)).isEqualTo(minute(29));
        assertThat(Span.DAY.begin(moment, 0)).isEqualTo(minute(15));
        assertThat(Span.DAY.begin(moment, 3)).isEqualTo(minute(-30));
    }

    /** Databases that say this, or are silent. */
    private record Databases(Set<UUID> running, Map<UUID, Pulse> pulses, List<UUID> asked) implements DatabaseFigures {
        @Override
        public Optional<List<Figure>> read(Service service, Duration atMost) {
            return Optional.empty();
        }

        @Override
        public Optional<Pulse> pulse(UUID serviceId, Duration atMost) throws PlaneFault {
            asked.add(serviceId);
            if (!pulses.containsKey(serviceId)) {
                throw new PlaneFault("It does not answer");
            }
            return Optional.of(pulses.get(serviceId));
        }
    }

    @Test
    void aRoundAsksThoseThatRunAndASilentOneLeavesAGap() throws PlaneFault {
        Databases databases = new Databases(Set.of(ONE, OTHER), Map.of(ONE, queries(9)), new ArrayList<>());
        new PulseRound(databases, history, Runnable::run).run(minute(1));
        assertThat(databases.asked()).containsExactly(ONE, OTHER);
        assertThat(known(Vital.CONNECTIONS, Span.HOUR, 1)).containsExactly(9.0);
        assertThat(history.values(OTHER, Vital.CONNECTIONS, Span.HOUR, minute(1)))
                .isEmpty();
    }

    @Test
    void whatIsWrongWithOneKeepsNoOtherFromBeingAsked() throws PlaneFault {
        DatabaseFigures odd = new DatabaseFigures() {
            @Override
            public Optional<List<Figure>> read(Service service, Duration atMost) {
                return Optional.empty();
            }

            @Override
            public Set<UUID> running() {
                return Set.of(ONE, OTHER);
            }

            @Override
            public Optional<Pulse> pulse(UUID id, Duration atMost) {
                if (id.equals(ONE)) {
                    throw new IllegalStateException("It answers in no known way");
                }
                return Optional.of(queries(9));
            }
        };
        new PulseRound(odd, history, Runnable::run).run(minute(1));
        assertThat(history.values(OTHER, Vital.CONNECTIONS, Span.HOUR, minute(1)))
                .isNotEmpty();
    }

    @Test
    void whereMoreRunThanThereIsRoomForTheOldestAreAskedInEachRound() throws PlaneFault {
        Set<UUID> running = IntStream.rangeClosed(1, PulseHistory.MAX_SERVICES + 1)
                .mapToObj(at -> new UUID(0, at))
                .collect(Collectors.toSet());
        Databases databases = new Databases(running, Map.of(ONE, queries(9)), new ArrayList<>());
        new PulseRound(databases, history, Runnable::run).run(minute(1));
        assertThat(databases.asked())
                .hasSize(PulseHistory.MAX_SERVICES)
                .contains(ONE)
                .doesNotContain(new UUID(0, PulseHistory.MAX_SERVICES + 1));
    }

    @Test
    void aPlaneWithoutDatabasesHasNoneThatRuns() throws PlaneFault {
        DatabaseFigures none = (_, _) -> Optional.empty();
        assertThat(none.running()).isEmpty();
        assertThat(none.pulse(ONE, Duration.ofSeconds(1))).isEmpty();
    }

    @Test
    void aRoundOfAPlaneThatCannotSayWhichRunSaysSo() {
        DatabaseFigures broken = new DatabaseFigures() {
            @Override
            public Optional<List<Figure>> read(Service service, Duration atMost) {
                return Optional.empty();
            }

            @Override
            public Set<UUID> running() throws PlaneFault {
                throw new PlaneFault("The disk is gone");
            }
        };
        assertThatThrownBy(() -> new PulseRound(broken, history, Runnable::run).run(START))
                .isInstanceOf(PlaneFault.class);
    }
}
