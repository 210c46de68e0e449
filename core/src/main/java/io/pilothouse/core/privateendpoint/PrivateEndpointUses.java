package io.pilothouse.core.privateendpoint;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.util.List;
import java.util.UUID;

/** Keeps the index from private endpoints to the services that have them, in the transactions that change services. */
final class PrivateEndpointUses {
    private static final int PAGE = 200;

    private PrivateEndpointUses() {}

    /** Brings the index from what a service had to what it has. */
    static void follow(Tables tables, Service before, Service after) {
        List<String> had = before.access().privateEndpointIds();
        List<String> has = after.access().privateEndpointIds();
        if (had.equals(has)) {
            return;
        }
        had.stream().filter(id -> !has.contains(id)).forEach(id -> remove(tables, before, id));
        has.stream()
                .filter(id -> !had.contains(id))
                .forEach(id ->
                        tables.of(PrivateEndpointUse.KIND).insert(PrivateEndpointUse.of(after, id, after.createdAt())));
    }

    static void remove(Tables tables, Service service, String endpointId) {
        tables.of(PrivateEndpointUse.KIND)
                .find(PrivateEndpointUse.idOf(service.id(), endpointId))
                .ifPresent(use -> tables.of(PrivateEndpointUse.KIND).delete(use.id(), use.version()));
    }

    /** Some of the services of an organization that have this endpoint; empty once none has. */
    static List<Service> some(Tables tables, UUID organizationId, String endpointId) {
        return tables
                .of(PrivateEndpointUse.KIND)
                .listByReference(PrivateEndpointUse.reference(organizationId, endpointId), PAGE)
                .stream()
                .map(use -> tables.of(Service.KIND).find(use.serviceId()).orElseThrow())
                .toList();
    }
}
