package io.pilothouse.core.operation;

import io.pilothouse.core.domain.Pipe;
import io.pilothouse.core.domain.ReversePrivateEndpoint;
import io.pilothouse.core.domain.Service;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.time.Instant;

/** What goes with a service: its pipes and its routes, each of which the engine then takes apart by itself. */
public final class ServiceCascade {
    private ServiceCascade() {}

    /** Asks for the end of everything that hangs under a service, in the transaction that asks for its own. */
    static void delete(Tables tables, Service service, Instant now) {
        for (Pipe pipe : tables.pipes().page(service.id(), null, PipeOperations.MOST_PIPES)) {
            if (pipe.want().wish() != Pipe.Wish.DELETE) {
                tables.pipes()
                        .overwrite(pipe.withWant(Pipe.Wish.DELETE, pipe.want().resyncs(), now));
                tables.tasks().wake(Tasks.Kind.PIPE, pipe.id(), Tasks.Urgency.CHANGED, now);
            }
        }
        for (ReversePrivateEndpoint route : ReversePrivateEndpointOperations.all(tables, service.id())) {
            if (!route.deleted()) {
                tables.reversePrivateEndpoints().overwrite(route.asDeleted(now));
                tables.tasks().wake(Tasks.Kind.REVERSE_PRIVATE_ENDPOINT, route.id(), Tasks.Urgency.CHANGED, now);
            }
        }
    }

    /** Takes the row of a service that is gone out of the store, and what is kept under its id. */
    public static void remove(Tables tables, Service service) {
        tables.pipeCdcScalings()
                .find(service.id())
                .ifPresent(scaling -> tables.pipeCdcScalings().delete(scaling.id(), scaling.version()));
        tables.services().delete(service.id(), service.version());
    }
}
