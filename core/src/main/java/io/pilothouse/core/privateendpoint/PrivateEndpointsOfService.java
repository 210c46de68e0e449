package io.pilothouse.core.privateendpoint;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.organization.OrganizationRules;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The organization and the index of uses follow the private endpoints that a service is given or loses. */
public final class PrivateEndpointsOfService implements ServiceFollower {
    private final ActivityLog log;

    public PrivateEndpointsOfService(Clock clock) {
        this.log = new ActivityLog(clock);
    }

    @Override
    public void updated(Tables tables, Permit permit, Service before, Service after) {
        PrivateEndpointUses.follow(tables, before, after);
        List<PrivateEndpoint> added = after.access().privateEndpointIds().stream()
                .filter(id -> !before.access().privateEndpointIds().contains(id))
                .map(id -> endpoint(after, id, null))
                .toList();
        if (!added.isEmpty()) {
            Organization organization = OrganizationOperations.get(tables, after.organizationId());
            if (!register(tables, organization, added).equals(organization)) {
                log.add(tables, permit, "organization_update_private_endpoints", null, organization.id());
            }
        }
    }

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        service.access().privateEndpointIds().forEach(id -> PrivateEndpointUses.remove(tables, service, id));
    }

    static PrivateEndpoint endpoint(Service service, String id, @Nullable String description) {
        return new PrivateEndpoint(
                id,
                description,
                service.placement().provider(),
                service.placement().region());
    }

    /** The organization as it is with these. */
    static Organization register(Tables tables, Organization organization, List<PrivateEndpoint> added) {
        List<PrivateEndpoint> endpoints = new ArrayList<>(organization.privateEndpoints());
        added.forEach(endpoint -> OrganizationRules.register(endpoints, endpoint));
        if (endpoints.equals(organization.privateEndpoints())) {
            return organization;
        }
        if (endpoints.size() > RuleBook.LIST.max()) {
            throw Refused.badRequest(
                    "privateEndpointIds", "would make more than " + RuleBook.LIST.max() + " in the organization");
        }
        Organization next = organization.withPrivateEndpoints(endpoints);
        return tables.of(Organization.KIND)
                .replace(next, organization.version())
                .orElseThrow();
    }
}
