package io.pilothouse.core.domain;

import org.jspecify.annotations.Nullable;

/** How large a service may be and when it may sleep; {@code band} is given exactly when replicas scale horizontally. */
public record Scaling(
        int minReplicaMemoryGb,
        int maxReplicaMemoryGb,
        int numReplicas,
        @Nullable Band band,
        boolean idleScaling,
        int idleTimeoutMinutes) {

    /** The replica counts between which a horizontally scaled service moves. */
    public record Band(int minReplicas, int maxReplicas) {}

    /** The contract's totals speak of three workers, whatever the replica count is. */
    public static final int WORKERS_IN_A_TOTAL = 3;

    public int minTotalMemoryGb() {
        return minReplicaMemoryGb * WORKERS_IN_A_TOTAL;
    }

    public int maxTotalMemoryGb() {
        return maxReplicaMemoryGb * WORKERS_IN_A_TOTAL;
    }

    public String autoscalingMode() {
        return band == null ? "vertical" : "horizontal";
    }
}
