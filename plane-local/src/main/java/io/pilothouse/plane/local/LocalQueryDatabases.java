package io.pilothouse.plane.local;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.query.QueryDatabases;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayUse;
import io.pilothouse.outgoing.OutgoingHttp;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The databases of this machine, as query endpoints ask them: through their doors, so that they count as used. */
public final class LocalQueryDatabases implements QueryDatabases {
    private static final Duration CONNECT = Duration.ofSeconds(1);

    private final LocalDatabases databases;
    private final Function<UUID, Optional<GatewayUse>> doors;
    private final Executor threads;
    private final OutgoingHttp http = OutgoingHttp.toAddresses(CONNECT);

    public LocalQueryDatabases(LocalDatabases databases, Function<UUID, Optional<GatewayUse>> doors, Executor threads) {
        this.databases = databases;
        this.doors = doors;
        this.threads = threads;
    }

    @Override
    public Optional<String> refusal() {
        return Optional.empty();
    }

    @Override
    public Use use(Service service) throws PlaneFault {
        GatewayUse door = doors.apply(service.id())
                .orElseThrow(() -> new PlaneFault("The service cannot be reached yet: try again soon"));
        return new LocalQueryUse(service.id(), door, databases, http, threads);
    }
}
