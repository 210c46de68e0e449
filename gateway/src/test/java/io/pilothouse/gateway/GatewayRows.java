package io.pilothouse.gateway;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.service.Service;
import io.pilothouse.gateway.door.SignpostRows;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The services of several hosts as one of them reads them, from a store that may be away. */
final class GatewayRows implements SignpostRows {
    private final NavigableMap<String, Service> all = new ConcurrentSkipListMap<>();
    private final AtomicInteger read = new AtomicInteger();
    private final UUID here;
    private volatile boolean alone;
    private volatile boolean away;

    GatewayRows(UUID here) {
        this.here = here;
    }

    void keep(Service row) {
        all.put(row.id().toString(), row);
    }

    void clear() {
        all.clear();
    }

    /** The other hosts were removed. */
    void alone() {
        alone = true;
    }

    void goAway() {
        away = true;
    }

    /** How many rows were read in pages. */
    int read() {
        return read.get();
    }

    @Override
    public boolean hasOthers() {
        return !alone;
    }

    @Override
    public Optional<Service> find(UUID id) {
        if (away) {
            throw new StoreUnavailable("The store is away.", new IOException());
        }
        return Optional.ofNullable(all.get(id.toString()));
    }

    @Override
    public List<Service> after(@Nullable UUID id, int limit) {
        List<Service> page = (id == null ? all : all.tailMap(id.toString(), false))
                .values().stream().limit(limit).toList();
        read.addAndGet(page.size());
        return page;
    }

    @Override
    public Optional<Service.Host> otherHost(Service row) {
        return Optional.ofNullable(row.fixed().host()).filter(host -> !host.id().equals(here));
    }
}
