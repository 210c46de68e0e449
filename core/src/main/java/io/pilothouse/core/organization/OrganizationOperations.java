package io.pilothouse.core.organization;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The operations on organizations; a caller only ever sees its own. */
public final class OrganizationOperations {
    private final Store store;
    private final Clock clock;
    private final ApiKeyMaker keys;
    private final List<OrganizationFollower> followers;
    private final ActivityLog log;

    public OrganizationOperations(Store store, Clock clock, ApiKeyMaker keys, List<OrganizationFollower> followers) {
        this.store = store;
        this.clock = clock;
        this.keys = keys;
        this.followers = List.copyOf(followers);
        this.log = new ActivityLog(clock);
    }

    public Organization get(Permit permit) {
        return store.read(tables -> get(tables, permit.organizationId()));
    }

    public static Organization get(Tables tables, UUID id) {
        return tables.of(Organization.KIND).find(id).orElseThrow(() -> Refused.notFound("Organization"));
    }

    public Prepared<NewOrganization> create(Permit permit, OrganizationDraft draft, Faults faults) {
        OrganizationRules check = new OrganizationRules(faults);
        if (draft.name() == null && !faults.has("name")) {
            faults.add("name", "is required");
        } else if (draft.name() != null) {
            check.checkName(draft.name());
        }
        OrganizationTier tier = draft.tier() == null ? OrganizationTier.ENTERPRISE : check.tier(draft.tier());
        List<Organization.Byoc> byocConfig = draft.byocConfig() == null ? List.of() : draft.byocConfig();
        check.checkByoc(byocConfig);
        faults.refuseIfAny();
        Organization wanted = new Organization(
                Head.own(RowIds.at(clock.now()), clock.now()),
                draft.name() == null ? "" : draft.name(),
                tier,
                draft.paid() == null || draft.paid(),
                false,
                List.of(),
                byocConfig);
        ApiKeyCreated key = keys.make(wanted.id(), "Admin of " + wanted.name(), List.of(Role.ADMIN));
        return tables -> {
            Organization made = tables.of(Organization.KIND).insert(wanted);
            ApiKeyCreated kept =
                    new ApiKeyCreated(tables.of(ApiKey.KIND).insert(key.key()), key.keyId(), key.keySecret());
            followers.forEach(each -> each.made(tables, made, made.createdAt()));
            log.add(tables, permit, "create_organization", null, made.id(), FieldChange.made("name", made.name()));
            return new NewOrganization(made, kept);
        };
    }

    public Organization update(
            Permit permit, OrganizationChange change, Precondition<Organization> precondition, Faults faults) {
        if (change.name() != null) {
            new OrganizationRules(faults).checkName(change.name());
        }
        if (change.privateEndpoints() != null) {
            new OrganizationRules(faults).change(List.of(), change.privateEndpoints());
        }
        faults.refuseIfAny();
        return store.write(tables -> {
            Organization current = get(tables, permit.organizationId());
            precondition.require(() -> current);
            Organization next = changed(current, change);
            if (next.equals(current)) {
                return current;
            }
            List<FieldChange> changes = precondition.changes(current, next);
            if (!next.name().equals(current.name())) {
                log.add(tables, permit, "organization_update_name", null, current.id(), changes);
            }
            if (next.enableCoreDumps() != current.enableCoreDumps()) {
                log.add(tables, permit, "organization_update_core_dump", null, current.id(), changes);
            }
            if (!next.showsEndpointsOf(current)) {
                log.add(tables, permit, "organization_update_private_endpoints", null, current.id(), changes);
                Set<String> removed = removed(current, next);
                followers.forEach(each -> each.endpointsRemoved(tables, permit, removed));
            }
            return tables.of(Organization.KIND).replace(next, current.version()).orElseThrow();
        });
    }

    private Organization changed(Organization current, OrganizationChange change) {
        Faults late = new Faults();
        ListChange<PrivateEndpoint> endpoints = change.privateEndpoints();
        Organization next = current.withDetails(
                change.name() == null ? current.name() : change.name(),
                change.enableCoreDumps() == null ? current.enableCoreDumps() : change.enableCoreDumps(),
                endpoints == null
                        ? current.privateEndpoints()
                        : new OrganizationRules(late).change(current.privateEndpoints(), endpoints));
        late.refuseIfAny();
        return next;
    }

    private static Set<String> removed(Organization before, Organization after) {
        Set<String> ids = new HashSet<>();
        before.privateEndpoints().forEach(endpoint -> ids.add(endpoint.id()));
        after.privateEndpoints().forEach(endpoint -> ids.remove(endpoint.id()));
        return ids;
    }
}
