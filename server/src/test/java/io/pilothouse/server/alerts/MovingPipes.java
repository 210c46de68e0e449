package io.pilothouse.server.alerts;

import io.pilothouse.core.pipe.progress.PipeFigures;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.pipe.progress.PipeProgress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Pipes whose workers have reported what a test says. */
final class MovingPipes implements PipeProgress {
    private final Map<UUID, PipeFigures> pipes = new LinkedHashMap<>();

    void put(PipeFigures figures) {
        pipes.put(figures.pipe().id(), figures);
    }

    void stop(UUID pipeId) {
        pipes.remove(pipeId);
    }

    @Override
    public Optional<PipeFigures> find(UUID pipeId) {
        return Optional.ofNullable(pipes.get(pipeId));
    }

    @Override
    public List<PipeFigures> ofOrganization(UUID organizationId, int limit) {
        return pipes.values().stream()
                .filter(one -> one.pipe().organizationId().equals(organizationId))
                .limit(limit)
                .toList();
    }

    @Override
    public List<PipeFigures> all() {
        return List.copyOf(pipes.values());
    }

    @Override
    public Map<String, PartLag> lags(UUID pipeId) {
        return Map.of();
    }

    @Override
    public void forgetLags(UUID pipeId) {
        // There are none.
    }
}
