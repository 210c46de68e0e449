package io.pilothouse.core.scaling;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides what scaling a request asks for, by the rule book; pure, and one use for one request. */
public final class ScalingRules {
    /** The surroundings of the service that is scaled. */
    public record Setting(
            Organization organization,
            boolean firstInWarehouse,
            boolean development,
            @Nullable String byocId) {}

    private static final int DEFAULT_MIN_GB = 8;
    private static final int DEFAULT_MAX_GB = 120;
    private static final int DEFAULT_REPLICAS = 3;
    private static final int DEFAULT_IDLE_MINUTES = 15;
    /** A development service is as small as a service can be. */
    private static final Scaling DEVELOPMENT =
            new Scaling(DEFAULT_MIN_GB, DEFAULT_MIN_GB, 1, null, true, DEFAULT_IDLE_MINUTES);

    private final RuleBook rules;
    private final Setting setting;
    private final Faults faults;

    public ScalingRules(RuleBook rules, Setting setting, Faults faults) {
        this.rules = rules;
        this.setting = setting;
        this.faults = faults;
    }

    /** The scaling of a new service. */
    public Scaling create(ScalingDraft draft) {
        boolean basic = setting.organization().tier() == OrganizationTier.BASIC;
        Scaling defaults = setting.development()
                ? DEVELOPMENT
                : new Scaling(
                        DEFAULT_MIN_GB, DEFAULT_MAX_GB, basic ? 1 : DEFAULT_REPLICAS, null, true, DEFAULT_IDLE_MINUTES);
        if (setting.byocId() != null) {
            requireGiven("minReplicaMemoryGb", draft.minReplicaMemoryGb());
            requireGiven("maxReplicaMemoryGb", draft.maxReplicaMemoryGb());
        }
        return resolve(draft, defaults, true);
    }

    /** Makes the checks that need no service, so that a bad request is refused before anything is looked up. */
    public static void checkRanges(ScalingDraft draft, Faults faults) {
        RuleBook.TOTAL_MEMORY_GB.check("minTotalMemoryGb", draft.minTotalMemoryGb(), faults);
        RuleBook.TOTAL_MEMORY_GB.check("maxTotalMemoryGb", draft.maxTotalMemoryGb(), faults);
        RuleBook.REPLICA_MEMORY_GB.check("minReplicaMemoryGb", draft.minReplicaMemoryGb(), faults);
        RuleBook.REPLICA_MEMORY_GB.check("maxReplicaMemoryGb", draft.maxReplicaMemoryGb(), faults);
        RuleBook.REPLICAS.check("numReplicas", draft.numReplicas(), faults);
        RuleBook.REPLICAS.check("minReplicas", draft.minReplicas(), faults);
        RuleBook.REPLICAS.check("maxReplicas", draft.maxReplicas(), faults);
        RuleBook.IDLE_TIMEOUT_MINUTES.check("idleTimeoutMinutes", draft.idleTimeoutMinutes(), faults);
        RuleBook.AUTOSCALING_MODES.check("autoscalingMode", draft.autoscalingMode(), faults);
    }

    /** The scaling of a service that has one: absent fields stay. */
    public Scaling change(ScalingDraft draft, Scaling current) {
        return resolve(draft, current, false);
    }

    private Scaling resolve(ScalingDraft draft, Scaling base, boolean mayMoveBase) {
        boolean idleScaling = draft.idleScaling() == null ? base.idleScaling() : draft.idleScaling();
        long idleMinutes = kept("idleTimeoutMinutes", draft.idleTimeoutMinutes(), RuleBook.IDLE_TIMEOUT_MINUTES)
                .map(Double::longValue)
                .orElse(base.idleTimeoutMinutes());
        if (setting.development()) {
            draft.sizesGiven()
                    .forEach(
                            field -> faults.add(field, "cannot be set for a development service, whose size is fixed"));
            return new Scaling(
                    base.minReplicaMemoryGb(),
                    base.maxReplicaMemoryGb(),
                    base.numReplicas(),
                    null,
                    idleScaling,
                    idleMinutes);
        }
        Optional<Integer> givenMin = memory("min", draft.minReplicaMemoryGb(), draft.minTotalMemoryGb());
        Optional<Integer> givenMax = memory("max", draft.maxReplicaMemoryGb(), draft.maxTotalMemoryGb());
        int min = givenMin.orElse(base.minReplicaMemoryGb());
        int max = givenMax.orElse(base.maxReplicaMemoryGb());
        if (mayMoveBase && givenMax.isEmpty()) {
            max = Math.max(max, min);
        }
        if (mayMoveBase && givenMin.isEmpty()) {
            min = Math.min(min, max);
        }
        if (min > max && !faults.has("minReplicaMemoryGb") && !faults.has("maxReplicaMemoryGb")) {
            String named = draft.minTotalMemoryGb() == null ? "minReplicaMemoryGb" : "minTotalMemoryGb";
            faults.add(named, "must not be above the maximum");
        }
        return replicas(draft, base, min, max, idleScaling, idleMinutes);
    }

    private Scaling replicas(
            ScalingDraft draft, Scaling base, int minGb, int maxGb, boolean idleScaling, long idleMinutes) {
        Optional<Integer> count = replicaCount("numReplicas", draft.numReplicas());
        String mode = draft.autoscalingMode();
        RuleBook.AUTOSCALING_MODES.check("autoscalingMode", mode, faults);
        // A service that has a band keeps the end that a change does not name.
        Scaling.Band kept = "vertical".equals(mode) ? null : base.band();
        boolean oneEnd = draft.minReplicas() == null != (draft.maxReplicas() == null);
        Optional<Integer> low = replicaCount("minReplicas", draft.minReplicas());
        Optional<Integer> high = replicaCount("maxReplicas", draft.maxReplicas());
        if (oneEnd && kept != null) {
            low = low.or(() -> Optional.of(kept.minReplicas()));
            high = high.or(() -> Optional.of(kept.maxReplicas()));
        }
        if (oneEnd && kept == null) {
            faults.add(draft.minReplicas() == null ? "minReplicas" : "maxReplicas", "is needed beside the other end");
        }
        if (draft.numReplicas() != null && draft.minReplicas() != null) {
            faults.add("numReplicas", "cannot be given together with minReplicas and maxReplicas");
        }
        Scaling.Band band = band(mode, low, high, base);
        if (band == null) {
            return new Scaling(minGb, maxGb, count.orElse(base.numReplicas()), null, idleScaling, idleMinutes);
        }
        // A band of one size is another way to say a fixed count, unless it is to scale.
        if (band.minReplicas() == band.maxReplicas() && !"horizontal".equals(mode)) {
            return new Scaling(minGb, maxGb, band.minReplicas(), null, idleScaling, idleMinutes);
        }
        if (minGb != maxGb && !faults.has("minReplicaMemoryGb") && !faults.has("maxReplicaMemoryGb")) {
            faults.add("minReplicaMemoryGb", "must equal maxReplicaMemoryGb when replicas scale horizontally");
        }
        return new Scaling(minGb, maxGb, band.minReplicas(), band, idleScaling, idleMinutes);
    }

    private Scaling.@Nullable Band band(
            @Nullable String mode, Optional<Integer> low, Optional<Integer> high, Scaling base) {
        if (low.isPresent() && high.isPresent()) {
            if (low.get() > high.get()) {
                faults.add("minReplicas", "must not be above maxReplicas");
            }
            if ("vertical".equals(mode) && !low.get().equals(high.get())) {
                faults.add("autoscalingMode", "must be horizontal when minReplicas and maxReplicas differ");
            }
            return new Scaling.Band(low.get(), high.get());
        }
        if ("horizontal".equals(mode)
                && base.band() == null
                && !faults.has("minReplicas")
                && !faults.has("maxReplicas")) {
            faults.add("minReplicas", "and maxReplicas are needed when replicas scale horizontally");
        }
        return "vertical".equals(mode) ? null : base.band();
    }

    private Optional<Integer> replicaCount(String path, @Nullable Double value) {
        Optional<Integer> count = number(path, value, RuleBook.REPLICAS);
        count.ifPresent(replicas -> {
            boolean basic = setting.organization().tier() == OrganizationTier.BASIC && rules.organizationTiersLimit();
            if (basic && replicas != 1) {
                faults.add(path, "must be 1 in an organization of the BASIC tier");
            } else if (!basic && setting.firstInWarehouse() && replicas < rules.firstServiceReplicas()) {
                faults.add(
                        path,
                        "must be " + rules.firstServiceReplicas() + " or more for the first service of a warehouse");
            }
        });
        return count;
    }

    /** One end of the memory range: per replica, or a total that must say the same. */
    private Optional<Integer> memory(String end, @Nullable Double perReplica, @Nullable Double total) {
        String replicaPath = end + "ReplicaMemoryGb";
        String totalPath = end + "TotalMemoryGb";
        Optional<Integer> replica = number(replicaPath, perReplica, RuleBook.REPLICA_MEMORY_GB);
        Optional<Integer> ofTotal =
                number(totalPath, total, RuleBook.TOTAL_MEMORY_GB).map(gb -> gb / Scaling.WORKERS_IN_A_TOTAL);
        if (replica.isPresent() && ofTotal.isPresent() && !replica.equals(ofTotal)) {
            faults.add(totalPath, "must be three times " + replicaPath + ", or be left out");
        }
        replica.ifPresent(gb -> requireSize(replicaPath, gb, 1));
        ofTotal.ifPresent(gb -> requireSize(totalPath, gb, Scaling.WORKERS_IN_A_TOTAL));
        return replica.or(() -> ofTotal);
    }

    private void requireSize(String path, int replicaGb, int factor) {
        if (!setting.organization().paid() && replicaGb > RuleBook.MAX_UNPAID_REPLICA_MEMORY_GB) {
            faults.add(
                    path,
                    "must be at most " + RuleBook.MAX_UNPAID_REPLICA_MEMORY_GB * factor
                            + " in an organization that is not paid");
        }
        if (setting.byocId() != null
                && !RuleBook.BYOC_REPLICA_MEMORY_GB.numbers().contains(replicaGb)) {
            String sizes = String.join(
                    ", ",
                    RuleBook.BYOC_REPLICA_MEMORY_GB.numbers().stream()
                            .map(gb -> Integer.toString(gb * factor))
                            .toList());
            faults.add(path, "must be one of " + sizes + " with byocId");
        }
    }

    private Optional<Integer> number(String path, @Nullable Double value, NumberRule rule) {
        return kept(path, value, rule).map(Double::intValue);
    }

    /** The number if there is one and it keeps the rule. */
    private Optional<Double> kept(String path, @Nullable Double value, NumberRule rule) {
        if (value == null) {
            return Optional.empty();
        }
        Optional<String> breach = rule.breach(value);
        breach.ifPresent(message -> faults.add(path, message));
        return breach.isPresent() ? Optional.empty() : Optional.of(value);
    }

    private void requireGiven(String path, @Nullable Object value) {
        if (value == null && !faults.has(path)) {
            faults.add(path, "is required with byocId");
        }
    }
}
