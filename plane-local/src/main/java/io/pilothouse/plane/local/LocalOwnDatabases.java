package io.pilothouse.plane.local;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.GatewayOwnUser;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** The databases of this machine, as the program itself uses them. */
public final class LocalOwnDatabases implements Databases {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LocalDatabases databases;
    private final DatabaseBackups kept;
    private final Map<UUID, Integer> holds = new ConcurrentHashMap<>();

    public LocalOwnDatabases(LocalDatabases databases, DatabaseBackups kept) {
        this.databases = databases;
        this.kept = kept;
    }

    @Override
    public Optional<PipeLogin> pipeLogin(Service service) throws PlaneFault {
        Optional<DatabaseAddress> address = databases.address(service.id());
        if (address.isEmpty() || !kept.complete(service)) {
            return Optional.empty();
        }
        try {
            return databases
                    .folder(service.id())
                    .ownPassword()
                    .map(password -> new PipeLogin(
                            URI.create("http://127.0.0.1:" + address.get().http()),
                            GatewayOwnUser.OF_PIPES,
                            Secrets.ofPipes(password)));
        } catch (IOException failure) {
            throw new PlaneFault("The folder of the service cannot be read.", failure);
        }
    }

    @Override
    public Answer ask(UUID serviceId, String sql) throws PlaneFault {
        try {
            return switch (databases.ask(serviceId, sql, PATIENCE)) {
                case DatabaseClient.Answer.Text(String value) -> new Answer.Text(value);
                case DatabaseClient.Answer.Refusal(int _, String sentence) -> new Answer.Refusal(sentence);
                case DatabaseClient.Answer.Silence(String reason) -> new Answer.Silence(reason);
            };
        } catch (DatabaseFailure failure) {
            throw new PlaneFault(String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public Hold hold(UUID serviceId) {
        holds.merge(serviceId, 1, Integer::sum);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.getAndSet(false)) {
                holds.computeIfPresent(serviceId, (_, count) -> count == 1 ? null : count - 1);
            }
        };
    }

    /** Whether it must stay awake for something of the program's own. */
    boolean isHeld(UUID serviceId) {
        return holds.containsKey(serviceId);
    }
}
