package io.pilothouse.server.host;

import com.sun.management.UnixOperatingSystemMXBean;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostPlaces;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewaySettings;
import io.pilothouse.gateway.door.GatewayAddresses;
import io.pilothouse.gateway.door.SignpostRows;
import io.pilothouse.gateway.door.Signposts;
import io.pilothouse.plane.local.PortSets;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Option;
import io.pilothouse.server.config.Options;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the services that are on other hosts than this one. */
public record OtherDoorRows(Store store, Host here) implements SignpostRows {
    /** Of the files that this process may have open; the rest is for what runs here. */
    private static final int SHARE = 4;

    private static final List<Option<HostPort>> OF_THIS_PROGRAM = List.of(
            Options.LISTEN,
            Options.CONSOLE_LISTEN,
            Options.ALERTS_LISTEN,
            Options.QUERY_LISTEN,
            Options.ADMIN_LISTEN,
            LocalPlaneOptions.PIPE_TASKS_LISTEN);

    /** What says at this host where they are, at no port that this program itself may want at any time. */
    public Signposts signposts(Gateway gateway, GatewayAddresses addresses, GatewaySettings settings, Config config) {
        PortSets.PortRange databases = config.get(LocalPlaneOptions.ENGINE_PORTS);
        Set<Integer> own = own(config);
        return new Signposts(
                gateway,
                addresses,
                this,
                settings.addresses(),
                port -> (port < databases.first() || port > databases.last()) && !own.contains(port),
                mostPorts());
    }

    private static Set<Integer> own(Config config) {
        Set<Integer> own = new HashSet<>();
        OF_THIS_PROGRAM.forEach(
                listener -> config.find(listener).map(HostPort::port).ifPresent(own::add));
        LocalPlaneOptions.shared(config).ifPresent(ports -> own.addAll(List.of(ports.https(), ports.nativesecure())));
        return own;
    }

    private static int mostPorts() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? Math.clamp(unix.getMaxFileDescriptorCount() / SHARE, 0, Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
    }

    @Override
    public boolean hasOthers() {
        return store.read(HostPlaces::all).stream().anyMatch(host -> !host.id().equals(here.id()));
    }

    @Override
    public Optional<Service> find(UUID id) {
        return store.read(tables -> tables.of(Service.KIND).find(id));
    }

    @Override
    public List<Service> after(@Nullable UUID id, int limit) {
        return store.read(tables -> tables.of(Service.KIND).all(id, limit));
    }

    @Override
    public Optional<Service.Host> otherHost(Service row) {
        return Optional.ofNullable(row.fixed().host()).filter(host -> !host.id().equals(here.id()));
    }
}
