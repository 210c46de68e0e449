package io.pilothouse.core.privateendpoint;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
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
        Organization organization = OrganizationOperations.get(tables, after.organizationId());
        List<PrivateEndpoint> added = after.access().privateEndpointIds().stream()
                .filter(id -> !before.access().privateEndpointIds().contains(id))
                .map(id -> endpoint(after, id, null, true))
                .toList();
        requireReach(organization, after, added, "privateEndpointIds.add");
        Organization known = register(tables, organization, added);
        List<String> lost = new ArrayList<>(before.access().privateEndpointIds());
        lost.removeAll(after.access().privateEndpointIds());
        Organization next = leave(tables, known, lost);
        if (!next.showsEndpointsOf(organization)) {
            List<FieldChange> changes = FieldChange.between(shown(organization), shown(next));
            log.add(tables, permit, "organization_update_private_endpoints", null, organization.id(), changes);
        }
    }

    private static Tree.Members shown(Organization organization) {
        List<Tree> endpoints = organization.privateEndpoints().stream()
                .<Tree>map(PrivateEndpoint::tree)
                .toList();
        return Tree.Members.NONE.with("privateEndpoints", new Tree.Items(endpoints));
    }

    /** What of a service differs where its private endpoints do. */
    static List<FieldChange> changes(Service before, Service after) {
        return FieldChange.between(shown(before), shown(after));
    }

    private static Tree.Members shown(Service service) {
        return Tree.Members.NONE.with(
                "privateEndpointIds", Tree.Items.texts(service.access().privateEndpointIds()));
    }

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        List<String> lost = service.access().privateEndpointIds();
        if (lost.isEmpty()) {
            return;
        }
        lost.forEach(id -> PrivateEndpointUses.remove(tables, service, id));
        leave(tables, OrganizationOperations.get(tables, service.organizationId()), lost);
    }

    /** The organization without those of these that were there by their use alone, which has ended. */
    private static Organization leave(Tables tables, Organization organization, List<String> lost) {
        List<PrivateEndpoint> kept = organization.privateEndpoints().stream()
                .filter(endpoint -> !endpoint.byUse()
                        || !lost.contains(endpoint.id())
                        || !PrivateEndpointUses.some(tables, organization.id(), endpoint.id())
                                .isEmpty())
                .toList();
        return replaced(tables, organization, kept);
    }

    /** Refuses endpoints of another place: no byte could ever go through one. */
    static void requireReach(Organization organization, Service service, List<PrivateEndpoint> added, String path) {
        Faults faults = new Faults();
        for (PrivateEndpoint endpoint : added) {
            organization.privateEndpoints().stream()
                    .filter(known -> known.id().equals(endpoint.id()))
                    .filter(known -> !known.reaches(
                            service.placement().provider(), service.placement().region()))
                    .forEach(known -> faults.add(
                            path,
                            known.id() + " is in " + known.cloudProvider() + " " + known.region()
                                    + ", and the service is not"));
        }
        faults.refuseIfAny();
    }

    static PrivateEndpoint endpoint(Service service, String id, @Nullable String description, boolean byUse) {
        return new PrivateEndpoint(
                id,
                description,
                service.placement().provider(),
                service.placement().region(),
                byUse);
    }

    /** The organization as it is with these. */
    static Organization register(Tables tables, Organization organization, List<PrivateEndpoint> added) {
        List<PrivateEndpoint> endpoints = new ArrayList<>(organization.privateEndpoints());
        added.forEach(endpoint -> OrganizationRules.register(endpoints, endpoint));
        if (endpoints.size() > RuleBook.LIST.max()
                && endpoints.size() > organization.privateEndpoints().size()) {
            throw Refused.badRequest(
                    "privateEndpointIds", "would make more than " + RuleBook.LIST.max() + " in the organization");
        }
        return replaced(tables, organization, endpoints);
    }

    private static Organization replaced(Tables tables, Organization organization, List<PrivateEndpoint> endpoints) {
        if (endpoints.equals(organization.privateEndpoints())) {
            return organization;
        }
        Organization next = organization.withPrivateEndpoints(endpoints);
        return tables.of(Organization.KIND)
                .replace(next, organization.version())
                .orElseThrow();
    }
}
