package io.pilothouse.plane.local;

import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.AccessList;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewayLimits;
import io.pilothouse.gateway.GatewayLog;
import io.pilothouse.gateway.GatewayPorts;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayService;
import io.pilothouse.gateway.GatewayTraffic;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The doors of all services that run here: each is opened, changed and closed to follow its service's row. A port is
 * written down before anybody is told of it, and given back only when its service is gone.
 */
public final class Doors {
    private static final String USER = "default";
    private static final Duration TO_LEAVE = Duration.ofSeconds(2);

    private final Gateway gateway;
    private final GatewayPorts ports;
    private final String host;
    private final LocalEngines engines;
    private final EngineBackups backups;
    private final Rest rest;
    private final Map<UUID, Door> doors = new ConcurrentHashMap<>();

    /** {@code host} is the name that clients are given. */
    public Doors(
            Gateway gateway, GatewayPorts ports, String host, LocalEngines engines, EngineBackups backups, Rest rest) {
        this.gateway = gateway;
        this.ports = ports;
        this.host = host;
        this.engines = engines;
        this.backups = backups;
        this.rest = rest;
    }

    /** Where clients reach it; none for a service that is so far gone that its ports were given back. */
    public List<Endpoint> endpoints(Service service) {
        // Whoever is told of an address, or that a service starts, may use it at once, be it before the engine's look.
        Door door = doors.get(service.id());
        if (door != null) {
            door.learn(service);
        } else if (service.wish() != Wish.DELETE) {
            try {
                follow(service);
            } catch (IOException taken) {
                GatewayLog.warn("service " + service.id() + " cannot be served yet", taken);
            }
        }
        List<Endpoint> endpoints = new ArrayList<>();
        ports(service).forEach((protocol, port) -> endpoints.add(new Endpoint(protocol.wireName(), host, port, USER)));
        return List.copyOf(endpoints);
    }

    private Map<GatewayProtocol, Integer> ports(Service service) {
        Map<GatewayProtocol, Integer> open = new EnumMap<>(GatewayProtocol.class);
        open.putAll(service.wish() == Wish.DELETE ? ports.find(service.id()).orElse(Map.of()) : assigned(service.id()));
        if (!service.access().mysql()) {
            open.remove(GatewayProtocol.MYSQL);
        }
        return open;
    }

    private Map<GatewayProtocol, Integer> assigned(UUID id) {
        try {
            return ports.assign(id);
        } catch (IllegalStateException exhausted) {
            throw new Refused(Refused.Reason.UNAVAILABLE, String.valueOf(exhausted.getMessage()));
        }
    }

    /**
     * Makes the service's door what this row wants; may be said again at any time, and a row older than the last is
     * passed over.
     *
     * @throws IOException if a port cannot be listened on
     */
    public void follow(Service service) throws IOException {
        if (service.wish() == Wish.DELETE) {
            shut(service.id());
            return;
        }
        Door door = doors.computeIfAbsent(service.id(), _ -> new Door(service, engines, rest, this::complete));
        synchronized (door) {
            if (door.learn(service) && !Objects.equals(door.served(), service.access())) {
                List<String> sources = service.access().ipAccessList().stream()
                        .map(IpAccessEntry::source)
                        .toList();
                gateway.serve(new GatewayService(
                        service.id(), ports(service), AccessList.of(sources), GatewayLimits.STANDARD, door));
                door.served(service.access());
            }
        }
    }

    /** A client that comes before the backup is restored would write between its lines. */
    private boolean complete(Service service) {
        BackupOrigin origin = service.origin();
        return origin == null || backups.restored(service.id(), origin.backupId());
    }

    /** Closes the service's door; what is in flight gets a moment to finish. */
    void shut(UUID id) {
        doors.remove(id);
        try {
            gateway.withdraw(id, TO_LEAVE);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the door of a service that is gone, and gives its ports back. */
    public void release(UUID id) {
        shut(id);
        ports.release(id);
    }

    boolean mayStop(Service service) {
        return Optional.ofNullable(doors.get(service.id()))
                .map(door -> door.mayStop(service))
                .orElse(true);
    }

    /** Everybody who was ever given ports here and has not given them back. */
    public Set<UUID> known() {
        return ports.services();
    }

    Collection<Door> all() {
        return doors.values();
    }

    Optional<GatewayTraffic> traffic(UUID id) {
        return gateway.traffic(id);
    }
}
