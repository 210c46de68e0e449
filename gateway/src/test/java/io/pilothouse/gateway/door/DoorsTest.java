package io.pilothouse.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Ports;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewaySettings;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Doors at real ports, for rows that a test keeps; no database is behind them. */
class DoorsTest {
    private static final int PORTS = 12;
    /** Below the ports that the system gives out, and apart from those of tests that run beside these. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 300 % 20_000));

    @TempDir
    private Path folder;

    private final GatewayAddresses addresses = new GatewayAddresses("localhost", Optional.empty());
    private final Map<UUID, Service> rows = new ConcurrentHashMap<>();
    private final Set<Integer> reserved = new HashSet<>();
    private final SimTime time = new SimTime();
    private final FakePlane plane = new FakePlane(time, Duration.ZERO, Duration.ZERO);
    private final SwitchedDatabases databases = new SwitchedDatabases();
    private final SwitchedRest rest = new SwitchedRest();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private Gateway gateway;
    private Doors doors;
    private GatedPlane gated;

    @BeforeEach
    void open() throws IOException, GeneralSecurityException {
        int first = 10_000 + NEXT_PORT.getAndAdd(PORTS) % 20_000;
        TlsAuthority authority = TlsAuthority.open(folder.resolve("tls"), Instant::now, new SecureRandom());
        gateway = new Gateway(GatewaySettings.loopback(), authority, threads, time);
        GatewayPorts ports = new GatewayPorts(
                new GatewayPorts.Range(first, first + PORTS - 1),
                gateway::bindable,
                () -> new Ports.Known(reserved, List.of()),
                List.of());
        doors = new Doors(gateway, addresses, ports, databases, rest, rows(), Map.of());
        gated = new GatedPlane(plane, doors);
    }

    @AfterEach
    void close() {
        gateway.close();
        threads.shutdownNow();
    }

    private DoorRows rows() {
        return new DoorRows() {
            @Override
            public Ports.Known ports() {
                return new Ports.Known(reserved, List.of());
            }

            @Override
            public Optional<Service> find(UUID id) {
                return Optional.ofNullable(rows.get(id));
            }

            @Override
            public Optional<Service> reserve(UUID id, ServicePorts ports) {
                reserved.addAll(ports.all());
                return Optional.ofNullable(rows.computeIfPresent(id, (_, row) -> with(row, ports)));
            }
        };
    }

    private static Service with(Service row, ServicePorts ports) {
        return row.withAccess(row.access().withPorts(ports));
    }

    /** What a create comes to: a row with ports of its own, and an open door. */
    private Service create() {
        ServicePorts ports = doors.draw().orElseThrow();
        reserved.addAll(ports.all());
        Service row = with(ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH), ports);
        rows.put(row.id(), row);
        doors.follow(row);
        return row;
    }

    private Service delete(Service row) {
        Service deleted = row.withWish(Wish.DELETE, Instant.EPOCH);
        rows.put(row.id(), deleted);
        return deleted;
    }

    private void remove(Service row) {
        rows.remove(row.id());
        reserved.removeAll(addresses.ports(row.access()).values());
        reserved.remove(mysql(row));
    }

    private static int mysql(Service row) {
        return row.access().ports() == null ? 0 : row.access().ports().mysql();
    }

    private boolean isOpen(Service row) {
        List<Integer> ports = List.copyOf(addresses.ports(row.access()).values());
        assertThat(ports).hasSize(2);
        boolean one = listens(ports.getFirst());
        assertThat(listens(ports.getLast())).isEqualTo(one);
        return one;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void rowThatComesAfterTheEndOfItsServiceOpensNoDoor() throws PlaneFault {
        Service row = create();
        assertThat(isOpen(row)).isTrue();
        Service deleted = delete(row);
        gated.erase(deleted);
        assertThat(isOpen(row)).isFalse();

        // A request that was slower than the end of what it changed, before and after its row is gone.
        doors.follow(row);
        gated.observe(row);
        assertThat(isOpen(row)).isFalse();
        remove(row);
        doors.follow(row);
        gated.observe(row);
        assertThat(isOpen(row)).isFalse();
    }

    @Test
    void eraseThatIsInterruptedAnywhereLeavesNoListenerAndCreatesWorking() throws PlaneFault {
        for (boolean before : new boolean[] {true, false}) {
            plane.trap((deed, _, done) -> {
                if (deed == FakePlane.Deed.ERASE && done != before) {
                    Thread.currentThread().interrupt();
                }
            });
            Service row = create();
            gated.erase(delete(row));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(isOpen(row)).isFalse();
            remove(row);
            assertThat(isOpen(create())).isTrue();
        }
        Service row = create();
        Thread.currentThread().interrupt();
        gated.erase(delete(row));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isOpen(row)).isFalse();
        remove(row);
        assertThat(isOpen(create())).isTrue();
    }

    @Test
    void serviceWithoutPortsIsGivenSomeByTheFirstLook() throws PlaneFault {
        Service row = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
        rows.put(row.id(), row);
        gated.observe(row);
        Service given = rows.get(row.id());
        assertThat(given.access().ports()).isNotNull();
        assertThat(isOpen(given)).isTrue();
    }

    @Test
    void serviceForWhichNoPortIsLeftSaysSo() {
        for (int all = 0; all < PORTS; all += 3) {
            create();
        }
        Service row = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
        rows.put(row.id(), row);
        assertThatExceptionOfType(PlaneFault.class)
                .isThrownBy(() -> gated.observe(row))
                .withMessageContaining("widen --gateway-ports");
        assertThat(doors.refusal()).isPresent();
    }

    @Test
    void unusedServiceSleepsOnceItsIdleTimeIsOverAndItsDatabaseHasNoWorkLeft() {
        Service row = create();
        rest.rows.put(row.id(), row);
        try (IdleWatch watch = new IdleWatch(doors, databases, time)) {
            Duration idle = Duration.ofMinutes(row.scaling().idleTimeoutMinutes());
            watch.look();
            time.advance(idle);
            watch.look();
            assertThat(rest.rows.get(row.id()).wish()).isEqualTo(Wish.RUN);

            databases.are(SwitchedDatabases.RUNNING);
            databases.work(true);
            time.advance(idle);
            watch.look();
            assertThat(rest.rows.get(row.id()).wish()).isEqualTo(Wish.RUN);

            databases.work(false);
            time.advance(idle.minusSeconds(1));
            watch.look();
            assertThat(rest.rows.get(row.id()).wish()).isEqualTo(Wish.RUN);
            time.advance(Duration.ofSeconds(1));
            watch.look();
            assertThat(rest.rows.get(row.id()).wish()).isEqualTo(Wish.SLEEP);
        }
    }
}
