package io.pilothouse.core.figure;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.Wish;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What those who watch an organization may see of the store: its services a page at a time, and their pipes. */
public final class FigureOperations {
    private static final int MAX_PIPES_OF_A_SERVICE = 1_000;

    private final Store store;

    public FigureOperations(Store store) {
        this.store = store;
    }

    public Service get(Permit permit, UUID serviceId) {
        return store.read(tables -> ServiceOperations.get(tables, permit, serviceId));
    }

    public Page<Service> page(Permit permit, Table.@Nullable Cursor after, int limit) {
        return store.read(tables -> ServiceOperations.page(tables, permit, after, limit));
    }

    /** The same without services that are being deleted. */
    public Page<Service> lasting(Permit permit, Table.@Nullable Cursor after, int limit) {
        Page<Service> page = page(permit, after, limit);
        return new Page<>(
                page.items().stream()
                        .filter(service -> service.wish() != Wish.DELETE)
                        .toList(),
                page.next());
    }

    /** A service with its pipes. */
    public record Piped(Service service, List<Pipe> pipes) {
        public Piped {
            pipes = List.copyOf(pipes);
        }
    }

    /** Those of the services that have pipes. */
    public List<Piped> pipes(List<Service> services) {
        return store.read(tables -> services.stream()
                .map(service ->
                        new Piped(service, tables.of(Pipe.KIND).page(service.id(), null, MAX_PIPES_OF_A_SERVICE)))
                .filter(piped -> !piped.pipes().isEmpty())
                .toList());
    }
}
