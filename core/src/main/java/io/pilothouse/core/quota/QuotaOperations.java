package io.pilothouse.core.quota;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** What an organization may learn of its quotas: those that the server has a limit for. */
public final class QuotaOperations {
    private final Store store;
    private final Map<Quota, Integer> limits;

    public QuotaOperations(Store store, Map<Quota, Integer> limits) {
        this.store = store;
        this.limits = Map.copyOf(limits);
    }

    public List<QuotaView> list(Permit permit) {
        return store.read(tables -> Stream.of(Quota.values())
                .filter(limits::containsKey)
                .map(quota -> view(tables, permit.organizationId(), quota))
                .toList());
    }

    public QuotaView get(Permit permit, String code) {
        Quota quota = Quota.find(code).filter(limits::containsKey).orElseThrow(() -> Refused.notFound("Quota"));
        return store.read(tables -> view(tables, permit.organizationId(), quota));
    }

    private QuotaView view(Tables tables, UUID organizationId, Quota quota) {
        Long usage = switch (quota) {
            case SERVICES -> tables.of(Service.KIND).count(organizationId);
            // Every warehouse has its own.
            case REPLICAS -> null;
        };
        return new QuotaView(quota, limits.getOrDefault(quota, 0), usage);
    }
}
