package io.pilothouse.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.pilothouse.core.service.ServicePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayPortFileTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID TWO = new UUID(0, 2);
    private static final ServicePorts FIRST = new ServicePorts(20_000, 20_001, 20_002);
    private static final ServicePorts SECOND = new ServicePorts(20_003, 20_004, 20_005);

    private final Path file;

    GatewayPortFileTest(@TempDir Path folder) {
        file = folder.resolve("gateway-ports");
    }

    private static String assign(UUID service, ServicePorts ports) {
        return "assign " + service + " https=" + ports.https() + " nativesecure=" + ports.nativesecure() + " mysql="
                + ports.mysql() + "\n";
    }

    private Map<UUID, ServicePorts> read(String text) throws IOException {
        Files.writeString(file, text);
        return new GatewayPortFile(file).ports();
    }

    @Test
    void fileThatIsNotThereNamesNobody() throws IOException {
        GatewayPortFile none = new GatewayPortFile(file);
        assertThat(none.ports()).isEmpty();
        none.putAside();
        assertThat(file).doesNotExist();
    }

    @Test
    void lastLineOfAServiceCounts() throws IOException {
        assertThat(read(assign(ONE, FIRST) + assign(TWO, SECOND) + "next 20006\n"))
                .containsOnly(entry(ONE, FIRST), entry(TWO, SECOND));
        assertThat(read(assign(ONE, FIRST) + "release " + ONE + "\n" + assign(TWO, FIRST)))
                .containsOnly(entry(TWO, FIRST));
    }

    @Test
    void lineCutOffAtTheEndIsDropped() throws IOException {
        String torn = assign(TWO, SECOND);
        for (int length = 0; length < torn.length(); length++) {
            assertThat(read(assign(ONE, FIRST) + torn.substring(0, length))).containsOnly(entry(ONE, FIRST));
        }
    }

    @Test
    void wholeLineBehindOneThatWasCutOffCounts() throws IOException {
        for (String torn : new String[] {assign(TWO, SECOND), "release " + TWO + "\n", "next 20006\n"}) {
            for (int length = 0; length < torn.length(); length++) {
                assertThat(read(torn.substring(0, length) + assign(ONE, FIRST)))
                        .as("%s characters of %s", length, torn)
                        .containsOnly(entry(ONE, FIRST));
            }
        }
        assertThat(read(assign(ONE, FIRST) + "assign 0000release " + ONE + "\n"))
                .isEmpty();
    }

    @Test
    void portsThatWereGivenOutTwiceAreTheLaterOnes() throws IOException {
        assertThat(read(assign(ONE, FIRST) + assign(TWO, new ServicePorts(20_002, 20_003, 20_004))))
                .containsOnlyKeys(TWO);
    }

    @Test
    void fileThatIsPutAsideIsNotReadAgain() throws IOException {
        String text = assign(ONE, FIRST);
        read(text);
        new GatewayPortFile(file).putAside();
        assertThat(new GatewayPortFile(file).ports()).isEmpty();
        assertThat(file.resolveSibling("gateway-ports.imported")).hasContent(text);
    }
}
