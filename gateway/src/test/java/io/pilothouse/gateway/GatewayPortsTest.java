package io.pilothouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayPortsTest {
    private static final GatewayPorts.Range RANGE = new GatewayPorts.Range(20_000, 20_011);
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID TWO = new UUID(0, 2);
    private static final UUID THREE = new UUID(0, 3);

    private final Path file;

    GatewayPortsTest(@TempDir Path folder) {
        file = folder.resolve("gateway.ports");
    }

    @Test
    void servicePortsAreTheSameEveryTimeAndAfterARestart() throws IOException {
        Map<GatewayProtocol, Integer> first;
        try (GatewayPorts ports = open()) {
            ports.assign(TWO);
            first = ports.assign(ONE);
            assertThat(ports.assign(ONE)).isEqualTo(first);
        }
        try (GatewayPorts ports = open()) {
            assertThat(ports.find(ONE)).contains(first);
            assertThat(ports.assign(ONE)).isEqualTo(first);
            assertThat(ports.services()).containsExactlyInAnyOrder(ONE, TWO);
        }
    }

    @Test
    void portsAreOnDiskBeforeTheyAreTold() throws IOException {
        try (GatewayPorts ports = open()) {
            Map<GatewayProtocol, Integer> told = ports.assign(ONE);
            assertThat(Files.readString(file))
                    .endsWith("assign " + ONE + " https=" + told.get(GatewayProtocol.HTTPS) + " nativesecure="
                            + told.get(GatewayProtocol.NATIVESECURE) + " mysql=" + told.get(GatewayProtocol.MYSQL)
                            + "\n");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void noPortIsGivenOutTwice() throws IOException {
        try (GatewayPorts ports = open()) {
            Set<Integer> all = new HashSet<>();
            for (int service = 0; service < 4; service++) {
                all.addAll(ports.assign(new UUID(1, service)).values());
            }
            assertThat(all).hasSize(12).allMatch(port -> port >= RANGE.first() && port <= RANGE.last());
            assertThatIllegalStateException()
                    .isThrownBy(() -> ports.assign(ONE))
                    .withMessage("All ports of the gateway from 20000 to 20011 are taken; widen the range.");
            assertThat(ports.find(ONE)).isEmpty();
        }
    }

    @Test
    void portsThatWereGivenBackAreTheLastToBeGivenOutAgain() throws IOException {
        Map<GatewayProtocol, Integer> first;
        try (GatewayPorts ports = open()) {
            first = ports.assign(ONE);
            ports.release(ONE);
            ports.release(ONE);
        }
        try (GatewayPorts ports = open()) {
            assertThat(ports.find(ONE)).isEmpty();
            Set<Integer> others = new HashSet<>(ports.assign(TWO).values());
            others.addAll(ports.assign(THREE).values());
            others.addAll(ports.assign(new UUID(0, 4)).values());
            assertThat(others).hasSize(9).doesNotContainAnyElementsOf(first.values());
            assertThat(ports.assign(new UUID(0, 5)).values()).containsExactlyInAnyOrderElementsOf(first.values());
        }
    }

    @Test
    void portOfAnotherProgramIsPassedOver() throws IOException {
        try (GatewayPorts ports = GatewayPorts.open(file, RANGE, port -> port % 2 == 0)) {
            assertThat(ports.assign(ONE).values()).containsExactlyInAnyOrder(20_000, 20_002, 20_004);
        }
    }

    @Test
    void assignmentOutsideANewRangeIsKept() throws IOException {
        Map<GatewayProtocol, Integer> old;
        try (GatewayPorts ports = open()) {
            old = ports.assign(ONE);
        }
        try (GatewayPorts ports = GatewayPorts.open(file, new GatewayPorts.Range(30_000, 30_100), port -> true)) {
            assertThat(ports.assign(ONE)).isEqualTo(old);
            assertThat(ports.assign(TWO).values()).allMatch(port -> port >= 30_000);
        }
    }

    @Test
    void protocolThatIsNewGetsAPortBesideTheOldOnes() throws IOException {
        Files.writeString(file, "assign " + ONE + " https=20003\n");
        try (GatewayPorts ports = open()) {
            assertThat(ports.assign(ONE)).hasSize(3).containsEntry(GatewayProtocol.HTTPS, 20_003);
        }
        try (GatewayPorts ports = open()) {
            assertThat(ports.find(ONE).orElseThrow()).hasSize(3).containsEntry(GatewayProtocol.HTTPS, 20_003);
        }
    }

    @Test
    void lineCutOffByACrashIsDropped() throws IOException {
        Map<GatewayProtocol, Integer> kept;
        try (GatewayPorts ports = open()) {
            kept = ports.assign(ONE);
        }
        Files.writeString(file, "assign " + TWO + " https=200", StandardOpenOption.APPEND);
        try (GatewayPorts ports = open()) {
            assertThat(ports.services()).containsExactly(ONE);
            assertThat(ports.find(ONE)).contains(kept);
        }
        assertThat(Files.readString(file)).endsWith("\n").doesNotContain(TWO.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "assign 1234",
                "release nobody",
                "next x",
                "assign 00000000-0000-0000-0000-000000000001 gopher=70",
                "assign 00000000-0000-0000-0000-000000000001 https=99999999"
            })
    void lineThatCannotBeReadIsNotGuessedAt(String line) throws IOException {
        Files.writeString(file, line + "\n");
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessage("The file of the gateway's ports has a line that cannot be read: " + line);
        assertThat(Files.readString(file)).isEqualTo(line + "\n");
    }

    @Test
    void portWithTwoOwnersIsRefused() throws IOException {
        Files.writeString(file, "assign " + ONE + " https=20000\nassign " + TWO + " mysql=20000\n");
        assertThatIOException().isThrownBy(this::open).withMessageContaining("port 20000 out twice");
    }

    @Test
    void rangeOutsideOfWhatExistsIsRefused() {
        for (int[] range : List.of(new int[] {0, 5}, new int[] {5, 4}, new int[] {1, 65_536})) {
            assertThatIllegalArgumentException().isThrownBy(() -> new GatewayPorts.Range(range[0], range[1]));
        }
    }

    private GatewayPorts open() throws IOException {
        return GatewayPorts.open(file, RANGE, port -> true);
    }
}
