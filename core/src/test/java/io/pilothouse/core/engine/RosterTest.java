package io.pilothouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RosterTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant FAR = START.plusSeconds(1_000);
    private static final DispatchLimits LIMITS =
            new DispatchLimits(2, 1, Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofSeconds(5));

    private final Roster roster = new Roster(LIMITS);

    private static Claim claim(int token) {
        return new Claim(Kind.SERVICE, new UUID(0, token), token, 0, 0, START);
    }

    private void add(int token, Instant now) {
        roster.add(claim(token), now, now.plus(LIMITS.lease()));
    }

    @Test
    void passTakesASlotUntilItEnds() {
        assertThat(roster.free(START)).isEqualTo(2);
        add(1, START);
        add(2, START);
        assertThat(roster.free(START)).isZero();
        roster.remove(claim(1));
        assertThat(roster.free(START)).isEqualTo(1);
        assertThat(roster.claims()).containsExactly(claim(2));
    }

    @Test
    void slowPassGivesItsSlotToOthersUpToALimit() {
        add(1, START);
        add(2, START.plusMillis(500));
        assertThat(roster.nextSlow(START.plusMillis(500), FAR)).isEqualTo(START.plusSeconds(1));
        assertThat(roster.nextSlow(START, START.plusMillis(1))).isEqualTo(START.plusMillis(1));
        Instant slow = START.plusSeconds(1);
        assertThat(roster.free(slow)).isEqualTo(1);
        add(3, slow);
        Instant allSlow = START.plusSeconds(9);
        assertThat(roster.free(allSlow)).isZero();
        assertThat(roster.nextSlow(allSlow, FAR)).isEqualTo(FAR);
    }

    @Test
    void leaseIsExtendedWhenHalfOfItIsOver() {
        add(1, START);
        add(2, START.plusSeconds(1));
        assertThat(roster.nextExtension(FAR)).isEqualTo(START.plusSeconds(10));
        assertThat(roster.toExtend(START.plusSeconds(9))).isEmpty();
        assertThat(roster.toExtend(START.plusSeconds(10))).containsExactly(claim(1));
        roster.extended(claim(1), START.plusSeconds(30));
        assertThat(roster.nextExtension(FAR)).isEqualTo(START.plusSeconds(11));
        roster.remove(claim(2));
        assertThat(roster.nextExtension(FAR)).isEqualTo(START.plusSeconds(20));
    }

    @Test
    void endedPassStaysEnded() {
        roster.extended(claim(1), FAR);
        assertThat(roster.size()).isZero();
        assertThat(roster.nextExtension(FAR)).isEqualTo(FAR);
    }

    @Test
    void limitsWithoutAnySlotAreRefused() {
        assertThatThrownBy(() -> new DispatchLimits(0, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DispatchLimits(1, -1, Duration.ZERO, Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
