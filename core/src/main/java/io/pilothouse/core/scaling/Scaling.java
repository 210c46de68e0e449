package io.pilothouse.core.scaling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How large a service may be and when it may sleep; {@code band} is given exactly when replicas scale horizontally. */
public record Scaling(
        int minReplicaMemoryGb,
        int maxReplicaMemoryGb,
        int numReplicas,
        @Nullable Band band,
        boolean idleScaling,
        long idleTimeoutMinutes) {

    /** The replica counts between which a horizontally scaled service moves. */
    public record Band(int minReplicas, int maxReplicas) {}

    /** The contract's totals speak of three workers, whatever the replica count is. */
    public static final int WORKERS_IN_A_TOTAL = 3;

    /** The differences from another scaling, as the types of activities. */
    public List<String> differences(Scaling other) {
        List<String> types = new ArrayList<>();
        if (minReplicaMemoryGb != other.minReplicaMemoryGb || maxReplicaMemoryGb != other.maxReplicaMemoryGb) {
            types.add("service_update_autoscaling_memory");
        }
        if (numReplicas != other.numReplicas || !Objects.equals(band, other.band)) {
            types.add("service_update_autoscaling_replicas");
        }
        if (idleScaling != other.idleScaling || idleTimeoutMinutes != other.idleTimeoutMinutes) {
            types.add("service_update_autoscaling_idling");
        }
        return types;
    }

    public Scaling withReplicasOfAtMost(int gb) {
        return new Scaling(
                Math.min(minReplicaMemoryGb, gb),
                Math.min(maxReplicaMemoryGb, gb),
                numReplicas,
                band,
                idleScaling,
                idleTimeoutMinutes);
    }

    /** May be longer than any time to come, and is then never over. */
    public Duration idleTimeout() {
        return Duration.ofMinutes(idleTimeoutMinutes);
    }

    public int minTotalMemoryGb() {
        return minReplicaMemoryGb * WORKERS_IN_A_TOTAL;
    }

    public int maxTotalMemoryGb() {
        return maxReplicaMemoryGb * WORKERS_IN_A_TOTAL;
    }

    public int lowestReplicas() {
        return band == null ? numReplicas : band.minReplicas();
    }

    public int highestReplicas() {
        return band == null ? numReplicas : band.maxReplicas();
    }

    public String autoscalingMode() {
        return band == null ? "vertical" : "horizontal";
    }
}
