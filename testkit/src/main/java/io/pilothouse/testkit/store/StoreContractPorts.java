package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.TakenMeanwhile;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Ports: each has one owner at most, in the same transaction as the service that it belongs to. */
interface StoreContractPorts extends StoreContractHost {
    List<Integer> FIRST = List.of(20_000, 20_001, 20_002);
    List<Integer> SECOND = List.of(20_003, 20_004, 20_005);

    private UUID reserve(List<Integer> ports) {
        UUID owner = UUID.randomUUID();
        return store().write(tables -> {
            tables.ports().reserve(owner, ports);
            return owner;
        });
    }

    private void release(UUID owner, List<Integer> ports, Instant now) {
        store().<Boolean>write(tables -> {
            tables.ports().release(owner, ports, now);
            return true;
        });
    }

    private Ports.Known known() {
        return store().read(tables -> tables.ports().known());
    }

    @Test
    default void reservedPortHasNoSecondOwner() {
        reserve(FIRST);
        for (List<Integer> clash : List.of(FIRST, List.of(20_002, 20_003, 20_004), List.of(20_009, 20_008, 20_000))) {
            assertThatExceptionOfType(TakenMeanwhile.class).isThrownBy(() -> reserve(clash));
        }
        assertThat(known()).isEqualTo(new Ports.Known(Set.copyOf(FIRST), List.of()));
    }

    @Test
    default void portsOfWorkThatFailsStayFree() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> store().write(tables -> {
                    tables.ports().reserve(UUID.randomUUID(), FIRST);
                    throw new IllegalArgumentException("the disk is full, say");
                }));
        assertThat(known().reserved()).isEmpty();
        reserve(FIRST);
    }

    @Test
    default void portsThatWereGivenBackAreFreeTheOldestFirst() {
        UUID first = reserve(FIRST);
        UUID second = reserve(SECOND);
        release(second, SECOND, NOW);
        release(first, FIRST, NOW.plusSeconds(1));
        assertThat(known().reserved()).isEmpty();
        assertThat(known().free()).containsExactly(20_003, 20_004, 20_005, 20_000, 20_001, 20_002);

        UUID third = reserve(List.of(20_000, 20_004, 20_006));
        assertThat(known().reserved()).containsExactlyInAnyOrder(20_000, 20_004, 20_006);
        assertThat(known().free()).containsExactly(20_003, 20_005, 20_001, 20_002);
        assertThat(third).isNotEqualTo(first);
    }

    @Test
    default void onlyTheOwnerGivesPortsBack() {
        UUID owner = reserve(FIRST);
        release(UUID.randomUUID(), FIRST, NOW);
        assertThat(known().reserved()).hasSize(FIRST.size());
        release(owner, FIRST, NOW);
        release(owner, FIRST, NOW.plusSeconds(9));
        assertThat(known().reserved()).isEmpty();
    }
}
