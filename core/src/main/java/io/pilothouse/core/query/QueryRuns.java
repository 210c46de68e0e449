package io.pilothouse.core.query;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Runs the SQL of callers in the databases of services whose query endpoint lists their key. A caller who is not listed
 * is refused in the same words whether the service is there, is a foreign one, or has no endpoint.
 */
public final class QueryRuns {
    private final Store store;
    private final QueryDatabases databases;
    private final QuerySeats seats;
    private final QueryEndpoint kind = new QueryEndpoint();

    public QueryRuns(Store store, QueryDatabases databases, QuerySeats seats) {
        this.store = store;
        this.databases = databases;
        this.seats = seats;
    }

    /** A caller's wish: the service, the statement, and whether the service may be woken for it. */
    public record Asked(UUID serviceId, QueryStatement statement, boolean mayWake) {}

    /** What became of it. */
    public sealed interface Outcome {
        /** The service sleeps, and the caller has not said that it may be woken. */
        record Asleep() implements Outcome {}

        /** The service is stopped, and nothing but a person starts it. */
        record Stopped() implements Outcome {}

        /** The database answers; {@code end} must be run when that is passed on or given up. */
        record Answering(QueryDatabases.Reply reply, Runnable end) implements Outcome {}
    }

    private record Entrance(Service service, QueryRole role) {}

    /** {@code whenGone} takes what is to be called if the caller leaves before the answer has ended. */
    public Outcome run(Permit permit, Asked asked, Consumer<Runnable> whenGone) {
        Entrance entrance = store.read(tables -> find(tables, permit, asked.serviceId()));
        Service service = entrance.service();
        switch (service.wish()) {
            case STOP -> {
                return new Outcome.Stopped();
            }
            case DELETE -> throw new Refused(Refused.Reason.CONFLICT, "The service is being deleted");
            case RUN, SLEEP -> {}
        }
        if (service.isMoving()) {
            throw new Refused(Refused.Reason.UNAVAILABLE, "The service is moving to another host: try again later");
        }
        databases.refusal().ifPresent(reason -> {
            throw new Refused(Refused.Reason.FAILED_DEPENDENCY, reason);
        });
        Runnable leave = seats.take(service.id());
        try {
            QueryDatabases.Use use = databases.use(service);
            return answered(entrance, asked, whenGone, use, () -> {
                use.close();
                leave.run();
            });
        } catch (PlaneFault fault) {
            leave.run();
            throw unavailable(fault);
        }
    }

    private static Outcome answered(
            Entrance entrance, Asked asked, Consumer<Runnable> whenGone, QueryDatabases.Use use, Runnable end) {
        boolean answering = false;
        try {
            if (!use.isReady()) {
                if (entrance.service().wish() == Wish.SLEEP && !asked.mayWake()) {
                    return new Outcome.Asleep();
                }
                use.awaken();
            }
            whenGone.accept(use::cancel);
            QueryDatabases.Reply reply = use.run(entrance.role(), asked.statement());
            answering = true;
            return new Outcome.Answering(reply, end);
        } catch (PlaneFault fault) {
            throw unavailable(fault);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new Refused(Refused.Reason.UNAVAILABLE, "The server is stopping");
        } finally {
            if (!answering) {
                end.run();
            }
        }
    }

    private static Refused unavailable(PlaneFault fault) {
        return new Refused(Refused.Reason.UNAVAILABLE, String.valueOf(fault.getMessage()));
    }

    private Entrance find(Tables tables, Permit permit, UUID serviceId) {
        return tables.of(Service.KIND)
                .find(permit.organizationId(), serviceId)
                .flatMap(service -> endpoint(tables, service)
                        .filter(endpoint ->
                                QueryEndpoint.lists(endpoint, permit.caller().keyId()))
                        .map(endpoint -> new Entrance(service, QueryEndpoint.role(endpoint))))
                .orElseThrow(() -> new Refused(
                        Refused.Reason.FORBIDDEN,
                        "This key may not run queries in this service: its query endpoint does not list the key"));
    }

    private Optional<Tree.Members> endpoint(Tables tables, Service service) {
        return ServicePart.find(tables, service, kind).map(ServicePart::fields);
    }

    /** Whether pages of this web origin may ask the service; the same answer for a service that is not there. */
    public boolean allows(UUID serviceId, String origin) {
        return store.read(tables -> tables.of(Service.KIND)
                .find(serviceId)
                .flatMap(service -> endpoint(tables, service))
                .filter(endpoint -> QueryEndpoint.allows(endpoint, origin))
                .isPresent());
    }
}
