package io.pilothouse.core.scaling;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scaling fields of a request as they were read: null is "not given". */
public record ScalingDraft(
        @Nullable Double minTotalMemoryGb,
        @Nullable Double maxTotalMemoryGb,
        @Nullable Double minReplicaMemoryGb,
        @Nullable Double maxReplicaMemoryGb,
        @Nullable Double numReplicas,
        @Nullable String autoscalingMode,
        @Nullable Double minReplicas,
        @Nullable Double maxReplicas,
        @Nullable Boolean idleScaling,
        @Nullable Double idleTimeoutMinutes) {

    /** The names of the given fields that set a size, which a service of fixed size does not take. */
    public List<String> sizesGiven() {
        List<String> given = new ArrayList<>();
        addIf(minTotalMemoryGb, "minTotalMemoryGb", given);
        addIf(maxTotalMemoryGb, "maxTotalMemoryGb", given);
        addIf(minReplicaMemoryGb, "minReplicaMemoryGb", given);
        addIf(maxReplicaMemoryGb, "maxReplicaMemoryGb", given);
        addIf(numReplicas, "numReplicas", given);
        addIf(minReplicas, "minReplicas", given);
        addIf(maxReplicas, "maxReplicas", given);
        return given;
    }

    private static void addIf(@Nullable Object value, String name, List<String> given) {
        if (value != null) {
            given.add(name);
        }
    }
}
