package io.pilothouse.gateway.door;

import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.AccessList;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewayBackend;
import io.pilothouse.gateway.GatewayLimits;
import io.pilothouse.gateway.GatewayLog;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.gateway.GatewayService;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says at this host where services of other hosts are: it listens at their ports, and knows their names. A client is
 * admitted by its service's own access list and hears the address that the row shows at that moment; no database is
 * woken. Which services there are is learned page by page, so that a round costs the same with any number of them.
 */
public final class Signposts {
    private static final int PAGE = 100;

    /** Rows of the last moments may be committed in another order than that of their ids. */
    private static final Duration SETTLED_AFTER = Duration.ofSeconds(5);

    /** Clients that come close together share a look at the row. */
    private static final long FRESH_FOR_NANOS = Duration.ofSeconds(1).toNanos();

    private final Gateway gateway;
    private final GatewayAddresses addresses;
    private final SignpostRows rows;
    private final IntPredicate mayListen;
    private final int mostPorts;
    private final OwnMachine machine;
    private final NavigableMap<String, Sign> signs = new ConcurrentSkipListMap<>();
    private final Map<String, UUID> labels = new ConcurrentHashMap<>();
    private final AtomicInteger openPorts = new AtomicInteger();
    private final AtomicBoolean saidFull = new AtomicBoolean();
    private @Nullable UUID walkedTo;
    private @Nullable UUID newestSettled;

    /** One service that is elsewhere; the lock is held whenever something of it is read or changed. */
    private static final class Sign {
        private final ReentrantLock lock = new ReentrantLock();
        private int ports;
        private long version;
        private long freshUntil = System.nanoTime();
        private boolean byName;
        private boolean saidTaken;
        private boolean ended;
    }

    /** Where to go, for each protocol. */
    private record Directions(Map<GatewayProtocol, GatewayReach> reaches) implements GatewayBackend {
        @Override
        public GatewayReach reach(GatewayProtocol protocol) {
            return reaches.getOrDefault(
                    protocol, new GatewayReach.Elsewhere("This service is on another host, without this protocol."));
        }

        @Override
        public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) {
            return reach(protocol);
        }
    }

    /**
     * @param listening the addresses at which the gateway listens
     * @param mayListen whether a port may be used for this at all
     * @param mostPorts how many are open at once
     */
    public Signposts(
            Gateway gateway,
            GatewayAddresses addresses,
            SignpostRows rows,
            List<InetAddress> listening,
            IntPredicate mayListen,
            int mostPorts) {
        this.gateway = gateway;
        this.addresses = addresses;
        this.rows = rows;
        this.mayListen = mayListen;
        this.mostPorts = mostPorts;
        this.machine = new OwnMachine(listening);
        gateway.pointNamed(this::named);
    }

    /** Follows a row of the store as it was a moment ago. */
    public void follow(Service row) {
        if (isElsewhere(row)) {
            Sign sign = signs.computeIfAbsent(row.id().toString(), _ -> new Sign());
            addresses.shared().ifPresent(_ -> labels.put(label(row.id()), row.id()));
            point(row, sign, false);
        } else {
            end(row.id());
        }
    }

    private boolean isElsewhere(Service row) {
        return row.wish() != Wish.DELETE
                && rows.otherHost(row)
                        .filter(other -> !machine.isAt(other.address()))
                        .isPresent();
    }

    /** Looks at a service that has just left this host, or may have. */
    public void look(UUID id) {
        rows.find(id).ifPresentOrElse(this::follow, () -> end(id));
    }

    /** Goes through all services once. */
    public void begin() {
        do {
            round();
        } while (walkedTo != null);
    }

    /** Goes a page further through all services, and to those that are new. */
    public void round() {
        if (!rows.hasOthers()) {
            List.copyOf(signs.keySet()).forEach(id -> end(UUID.fromString(id)));
            return;
        }
        List<Service> fresh = rows.after(newestSettled, PAGE);
        fresh.forEach(this::follow);
        settle(fresh);
        List<Service> page = rows.after(walkedTo, PAGE);
        page.forEach(this::follow);
        endMissing(page);
        walkedTo = page.size() < PAGE ? null : page.getLast().id();
    }

    private void settle(List<Service> fresh) {
        if (fresh.isEmpty()) {
            return;
        }
        Instant settled = fresh.getLast().createdAt().minus(SETTLED_AFTER);
        newestSettled = fresh.stream()
                .filter(row -> fresh.size() == PAGE || row.createdAt().isBefore(settled))
                .map(Service::id)
                .reduce(newestSettled, (_, next) -> next);
    }

    /** Those within the page whose rows are gone. */
    private void endMissing(List<Service> page) {
        Set<String> there = page.stream().map(row -> row.id().toString()).collect(Collectors.toSet());
        NavigableMap<String, Sign> within = walkedTo == null ? signs : signs.tailMap(walkedTo.toString(), false);
        if (page.size() == PAGE) {
            within = within.headMap(page.getLast().id().toString(), true);
        }
        for (String id : within.keySet()) {
            if (!there.contains(id)) {
                // It may have been made after the page was read
                look(UUID.fromString(id));
            }
        }
    }

    private void end(UUID id) {
        Sign sign = signs.get(id.toString());
        if (sign == null) {
            return;
        }
        sign.lock.lock();
        try {
            sign.ended = true;
            signs.remove(id.toString(), sign);
            labels.remove(label(id), id);
            openPorts.addAndGet(-sign.ports);
            sign.ports = 0;
            gateway.pointNoMore(id);
        } finally {
            sign.lock.unlock();
        }
    }

    private void point(Service row, Sign sign, boolean byName) {
        sign.lock.lock();
        try {
            sign.byName |= byName;
            if (!sign.ended && row.version() >= sign.version) {
                sign.version = row.version();
                Map<GatewayProtocol, Integer> ports = ports(row, sign);
                if (sign.byName || sign.ports + ports.size() > 0) {
                    openPorts.addAndGet(ports.size() - sign.ports);
                    sign.ports = ports.size();
                    open(row, sign, ports);
                }
            }
        } finally {
            sign.lock.unlock();
        }
    }

    private Map<GatewayProtocol, Integer> ports(Service row, Sign sign) {
        Map<GatewayProtocol, Integer> ports = addresses.ports(row.access());
        ports.values().removeIf(port -> !mayListen.test(port));
        if (openPorts.get() - sign.ports + ports.size() <= mostPorts) {
            return ports;
        }
        if (saidFull.compareAndSet(false, true)) {
            GatewayLog.warn("This process may have too few files open to listen at the ports of all services of other"
                    + " hosts; clients of some hear nothing here");
        }
        return Map.of();
    }

    private void open(Service row, Sign sign, Map<GatewayProtocol, Integer> ports) {
        List<String> sources =
                row.access().ipAccessList().stream().map(IpAccessEntry::source).toList();
        try {
            gateway.point(
                    new GatewayService(
                            row.id(),
                            row.organizationId(),
                            ports,
                            AccessList.of(sources),
                            GatewayLimits.STANDARD,
                            directions(row)),
                    () -> lookForClient(row.id(), false));
        } catch (IOException taken) {
            if (!sign.saidTaken) {
                sign.saidTaken = true;
                GatewayLog.warn("clients of service " + row.id() + " of another host may not hear here where it is: "
                        + taken.getMessage());
            }
        }
    }

    /** Brings a sign up to date; without the store, what was known last holds. */
    private void lookForClient(UUID id, boolean byName) {
        Sign sign = signs.get(id.toString());
        if (sign == null) {
            gateway.pointNoMore(id);
            return;
        }
        sign.lock.lock();
        try {
            boolean known = sign.byName || !byName;
            if (known && System.nanoTime() - sign.freshUntil < 0) {
                return;
            }
            Optional<Service> row = rows.find(id).filter(this::isElsewhere);
            sign.freshUntil = System.nanoTime() + FRESH_FOR_NANOS;
            if (row.isPresent()) {
                point(row.get(), sign, byName);
            } else {
                end(id);
            }
        } catch (StoreUnavailable unavailable) {
            GatewayLog.debug("a client of another host hears what was known of its service", unavailable);
        } finally {
            sign.lock.unlock();
        }
    }

    private Optional<UUID> named(String name) {
        int dot = name.indexOf('.');
        Optional<UUID> id = Optional.ofNullable(dot < 0 ? null : labels.get(name.substring(0, dot)));
        id.ifPresent(each -> lookForClient(each, true));
        return id;
    }

    private static String label(UUID id) {
        return RowIds.lastDigits(id, Addresses.NAME_DIGITS);
    }

    private Directions directions(Service row) {
        String host = addresses.host(row);
        Map<GatewayProtocol, GatewayReach> all = new EnumMap<>(GatewayProtocol.class);
        addresses
                .shown(row.access())
                .forEach((protocol, port) -> all.put(
                        protocol,
                        new GatewayReach.Elsewhere(
                                "This service is on another host: connect to " + host + ", port " + port + ".")));
        return new Directions(all);
    }
}
