package io.pilothouse.core.pipe;

import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Instant;

/** Pipes and reverse private endpoints end with their service, each of which the engine then takes apart by itself. */
public final class PipesOfService implements ServiceFollower {
    @Override
    public void deleted(Tables tables, Service service, Instant now) {
        for (Pipe pipe : tables.of(Pipe.KIND).page(service.id(), null, RuleBook.MAX_PIPES)) {
            if (pipe.want().wish() != Pipe.Wish.DELETE) {
                tables.of(Pipe.KIND)
                        .overwrite(pipe.withWant(Pipe.Wish.DELETE, pipe.want().resyncs(), now));
                tables.tasks().wake(Tasks.Kind.PIPE, pipe.id(), Tasks.Urgency.CHANGED, now);
            }
        }
        for (ReversePrivateEndpoint endpoint : ReversePrivateEndpointOperations.all(tables, service.id())) {
            if (!endpoint.deleted()) {
                tables.of(ReversePrivateEndpoint.KIND).overwrite(endpoint.asDeleted(now));
                tables.tasks().wake(Tasks.Kind.REVERSE_PRIVATE_ENDPOINT, endpoint.id(), Tasks.Urgency.CHANGED, now);
            }
        }
    }

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        tables.of(PipeCdcScaling.KIND)
                .find(service.id())
                .ifPresent(scaling -> tables.of(PipeCdcScaling.KIND).delete(scaling.id(), scaling.version()));
    }
}
