package io.pilothouse.server.host;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostPlaces;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.WayIn;
import io.pilothouse.gateway.door.GatewayPorts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way in to the services of several hosts: a new one gets the host with the most room and ports of that, and doors
 * here are for those of this host alone.
 */
public final class PlacedDoors implements WayIn {
    private final WayIn doors;
    private final UUID here;
    private final Store store;
    private final Clock clock;
    private final Consumer<List<Integer>> order;
    private final Map<GatewayPorts.Range, GatewayPorts> others = new ConcurrentHashMap<>();

    /** {@code doors} are those of this host, {@code order} is the one in which fresh ports of others are drawn. */
    public PlacedDoors(WayIn doors, UUID here, Store store, Clock clock, Consumer<List<Integer>> order) {
        this.doors = doors;
        this.here = here;
        this.store = store;
        this.clock = clock;
        this.order = order;
    }

    @Override
    public Optional<ServicePorts> draw() {
        return doors.draw();
    }

    @Override
    public Opening open(@Nullable BackupOrigin origin) {
        List<Host> hosts = hosts(origin);
        for (Host host : hosts.subList(0, hosts.size() - 1)) {
            try {
                return on(host);
            } catch (Refused withoutPorts) {
                // The next one may have some.
            }
        }
        return on(hosts.getLast());
    }

    private List<Host> hosts(@Nullable BackupOrigin origin) {
        return store.read(tables -> HostPlaces.open(tables, origin, clock.now()));
    }

    private Opening on(Host host) {
        if (host.id().equals(here)) {
            return new Opening(doors.draw().orElse(null), host.ofService());
        }
        GatewayPorts.Range range =
                new GatewayPorts.Range(host.room().firstPort(), host.room().lastPort());
        // Whether another program over there has one of them, only that host can see.
        GatewayPorts ports = others.computeIfAbsent(
                range,
                _ -> new GatewayPorts(
                        range,
                        _ -> true,
                        () -> store.read(tables -> tables.ports().known()),
                        List.of(),
                        order));
        return new Opening(ServicePorts.of(ports.draw()), host.ofService());
    }

    @Override
    public void follow(Service committed) {
        if (serves(committed)) {
            doors.follow(committed);
        }
    }

    @Override
    public boolean serves(Service service) {
        return here.equals(service.hostId());
    }

    @Override
    public Optional<String> refusal() {
        try {
            return hosts(null).stream().allMatch(host -> host.id().equals(here)) ? doors.refusal() : Optional.empty();
        } catch (Refused none) {
            return Optional.of(String.valueOf(none.getMessage()));
        }
    }
}
