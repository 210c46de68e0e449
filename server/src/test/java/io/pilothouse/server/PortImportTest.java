package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.testkit.WatchedStore;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store from before ports were in it, with its file {@code gateway-ports}, and one that has known the simulation only. */
class PortImportTest {
    private static final int PORTS = 30;

    @TempDir
    private Path folder;

    private final int first = DoorsProgram.firstOf(PORTS);
    private final List<String> services = new ArrayList<>();

    /** Their rows are as they were written before: without ports. */
    @BeforeEach
    void createServices() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder)) {
            for (int service = 0; service < 3; service++) {
                HttpResponse<String> created = program.createService("{}");
                services.add(DoorsProgram.id(created.body()));
            }
        }
    }

    private String assign(String service, int offset) {
        int port = first + offset;
        return "assign " + service + " https=" + port + " nativesecure=" + (port + 1) + " mysql=" + (port + 2) + "\n";
    }

    private Path file() {
        return folder.resolve("gateway-ports");
    }

    private List<Integer> ports(DoorsProgram doors, int service) throws IOException, InterruptedException {
        String url = doors.program.organizationUrl() + "/services/" + services.get(service);
        List<Integer> ports =
                DoorsProgram.ports(doors.program.getAsFirstKey(url).body());
        assertThat(ports).allMatch(DoorsProgram::listens);
        return ports;
    }

    private void requireImported() throws IOException, InterruptedException, StartRefused {
        for (int start = 0; start < 2; start++) {
            try (DoorsProgram doors = DoorsProgram.start(folder, first, PORTS)) {
                assertThat(ports(doors, 0)).containsExactly(first + 6, first + 7);
                assertThat(ports(doors, 1)).containsExactly(first + 3, first + 4);
                // It is the one that the file does not know.
                assertThat(ports(doors, 2)).hasSize(2).allMatch(port -> port > first + 8 || port < first + 3);
                assertThat(file()).doesNotExist();
                assertThat(folder.resolve("gateway-ports.imported")).exists();
            }
        }
    }

    @Test
    void portsOfTheFileAreKept() throws IOException, InterruptedException, StartRefused {
        Files.writeString(file(), assign(services.get(0), 6) + assign(services.get(1), 3));
        requireImported();
    }

    @Test
    void halvesThatAFullDiskLeftBelongToNoService() throws IOException, InterruptedException, StartRefused {
        String half = assign("01a20295-d6bd-7000-8000-000000000001", 12);
        Files.writeString(
                file(),
                half.substring(0, half.length() - 4)
                        + assign(services.get(0), 6)
                        + assign(services.get(1), 3)
                        + half.substring(0, 50));
        requireImported();
    }

    @Test
    void startThatDiesInTheMiddleIsMadeUpForByTheNext() throws IOException, InterruptedException, StartRefused {
        Files.writeString(file(), assign(services.get(0), 6) + assign(services.get(1), 3));
        AtomicInteger writes = new AtomicInteger();
        // The writes of a start before its services are looked at are few; each of those that follow fails once.
        int died = 0;
        for (int fatal = 1; fatal < 20; fatal++) {
            int last = fatal;
            writes.set(0);
            UnaryOperator<Store> dying = store -> new WatchedStore(store, moment -> {
                if (moment.equals("before write") && writes.incrementAndGet() == last) {
                    throw new StoreUnavailable("The process dies", new IOException());
                }
            });
            try (DoorsProgram doors = DoorsProgram.start(folder, first, PORTS, dying, UnaryOperator.identity())) {
                assertThat(doors.ready()).contains("ready");
            } catch (StartRefused refused) {
                died++;
            }
        }
        assertThat(died).isPositive();
        requireImported();
    }

    @Test
    void fileOfAnotherStoreIsLeftToIt() throws IOException, InterruptedException, StartRefused {
        String other = assign("01a20295-d6bd-7000-8000-000000000001", 0);
        Files.writeString(file(), other);
        try (DoorsProgram doors = DoorsProgram.start(folder, first, PORTS)) {
            for (int service = 0; service < 3; service++) {
                assertThat(ports(doors, service)).allMatch(port -> port > first + 2);
            }
            assertThat(file()).hasContent(other);
            assertThat(doors.program.log()).contains("The file gateway-ports names no service of this store");
        }
    }
}
