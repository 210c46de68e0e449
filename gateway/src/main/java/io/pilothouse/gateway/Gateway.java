package io.pilothouse.gateway;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.gateway.name.ServiceNames;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsKeys;
import io.pilothouse.incoming.tls.TlsLeaves;
import io.pilothouse.incoming.tls.TlsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The only door to every service. It listens for as long as a service exists, awake or asleep, so that an endpoint
 * never changes and a client can wake a sleeping service.
 */
public final class Gateway implements AutoCloseable {
    private static final Duration SWEEP = Duration.ofMillis(250);

    private final GatewaySettings settings;
    private final TlsAuthority authority;
    private final TlsServer tls;
    private final Executor threads;
    private final Clock clock;
    private final Seats seats;
    private final GatewayReception reception;
    private final GatewayArrivals arrivals;
    private final ServiceNames<GatewayRegistration> names = new ServiceNames<>();
    private final List<OpenPort> shared = new ArrayList<>();
    private final Map<UUID, Served> serving = new ConcurrentHashMap<>();
    private final Map<UUID, Served> pointing = new ConcurrentHashMap<>();
    private final Map<Integer, UUID> pointers = new ConcurrentHashMap<>();
    private volatile Function<String, Optional<UUID>> others = _ -> Optional.empty();
    private final Set<GatewayRegistration> swept = ConcurrentHashMap.newKeySet();
    private final Rounds rounds = new Rounds();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closing;

    private record Served(GatewayRegistration registration, Map<GatewayProtocol, OpenPort> ports) {}

    private record OpenPort(int port, List<GatewayListener> listeners) {
        void close() {
            listeners.forEach(GatewayListener::close);
        }
    }

    /** {@code threads} must give every task a thread of its own, preferably a virtual one. */
    public Gateway(GatewaySettings settings, TlsAuthority authority, Executor threads, Clock clock)
            throws GeneralSecurityException {
        this.settings = settings;
        this.authority = authority;
        this.threads = threads;
        this.clock = clock;
        this.seats = new Seats(settings.connections());
        this.arrivals = new GatewayArrivals(seats, settings.proxies());
        Set<String> called = new LinkedHashSet<>(List.of(settings.host(), "localhost", "127.0.0.1", "::1"));
        TlsKeys own = new TlsLeaves(authority, List.copyOf(called));
        this.tls = new TlsServer(
                settings.shared().map(GatewaySettings.Shared::keys).orElse(own), clock.machine());
        this.reception = new GatewayReception(tls, threads);
        threads.execute(() -> rounds.run(SWEEP, this::sweep));
    }

    /** The file that clients are given to trust. */
    public Path certificateAuthorityFile() {
        return authority.certificateFile();
    }

    /** When the certificate in use expires; it is renewed long before. */
    public Instant certificateEndsAt() {
        return tls.endsAt();
    }

    /** Whether the gateway could listen on a port right now; one that only points elsewhere gives way. */
    public boolean bindable(int port) {
        if (pointers.containsKey(port)) {
            return true;
        }
        for (InetAddress address : settings.addresses()) {
            try (ServerSocket probe = GatewayListener.bind(address, port)) {
                if (probe.getLocalPort() != port) {
                    return false;
                }
            } catch (IOException taken) {
                GatewayLog.debug("a port is not free", taken);
                return false;
            }
        }
        return true;
    }

    /**
     * Lets clients in at the ports that services share, if they share any; best once those that are there are served.
     *
     * @throws IOException if one cannot be listened on
     */
    public void openShared() throws IOException {
        if (settings.shared().isEmpty()) {
            return;
        }
        SharedPorts ports = settings.shared().get().ports();
        GatewayListener.Owner named = new GatewayListener.Owner.Named(names, this::elsewhere);
        lock.lock();
        try {
            if (closing) {
                throw new IOException("The gateway is closing.");
            }
            shared.add(open(GatewayProtocol.HTTPS, ports.https(), named));
            shared.add(open(GatewayProtocol.NATIVESECURE, ports.nativesecure(), named));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the gateway serve the service exactly like this; may be repeated at any time. When it returns, connections
     * that the access list no longer allows are closed.
     *
     * @throws IOException if a port cannot be listened on, or its name is another's; the service is then served as
     *     before
     */
    public void serve(GatewayService service) throws IOException {
        lock.lock();
        try {
            if (closing) {
                throw new IOException("The gateway is closing.");
            }
            Served served = serving.computeIfAbsent(
                    service.id(),
                    id -> new Served(
                            new GatewayRegistration(service, seats, settings, clock), new ConcurrentHashMap<>()));
            swept.add(served.registration());
            served.registration().replace(service);
            claimName(service, served.registration());
            pointNoMore(service.id());
            giveWay(service);
            for (Map.Entry<GatewayProtocol, Integer> wanted : service.ports().entrySet()) {
                openMissing(wanted, served, new GatewayListener.Owner.One(served.registration()));
            }
            closeUnwanted(service, served);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Listens at the ports of a service that another gateway serves, so that its clients hear where: its backend says so.
     * {@code look} comes before each client, and may say this again or end it. Nothing happens to a service that is
     * served here.
     *
     * @throws IOException if a port cannot be listened on; clients hear it at the others
     */
    public void point(GatewayService service, Runnable look) throws IOException {
        lock.lock();
        try {
            if (closing || serving.containsKey(service.id())) {
                return;
            }
            Served sign = pointing.computeIfAbsent(
                    service.id(),
                    id -> new Served(
                            new GatewayRegistration(service, seats, settings, clock), new ConcurrentHashMap<>()));
            swept.add(sign.registration());
            sign.registration().replace(service);
            sign.ports().values().forEach(open -> pointers.remove(open.port(), service.id()));
            giveWay(service);
            Optional<IOException> taken = openSigns(service, sign, look);
            closeUnwanted(service, sign);
            sign.ports().values().forEach(open -> pointers.put(open.port(), service.id()));
            if (taken.isPresent()) {
                throw taken.get();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Names that are of no service here are asked of this: those of services that {@link #point} was said of, by then. */
    public void pointNamed(Function<String, Optional<UUID>> found) {
        others = found;
    }

    /** Ends what {@link #point} began. */
    public void pointNoMore(UUID serviceId) {
        lock.lock();
        try {
            Served sign = pointing.remove(serviceId);
            if (sign != null) {
                sign.ports().values().forEach(open -> pointers.remove(open.port(), serviceId));
                sign.ports().values().forEach(OpenPort::close);
                sign.registration().retire();
                swept.remove(sign.registration());
                sign.registration().closeAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes the service's ports and lets what is in flight finish, for at most that long. */
    public void withdraw(UUID serviceId, Duration atMost) throws InterruptedException {
        GatewayRegistration leaving;
        lock.lock();
        try {
            Served served = serving.remove(serviceId);
            if (served == null) {
                return;
            }
            leaving = served.registration();
            leaving.service().name().ifPresent(name -> names.release(name, served.registration()));
            served.ports().values().forEach(OpenPort::close);
        } finally {
            lock.unlock();
        }
        try {
            leaving.drain(atMost);
        } finally {
            swept.remove(leaving);
        }
    }

    /** Empty for a service that is not served. */
    public Optional<GatewayTraffic> traffic(UUID serviceId) {
        return Optional.ofNullable(serving.get(serviceId))
                .map(served -> served.registration().traffic());
    }

    /** Begins to use a service's database; empty for a service that is not served. */
    public Optional<GatewayUse> use(UUID serviceId) {
        return Optional.ofNullable(serving.get(serviceId))
                .map(served -> served.registration().use());
    }

    /** Now while a query is in flight, otherwise when the last one ended. */
    public Optional<Instant> lastActivity(UUID serviceId) {
        return traffic(serviceId).map(GatewayTraffic::lastActivity);
    }

    public int openConnections(UUID serviceId) {
        return traffic(serviceId).map(GatewayTraffic::openConnections).orElse(0);
    }

    /** Stops accepting everywhere, lets what is in flight finish for at most that long, and closes. */
    public void close(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            closing = true;
            shared.forEach(OpenPort::close);
            arrivals.closeAll();
            for (Map<UUID, Served> each : List.of(serving, pointing)) {
                each.values().forEach(served -> served.ports().values().forEach(OpenPort::close));
                each.values().forEach(served -> served.registration().retire());
            }
        } finally {
            lock.unlock();
        }
        long until = System.nanoTime() + atMost.toNanos();
        try {
            for (GatewayRegistration each : swept) {
                each.drain(Duration.ofNanos(until - System.nanoTime()));
            }
        } finally {
            swept.forEach(GatewayRegistration::closeAll);
            rounds.close();
        }
    }

    @Override
    public void close() {
        try {
            close(Duration.ZERO);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void claimName(GatewayService service, GatewayRegistration registration) throws IOException {
        if (service.name().isPresent() && !names.claim(service.name().get(), registration)) {
            throw new IOException(
                    "Another service has the name " + service.name().get() + ".");
        }
    }

    private Optional<GatewayRegistration> elsewhere(String name) {
        return others.apply(name).map(pointing::get).map(Served::registration);
    }

    /** Signs of other services leave these ports to this one; that of a service which is gone may still be there. */
    private void giveWay(GatewayService service) {
        for (int port : service.ports().values()) {
            UUID former = pointers.get(port);
            Served sign = former == null || former.equals(service.id()) ? null : pointing.get(former);
            if (sign != null) {
                pointers.remove(port);
                sign.ports().values().stream()
                        .filter(open -> open.port() == port)
                        .forEach(OpenPort::close);
                sign.ports().values().removeIf(open -> open.port() == port);
            }
        }
    }

    private Optional<IOException> openSigns(GatewayService service, Served sign, Runnable look) {
        Optional<IOException> taken = Optional.empty();
        for (Map.Entry<GatewayProtocol, Integer> wanted : service.ports().entrySet()) {
            try {
                openMissing(wanted, sign, new GatewayListener.Owner.Elsewhere(sign.registration(), look));
            } catch (IOException another) {
                taken = Optional.of(another);
            }
        }
        return taken;
    }

    private void openMissing(Map.Entry<GatewayProtocol, Integer> wanted, Served served, GatewayListener.Owner owner)
            throws IOException {
        OpenPort open = served.ports().get(wanted.getKey());
        if (open == null || open.port() != wanted.getValue()) {
            OpenPort next = open(wanted.getKey(), wanted.getValue(), owner);
            served.ports().put(wanted.getKey(), next);
            if (open != null) {
                open.close();
            }
        }
    }

    private static void closeUnwanted(GatewayService service, Served served) {
        for (GatewayProtocol protocol : List.copyOf(served.ports().keySet())) {
            OpenPort open = served.ports().get(protocol);
            if (open != null && !service.ports().containsKey(protocol)) {
                served.ports().remove(protocol);
                open.close();
                served.registration().retire(protocol);
            }
        }
    }

    private OpenPort open(GatewayProtocol protocol, int port, GatewayListener.Owner owner) throws IOException {
        List<GatewayListener> listeners = new ArrayList<>();
        OpenPort opened = new OpenPort(port, listeners);
        try {
            for (InetAddress address : settings.addresses()) {
                listeners.add(GatewayListener.open(address, port, protocol, owner, arrivals, reception, threads));
            }
            return opened;
        } catch (IOException | RuntimeException failed) {
            opened.close();
            throw failed;
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        swept.forEach(each -> each.sweep(now));
        arrivals.sweep(now);
    }
}
