package io.pilothouse.core.operation;

import io.pilothouse.core.domain.Backup;
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

    /** A service that has come to run: its backups may have waited for that. */
    public static void arrived(Tables tables, Service service, Instant now) {
        if (service.warehouse().primary()) {
            tables.tasks().wake(Tasks.Kind.BACKUP, service.id(), Tasks.Urgency.ROUTINE, now);
        }
    }

    /**
     * Takes the row of a service that is gone out of the store, and what is kept under its id. Its finished backups stay
     * for as long as it wanted them kept; the engine sees to their end.
     */
    public static void remove(Tables tables, Service service, Instant now) {
        int hours = service.backups().retentionHours();
        for (Backup backup : tables.backups().pageBackwards(service.id(), null, 2 * Backup.MOST)) {
            if (backup.retentionHours() != hours) {
                tables.backups().overwrite(backup.keptFor(hours));
            }
        }
        tables.tasks().wake(Tasks.Kind.BACKUP, service.id(), Tasks.Urgency.ROUTINE, now);
        for (String endpointId : service.access().privateEndpointIds()) {
            PrivateEndpointUses.remove(tables, service, endpointId);
        }
        tables.pipeCdcScalings()
                .find(service.id())
                .ifPresent(scaling -> tables.pipeCdcScalings().delete(scaling.id(), scaling.version()));
        tables.services().delete(service.id(), service.version());
    }
}
