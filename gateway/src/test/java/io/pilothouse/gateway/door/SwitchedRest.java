package io.pilothouse.gateway.door;

import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Grants every wish to sleep and to wake for the rows that it knows. */
final class SwitchedRest implements SleepRequests {
    final Map<UUID, Service> rows = new ConcurrentHashMap<>();

    @Override
    public Optional<Service> sleep(UUID id) {
        return wish(id, Wish.SLEEP);
    }

    @Override
    public Optional<Service> wake(UUID id) {
        return wish(id, Wish.RUN);
    }

    private Optional<Service> wish(UUID id, Wish wish) {
        return Optional.ofNullable(
                rows.computeIfPresent(id, (_, row) -> row.wish() == wish ? row : row.withWish(wish, Instant.EPOCH)));
    }

    @Override
    public void look(UUID id) {}
}
