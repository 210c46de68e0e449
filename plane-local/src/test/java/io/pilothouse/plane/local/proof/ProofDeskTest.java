package io.pilothouse.plane.local.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Proving;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProofDeskTest {
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private long now;
    private final ProofDesk desk = new ProofDesk(() -> now);

    @Test
    void oneIsProvenAtATime() {
        assertThat(desk.of(one)).isEqualTo(new Proving.Idle());
        assertThat(desk.take(one)).isTrue();
        assertThat(desk.take(one)).isFalse();
        assertThat(desk.take(other)).isFalse();
        assertThat(desk.of(one)).isEqualTo(new Proving.UnderWay());
        assertThat(desk.of(other)).isEqualTo(new Proving.Busy());
    }

    @Test
    void itsEndIsRememberedUntilNobodyAsksAnyMore() {
        Proving.Ended end = Proving.Ended.damaged("It is gone.");
        desk.take(one);
        desk.end(one, end);

        assertThat(desk.of(one)).isEqualTo(end);
        assertThat(desk.take(one)).isFalse();
        assertThat(desk.take(other)).isTrue();
        desk.end(other, end);
        desk.forget(one);
        assertThat(desk.of(one)).isEqualTo(new Proving.Idle());
    }

    @Test
    void afterOneGaveWayAllRestForAWhile() {
        desk.take(one);
        desk.giveWay();
        now += Duration.ofMinutes(5).toNanos() - 1;
        assertThat(desk.of(one)).isEqualTo(new Proving.Busy());
        assertThat(desk.take(other)).isFalse();
        now++;
        assertThat(desk.take(other)).isTrue();
    }
}
