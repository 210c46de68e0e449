package io.pilothouse.core.pipe.progress;

import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the pipes that run here have counted, and how large the slots of others are. It answers from the memory of this process: no source, no database and no
 * row of the store is asked. Safe for many threads.
 */
public interface PipeProgress {
    /** Where nothing moves data. */
    PipeProgress NONE = new PipeProgress() {
        @Override
        public Optional<PipeFigures> find(UUID pipeId) {
            return Optional.empty();
        }

        @Override
        public List<PipeFigures> ofOrganization(UUID organizationId, int limit) {
            return List.of();
        }

        @Override
        public List<PipeFigures> all() {
            return List.of();
        }

        @Override
        public Map<String, PartLag> lags(UUID pipeId) {
            return Map.of();
        }

        @Override
        public void forgetLags(UUID pipeId) {
            // There are none.
        }
    };

    /** Empty for a pipe of which nothing is known, as of most that do not run. */
    Optional<PipeFigures> find(UUID pipeId);

    /** Those of one organization, up to this limit. */
    List<PipeFigures> ofOrganization(UUID organizationId, int limit);

    /** All of them: those that have workers, and those that stand still and have a slot. */
    List<PipeFigures> all();

    /** What a worker last reported of each part of the source, also of a pipe that was stopped since. */
    Map<String, PartLag> lags(UUID pipeId);

    /** The pipe is to read on from elsewhere: what was reported of it says nothing any more. */
    void forgetLags(UUID pipeId);
}
