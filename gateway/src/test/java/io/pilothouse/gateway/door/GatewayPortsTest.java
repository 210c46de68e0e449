package io.pilothouse.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Ports;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class GatewayPortsTest {
    private static final GatewayPorts.Range RANGE = new GatewayPorts.Range(20_000, 20_011);
    private static final String NONE_LEFT =
            "All ports of the gateway from 20000 to 20011 are taken: delete a service, or widen --gateway-ports.";

    private final Set<Integer> reserved = new HashSet<>();
    private final List<Integer> free = new ArrayList<>();

    private GatewayPorts ports(IntPredicate bindable, Integer... spokenFor) {
        return new GatewayPorts(RANGE, bindable, () -> new Ports.Known(reserved, free), List.of(spokenFor));
    }

    private GatewayPorts ports() {
        return ports(_ -> true);
    }

    /** Draws as a create does that is kept. */
    private List<Integer> reserve(GatewayPorts ports) {
        List<Integer> drawn = ports.draw();
        reserved.addAll(drawn);
        free.removeAll(drawn);
        return drawn;
    }

    @Test
    void noPortIsGivenOutTwice() {
        GatewayPorts ports = ports();
        Set<Integer> all = new HashSet<>();
        for (int service = 0; service < 4; service++) {
            all.addAll(reserve(ports));
        }
        assertThat(all).hasSize(12).allMatch(port -> port >= RANGE.first() && port <= RANGE.last());
        assertThat(ports.refusal()).contains(NONE_LEFT);
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(ports::draw)
                .withMessage(NONE_LEFT)
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.CONFLICT));
    }

    @Test
    void portsOfCreatesThatFailedCanBeDrawnAgain() {
        GatewayPorts ports = ports();
        for (int failed = 0; failed < 100; failed++) {
            ports.draw();
        }
        Set<Integer> all = new HashSet<>();
        for (int service = 0; service < 4; service++) {
            assertThat(ports.refusal()).isEmpty();
            all.addAll(reserve(ports));
        }
        assertThat(all).hasSize(12);
    }

    @Test
    void portsThatWereGivenBackAreTheLastToBeGivenOutAgain() {
        List<Integer> first = reserve(ports());
        reserved.removeAll(first);
        free.addAll(List.of(20_001, 20_002, 20_000));

        // Over a restart, too.
        GatewayPorts ports = ports();
        for (int service = 0; service < 3; service++) {
            assertThat(reserve(ports)).doesNotContainAnyElementsOf(first);
        }
        assertThat(reserve(ports)).containsExactly(20_001, 20_002, 20_000);
    }

    @Test
    void portOfAnotherProgramIsPassedOver() {
        GatewayPorts ports = ports(port -> port % 2 == 0);
        assertThat(reserve(ports)).containsExactly(20_000, 20_002, 20_004);
        assertThat(reserve(ports)).containsExactly(20_006, 20_008, 20_010);
        assertThatExceptionOfType(Refused.class).isThrownBy(ports::draw);
    }

    @Test
    void onlyPortsOfTheRangeAreDrawn() {
        reserved.addAll(List.of(30_000, 30_001, 30_002));
        free.addAll(List.of(10_000, 10_001, 10_002));
        GatewayPorts ports = ports();
        for (int service = 0; service < 4; service++) {
            reserve(ports);
        }
        assertThatExceptionOfType(Refused.class).isThrownBy(ports::draw);
    }

    @Test
    void portsThatAreSpokenForAreNotDrawn() {
        assertThat(reserve(ports(_ -> true, 20_000, 20_002))).containsExactly(20_001, 20_003, 20_004);
    }

    @Test
    void rangeOutsideOfWhatExistsIsRefused() {
        for (int[] range : List.of(new int[] {0, 5}, new int[] {5, 4}, new int[] {1, 65_536})) {
            assertThatIllegalArgumentException().isThrownBy(() -> new GatewayPorts.Range(range[0], range[1]));
        }
    }
}
