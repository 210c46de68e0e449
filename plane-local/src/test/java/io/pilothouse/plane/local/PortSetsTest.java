package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.PortSets.PortRange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PortSetsTest {
    private final Set<Integer> busy = new HashSet<>();
    private final PortSets sets = new PortSets(new PortRange(20_000, 20_008), port -> !busy.contains(port));
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();

    @Test
    void neighboursGetDifferentPorts() throws DatabaseFailure {
        assertThat(sets.give(one)).isEqualTo(new PortSet(20_000));
        assertThat(sets.give(other)).isEqualTo(new PortSet(20_003));
        assertThat(sets.of(one)).contains(new PortSet(20_000));
        assertThat(sets.of(UUID.randomUUID())).isEmpty();
    }

    @Test
    void setWithABusyPortIsPassedOver() throws DatabaseFailure {
        busy.add(20_002);

        assertThat(sets.give(one)).isEqualTo(new PortSet(20_003));
    }

    @Test
    void serviceWhosePortIsTakenGetsAnotherSet() throws DatabaseFailure {
        sets.give(one);
        busy.add(20_000);

        assertThat(sets.give(one)).isEqualTo(new PortSet(20_003));
        busy.clear();
        assertThat(sets.give(other)).isEqualTo(new PortSet(20_000));
    }

    @Test
    void rememberedSetsAreNotGivenOutEvenWhereTheyLieAcross() throws DatabaseFailure {
        sets.remember(other, new PortSet(20_002));

        assertThat(sets.give(one)).isEqualTo(new PortSet(20_006));
    }

    @Test
    void releasedSetsAreGivenOutAgain() throws DatabaseFailure {
        sets.give(one);
        sets.release(one);

        assertThat(sets.give(other)).isEqualTo(new PortSet(20_000));
    }

    @Test
    void exhaustedRangeIsSaidInASentence() throws DatabaseFailure {
        sets.give(UUID.randomUUID());
        sets.give(UUID.randomUUID());
        sets.give(UUID.randomUUID());

        assertThatThrownBy(() -> sets.give(one))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessage("All database ports from 20000 to 20008 are taken.");
    }

    @Test
    void rangeMustHaveRoomAndBePorts() {
        assertThatThrownBy(() -> new PortRange(80, 20_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PortRange(20_000, 70_000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PortRange(20_000, 20_001)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new PortRange(20_000, 20_002).last()).isEqualTo(20_002);
    }

    @Test
    void portInUseIsNotFree() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThat(PortSets.isFree(socket.getLocalPort())).isFalse();
        }
    }

    @Test
    void setNamesItsPorts() {
        PortSet set = new PortSet(20_000);

        assertThat(set.nativeProtocol()).isEqualTo(20_001);
        assertThat(set.mysql()).isEqualTo(20_002);
        assertThat(set.all()).containsExactly(20_000, 20_001, 20_002);
    }
}
