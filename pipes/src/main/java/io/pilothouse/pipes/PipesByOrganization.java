package io.pilothouse.pipes;

import io.pilothouse.core.pipe.Pipe;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The ids of some pipes, by their organizations. Safe for many threads. */
final class PipesByOrganization {
    private final Map<UUID, Set<UUID>> ids = new ConcurrentHashMap<>();

    void add(Pipe pipe) {
        ids.compute(pipe.organizationId(), (_, known) -> {
            Set<UUID> all = known == null ? ConcurrentHashMap.newKeySet() : known;
            all.add(pipe.id());
            return all;
        });
    }

    void remove(Pipe pipe) {
        ids.computeIfPresent(pipe.organizationId(), (_, known) -> {
            known.remove(pipe.id());
            return known.isEmpty() ? null : known;
        });
    }

    Set<UUID> of(UUID organization) {
        return ids.getOrDefault(organization, Set.of());
    }
}
