package io.pilothouse.core.quota;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.util.Map;
import java.util.UUID;

/**
 * Refuses services, and replicas of them, that a quota has no room for: in the transaction that would make them, so
 * that two cannot both take the last place. Where nothing is limited, nothing is counted.
 */
public final class QuotasOfService implements ServiceFollower {
    private final Map<Quota, Integer> limits;

    public QuotasOfService(Map<Quota, Integer> limits) {
        this.limits = Map.copyOf(limits);
    }

    @Override
    public void made(Tables tables, Service service) {
        Integer most = limits.get(Quota.SERVICES);
        if (most != null) {
            long services = tables.of(Service.KIND).count(service.organizationId());
            if (services >= most) {
                throw refused(Quota.SERVICES, "an organization has at most " + most + " services, and has " + services);
            }
        }
        requireReplicas(tables, service, 0, service.scaling().highestReplicas());
    }

    @Override
    public void sized(Tables tables, Service before, Service after) {
        if (limits.containsKey(Quota.REPLICAS)) {
            requireReplicas(
                    tables,
                    after,
                    ScalingSchedule.highestReplicas(tables, before),
                    ScalingSchedule.highestReplicas(tables, after));
        }
    }

    /** Refuses more replicas than there is room for; fewer than before are always welcome. */
    public void requireReplicas(Tables tables, Service service, int before, int wanted) {
        Integer most = limits.get(Quota.REPLICAS);
        if (most == null || wanted <= before) {
            return;
        }
        int others = replicasOfOthers(tables, service.warehouse().id(), service.id());
        if (others + wanted > most) {
            throw refused(
                    Quota.REPLICAS,
                    "the services of a warehouse have at most " + most + " replicas together, " + others
                            + " are those of its other services, and this one would have up to " + wanted);
        }
    }

    private static int replicasOfOthers(Tables tables, UUID warehouseId, UUID serviceId) {
        return tables
                .of(Service.KIND)
                .listByReference(warehouseId.toString(), RuleBook.MAX_SERVICES_OF_A_WAREHOUSE)
                .stream()
                .filter(other -> !other.id().equals(serviceId))
                .mapToInt(other -> ScalingSchedule.highestReplicas(tables, other))
                .sum();
    }

    private static Refused refused(Quota quota, String why) {
        return new Refused(Refused.Reason.CONFLICT, "The quota " + quota.code() + " is used up: " + why);
    }
}
