package io.pilothouse.server.host;

import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostPlaces;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The services that this process works on: all of its store's or, where several hosts have some, those of this host. */
public final class OwnServices {
    private static final int PAGE = 500;

    private final Store store;
    private final Clock clock;
    private final Optional<Host> here;
    private final Predicate<UUID> hasData;

    /** {@code here} is this host, where there are several; {@code hasData} is whether a service has data on it. */
    public OwnServices(Store store, Clock clock, Optional<Host> here, Predicate<UUID> hasData) {
        this.store = store;
        this.clock = clock;
        this.here = here;
        this.hasData = hasData;
    }

    /** Has each of them served, and its task due: what ran before this start ended with it, whatever its row says. */
    public void begin(Consumer<Service> serve) {
        List<Service> page = after(null);
        while (!page.isEmpty()) {
            List<Service> rows = page;
            List<Service> own = store.write(tables -> own(tables, rows));
            own.forEach(serve);
            store.change(tables -> own.forEach(
                    row -> tables.tasks().wake(Tasks.Kind.SERVICE, row.id(), Tasks.Urgency.CHANGED, clock.now())));
            page = after(page.getLast().id());
        }
    }

    /** Those of these that are services of the store, on whatever host. */
    public Set<UUID> known(Set<UUID> ids) {
        return store.read(tables -> ids.stream()
                .filter(id -> tables.of(Service.KIND).find(id).isPresent())
                .collect(Collectors.toSet()));
    }

    private List<Service> after(@Nullable UUID id) {
        return store.read(tables -> tables.of(Service.KIND).all(id, PAGE));
    }

    private List<Service> own(Tables tables, List<Service> page) {
        List<Service> own = new ArrayList<>();
        for (Service read : page) {
            tables.of(Service.KIND).find(read.id()).ifPresent(row -> {
                Service.Host next = here.filter(host -> isHere(host, row))
                        .map(host -> host.of(row))
                        .orElseGet(() -> here.isEmpty() ? null : row.fixed().host());
                Service kept = row.withHost(next);
                if (!kept.equals(row)) {
                    kept = tables.of(Service.KIND).overwrite(kept);
                }
                place(tables, kept);
                if (here.isEmpty() || here.get().id().equals(kept.hostId())) {
                    own.add(kept);
                }
            });
        }
        return own;
    }

    /** One that was made before there were several hosts is where its data is; without data it may as well be here. */
    private boolean isHere(Host host, Service row) {
        return row.hostId() == null
                ? hasData.test(row.id()) || !row.seen().everRan()
                : host.id().equals(row.hostId());
    }

    /** The row says whose it is; its tasks may have been of a process that was alone since. */
    private static void place(Tables tables, Service row) {
        if (row.hostId() != null
                && !tables.tasks().findHost(Tasks.Kind.SERVICE, row.id()).equals(Optional.ofNullable(row.hostId()))) {
            HostPlaces.assign(tables, row);
        }
    }
}
