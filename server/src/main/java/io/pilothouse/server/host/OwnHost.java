package io.pilothouse.server.host;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.port.Clock;
import io.pilothouse.gateway.door.GatewayPorts;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.StoreOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** This machine as the others that share its store are to know it. */
public final class OwnHost {
    private OwnHost() {}

    /** Empty where the store is not shared; {@code databases} is how many its memory holds at once. */
    public static Optional<Host> of(Config config, Path folder, long databases, Clock clock) {
        if (!config.get(StoreOptions.SHARED)) {
            return Optional.empty();
        }
        Instant now = clock.now();
        String address =
                config.find(Options.SERVICE_DOMAIN).orElseGet(() -> config.get(LocalPlaneOptions.GATEWAY_HOST));
        GatewayPorts.Range ports = config.get(LocalPlaneOptions.GATEWAY_PORTS);
        return Optional.of(new Host(
                Head.own(HostFile.idOf(folder), now),
                config.find(LocalPlaneOptions.HOST_NAME).orElse(address),
                address,
                new Host.Room(databases, ports.first(), ports.last()),
                now,
                now,
                false,
                false));
    }
}
