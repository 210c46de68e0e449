package io.pilothouse.gateway.door;

import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.TakenMeanwhile;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.WayIn;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.AccessList;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewayLimits;
import io.pilothouse.gateway.GatewayLog;
import io.pilothouse.gateway.GatewayService;
import io.pilothouse.gateway.GatewayTraffic;
import io.pilothouse.gateway.GatewayUse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The doors of all services of a plane: each is opened, changed and closed to follow its service's row, and at the
 * ports that the row says are its own.
 */
public final class Doors implements WayIn {
    private static final Duration TO_LEAVE = Duration.ofSeconds(2);
    private static final Duration BROKEN_FOR_GOOD = Duration.ofSeconds(5);

    private final Gateway gateway;
    private final GatewayAddresses addresses;
    private final GatewayPorts ports;
    private final DoorDatabases databases;
    private final SleepRequests rest;
    private final DoorRows rows;
    private final Map<UUID, ServicePorts> earlier;
    private final Map<UUID, Door> doors = new ConcurrentHashMap<>();

    /** {@code earlier} are the ports that services had before the store knew of any. */
    public Doors(
            Gateway gateway,
            GatewayAddresses addresses,
            GatewayPorts ports,
            DoorDatabases databases,
            SleepRequests rest,
            DoorRows rows,
            Map<UUID, ServicePorts> earlier) {
        this.gateway = gateway;
        this.addresses = addresses;
        this.ports = ports;
        this.databases = databases;
        this.rest = rest;
        this.rows = rows;
        this.earlier = new ConcurrentHashMap<>(earlier);
    }

    @Override
    public Optional<ServicePorts> draw() {
        return Optional.of(ServicePorts.of(ports.draw()));
    }

    @Override
    public Optional<String> refusal() {
        return ports.refusal();
    }

    @Override
    public void follow(Service committed) {
        Door door = doors.get(committed.id());
        if (door != null) {
            door.learn(committed);
        } else if (committed.wish() != Wish.DELETE) {
            try {
                serve(committed);
            } catch (PlaneFault taken) {
                GatewayLog.warn("service " + committed.id() + " cannot be served yet", taken);
            }
        }
    }

    /**
     * Makes the service's door what this row wants; may be said again at any time, and a row older than the last is
     * passed over.
     *
     * @throws PlaneFault if it has no port that can be listened on
     */
    public void serve(Service service) throws PlaneFault {
        UUID id = service.id();
        if (service.wish() == Wish.DELETE) {
            shut(id);
            return;
        }
        Service row = withPorts(service);
        boolean isNew = !doors.containsKey(id);
        Door door = doors.computeIfAbsent(id, _ -> new Door(row, databases, rest, BROKEN_FOR_GOOD));
        synchronized (door) {
            if (door.learn(row) && !Objects.equals(door.served(), row.access())) {
                List<String> sources = row.access().ipAccessList().stream()
                        .map(IpAccessEntry::source)
                        .toList();
                open(new GatewayService(
                        id,
                        row.organizationId(),
                        addresses.name(row),
                        addresses.ports(row.access()),
                        AccessList.of(sources),
                        GatewayLimits.STANDARD,
                        door));
                door.served(row.access());
            }
        }
        // The row may be older than the end of its service, after which nobody would close what was opened here.
        if (isNew && rows.find(id).filter(now -> now.wish() != Wish.DELETE).isEmpty()) {
            shut(id);
        }
    }

    private void open(GatewayService service) throws PlaneFault {
        try {
            gateway.serve(service);
        } catch (IOException taken) {
            throw new PlaneFault("Its port cannot be listened on; another program may have taken it.", taken);
        }
    }

    /** A service that was made without ports, on another plane or by an older program, gets some here. */
    private Service withPorts(Service service) throws PlaneFault {
        if (service.access().ports() != null) {
            return service;
        }
        try {
            // Refused once, those of earlier are not asked for again.
            ServicePorts had = earlier.remove(service.id());
            ServicePorts next = had == null ? ServicePorts.of(ports.draw()) : had;
            return rows.reserve(service.id(), next).orElse(service);
        } catch (Refused | TakenMeanwhile none) {
            throw new PlaneFault(String.valueOf(none.getMessage()), none);
        }
    }

    /** Closes the service's door; what is in flight gets a moment to finish. */
    public void shut(UUID id) {
        doors.remove(id);
        try {
            gateway.withdraw(id, TO_LEAVE);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes the doors of these, whose rows are others now or none: each opens again with the next look at its row. */
    public void forget(Set<UUID> ids) {
        ids.stream().filter(doors::containsKey).forEach(this::shut);
    }

    /** Begins to use a service's database in the name of this program; empty where it has no door. */
    public Optional<GatewayUse> use(UUID id) {
        return gateway.use(id);
    }

    boolean mayStop(Service service) {
        return Optional.ofNullable(doors.get(service.id()))
                .map(door -> door.mayStop(service))
                .orElse(true);
    }

    Collection<Door> all() {
        return doors.values();
    }

    Optional<GatewayTraffic> traffic(UUID id) {
        return gateway.traffic(id);
    }
}
