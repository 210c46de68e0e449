package io.pilothouse.core.privateendpoint;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.WordRule;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationFollower;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceChange;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServiceUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The verbs of private endpoints: what a service has, its organization has too. */
public final class PrivateEndpointOperations implements OrganizationFollower {
    private final Store store;
    private final Clock clock;
    private final RuleBook rules;
    private final Addresses addresses;
    private final Wake wake;
    private final ActivityLog log;

    public PrivateEndpointOperations(Store store, Clock clock, RuleBook rules, Addresses addresses, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.addresses = addresses;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    /** The data to set up a private endpoint with: names that follow from the service and so never change. */
    public PrivateEndpointConfig config(Permit permit, UUID serviceId) {
        Service service = store.read(tables -> ServiceOperations.get(tables, permit, serviceId));
        return new PrivateEndpointConfig(
                "pilothouse:" + service.organizationId() + ":endpoint-service/" + service.id(),
                addresses.host(service));
    }

    /** What a private endpoint in a region is set up with; the answer is derived, so that it never changes. */
    public String endpointServiceId(Permit permit, @Nullable String provider, @Nullable String region, Faults faults) {
        require("cloud_provider", provider, RuleBook.PROVIDERS, faults);
        require("region_id", region, provider == null ? rules.regions() : rules.regionsOf(provider), faults);
        faults.refuseIfAny();
        return "pilothouse:" + permit.organizationId() + ":endpoint-service/" + provider + "/" + region;
    }

    private static void require(String name, @Nullable String value, WordRule words, Faults faults) {
        if (value == null || value.isEmpty()) {
            if (!faults.has(name)) {
                faults.add(name, "is required");
            }
        } else if (!words.words().isEmpty()) {
            words.check(name, value, faults);
        }
    }

    /** Registers an endpoint on the service and, as what it may then be given, on its organization. */
    public Prepared<PrivateEndpoint> create(
            Permit permit, UUID serviceId, @Nullable String id, @Nullable String description, Faults faults) {
        AccessRules check = new AccessRules(faults);
        if (id != null) {
            check.checkIdentifier("id", id);
        } else if (!faults.has("id")) {
            faults.add("id", "is required");
        }
        check.checkDescription("description", description);
        faults.refuseIfAny();
        String endpointId = id == null ? "" : id;
        return tables -> {
            Service current = ServiceOperations.get(tables, permit, serviceId);
            ServiceOperations.requireLasting(current);
            Organization organization = OrganizationOperations.get(tables, permit.organizationId());
            Faults late = new Faults();
            ServiceChange change = new ServiceChange(
                    null,
                    null,
                    new ListChange<>(List.of(endpointId), List.of()),
                    null,
                    null,
                    null,
                    null,
                    Tree.Members.NONE);
            ServiceUpdate update = ServiceUpdate.of(current, change, late);
            late.refuseIfAny();
            List<PrivateEndpoint> added =
                    List.of(PrivateEndpointsOfService.endpoint(current, endpointId, description, false));
            PrivateEndpointsOfService.requireReach(organization, current, added, "id");
            Organization known = PrivateEndpointsOfService.register(tables, organization, added);
            boolean changed = !known.showsEndpointsOf(organization);
            if (!update.activityTypes().isEmpty()) {
                replace(tables, update.next(), current);
                tables.tasks().wake(Tasks.Kind.SERVICE, serviceId, Tasks.Urgency.CHANGED, clock.now());
                tables.afterCommit(wake::nudge);
                changed = true;
            }
            if (changed) {
                List<FieldChange> seen = PrivateEndpointsOfService.changes(current, update.next());
                log.add(tables, permit, "service_update_private_endpoints", serviceId, serviceId, seen);
            }
            return known.privateEndpoints().stream()
                    .filter(endpoint -> endpoint.id().equals(endpointId))
                    .findFirst()
                    .orElseThrow();
        };
    }

    @Override
    public void endpointsRemoved(Tables tables, Permit permit, Set<String> endpointIds) {
        for (String endpointId : endpointIds) {
            List<Service> services = PrivateEndpointUses.some(tables, permit.organizationId(), endpointId);
            while (!services.isEmpty()) {
                for (Service service : services) {
                    Access access = service.access();
                    List<String> kept = new ArrayList<>(access.privateEndpointIds());
                    kept.removeAll(endpointIds);
                    Access less = new Access(access.ipAccessList(), kept, access.mysql(), access.ports());
                    Service next = service.withAccess(less);
                    replace(tables, next, service);
                    List<FieldChange> seen = PrivateEndpointsOfService.changes(service, next);
                    log.add(tables, permit, "service_update_private_endpoints", service.id(), service.id(), seen);
                }
                services = PrivateEndpointUses.some(tables, permit.organizationId(), endpointId);
            }
        }
    }

    /** The services here are changed by private endpoints alone, so no other follower need hear of it. */
    private static void replace(Tables tables, Service next, Service current) {
        PrivateEndpointUses.follow(tables, current, next);
        ServiceOperations.replace(tables, next, current);
    }
}
