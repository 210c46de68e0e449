package io.pilothouse.plane.local;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.gateway.door.DoorDatabases;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.UUID;

/** The databases of this machine, as the doors to them need them. */
public final class LocalDoorDatabases implements DoorDatabases {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private final LocalDatabases databases;
    private final DatabaseBackups kept;
    private final LocalBackups backups;
    private final LocalOwnDatabases own;

    public LocalDoorDatabases(
            LocalDatabases databases, DatabaseBackups kept, LocalBackups backups, LocalOwnDatabases own) {
        this.databases = databases;
        this.kept = kept;
        this.backups = backups;
        this.own = own;
    }

    @Override
    public GatewayReach reach(Service service, GatewayProtocol protocol) {
        if (databases.bundled() && protocol != GatewayProtocol.HTTPS) {
            return unsupported(protocol);
        }
        return databases
                .address(service.id())
                .map(address -> at(service, protocol, address))
                .orElseGet(() -> databases
                        .turns()
                        .waits(service.id())
                        .map(GatewayReach.Asleep::new)
                        .orElseGet(GatewayReach.Asleep::new));
    }

    @Override
    public GatewayReach look(Service service, GatewayProtocol protocol) throws PlaneFault {
        try {
            return switch (databases.observe(service.id())) {
                case DatabaseSeen.Running(DatabaseAddress address, String _) -> at(service, protocol, address);
                case DatabaseSeen.Broken(String reason) -> new GatewayReach.Unavailable(reason);
                case DatabaseSeen.Waiting(String reason) -> new GatewayReach.Asleep(reason);
                case DatabaseSeen.Absent(), DatabaseSeen.Stopped(), DatabaseSeen.Starting(), DatabaseSeen.Stopping() ->
                    new GatewayReach.Asleep();
            };
        } catch (DatabaseFailure failure) {
            throw new PlaneFault(String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public boolean isBusy(UUID serviceId) {
        return backups.isBusy(serviceId) || own.isHeld(serviceId);
    }

    private GatewayReach at(Service service, GatewayProtocol protocol, DatabaseAddress address) {
        if (!kept.complete(service)) {
            return new GatewayReach.Asleep();
        }
        OptionalInt port = switch (protocol) {
            case HTTPS -> OptionalInt.of(address.http());
            case NATIVESECURE -> address.nativeProtocol();
            case MYSQL -> address.mysql();
        };
        return port.isPresent()
                ? new GatewayReach.Ready(new InetSocketAddress(LOOPBACK, port.getAsInt()))
                : unsupported(protocol);
    }

    private static GatewayReach unsupported(GatewayProtocol protocol) {
        return new GatewayReach.Unsupported(
                "This service's ClickHouse does not speak " + protocol.wireName() + "; use its https endpoint.");
    }
}
