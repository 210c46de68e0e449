package io.pilothouse.core.key;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Admins;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on keys. A key can neither delete nor disable itself, nor give or take a role above its own. */
public final class ApiKeyOperations {
    private final Store store;
    private final ApiKeyMaker maker;
    private final Admins admins;
    private final ActivityLog log;

    public ApiKeyOperations(Store store, Clock clock, ApiKeyMaker maker, Admins admins) {
        this.store = store;
        this.maker = maker;
        this.admins = admins;
        this.log = new ActivityLog(clock);
    }

    public Prepared<NewApiKey> create(Permit permit, ApiKeyDraft draft, Faults faults) {
        ApiKeyRules check = new ApiKeyRules(faults);
        String name = draft.name() == null ? "" : draft.name();
        if (draft.name() != null) {
            check.checkName(name);
        } else if (!faults.has("name")) {
            faults.add("name", "is required");
        }
        boolean enabled = draft.state() == null || check.enabled(draft.state());
        AssignedRoles asked = check.roles(draft.roles(), draft.assignedRoleIds());
        // Least privilege: a key without a role can only query.
        AssignedRoles roles = asked == null ? AssignedRoles.of(List.of(Role.QUERY_ENDPOINTS)) : asked;
        Instant expireAt = check.expiry(draft.expireAt());
        List<IpAccessEntry> ipAccessList = draft.ipAccessList() == null ? List.of() : draft.ipAccessList();
        new AccessRules(faults).checkEntries("ipAccessList", ipAccessList);
        ApiKeyCreated made = make(permit, draft.hashes(), name, check);
        faults.refuseIfAny();
        ApiKey wanted = made.key().with(name, enabled, roles, expireAt, ipAccessList);
        return tables -> {
            admins.roles().requireMayAssign(tables, permit, AssignedRoles.NONE, roles);
            if (tables.of(ApiKey.KIND).count(permit.organizationId()) >= RuleBook.MAX_KEYS) {
                throw new Refused(
                        Refused.Reason.CONFLICT,
                        "An organization has at most " + RuleBook.MAX_KEYS + " keys: delete one first");
            }
            if (tables.of(ApiKey.KIND).findByReference(wanted.keyIdHash()).isPresent()) {
                throw Refused.badRequest("hashData.keyIdHash", "is taken");
            }
            ApiKey kept = tables.of(ApiKey.KIND).insert(wanted);
            log.add(tables, permit, "key_create", null, kept.id(), FieldChange.made("name", kept.name()));
            return new NewApiKey(ApiKeyView.of(tables, kept), made.keyId(), made.keySecret());
        };
    }

    private ApiKeyCreated make(Permit permit, ApiKeyDraft.@Nullable Hashes hashes, String name, ApiKeyRules check) {
        if (hashes == null) {
            return maker.make(permit.organizationId(), name, List.of());
        }
        check.checkHashes(hashes);
        String suffix = hashes.keyIdSuffix() == null ? "" : hashes.keyIdSuffix();
        String keyIdHash = hashes.keyIdHash() == null ? "" : hashes.keyIdHash();
        byte[] digest = new ApiKeyRules(new Faults()).digest("hashData.keySecretHash", hashes.keySecretHash());
        return new ApiKeyCreated(
                maker.brought(permit.organizationId(), name, List.of(), suffix, keyIdHash, digest), null, null);
    }

    public List<ApiKeyView> list(Permit permit) {
        return store.read(
                tables -> tables.of(ApiKey.KIND).page(permit.organizationId(), null, RuleBook.MAX_KEYS).stream()
                        .map(key -> ApiKeyView.of(tables, key))
                        .toList());
    }

    public ApiKeyView get(Permit permit, UUID keyId) {
        return store.read(tables -> ApiKeyView.of(tables, get(tables, permit, keyId)));
    }

    public ApiKeyView update(
            Permit permit, UUID keyId, ApiKeyChange change, Precondition<ApiKeyView> precondition, Faults faults) {
        ApiKeyRules check = new ApiKeyRules(faults);
        if (change.name() != null) {
            check.checkName(change.name());
        }
        Boolean enabled = change.state() == null ? null : check.enabled(change.state());
        AssignedRoles roles = check.roles(change.roles(), change.assignedRoleIds());
        Instant expireAt = check.expiry(change.expireAt());
        if (change.ipAccessList() != null) {
            new AccessRules(faults).checkEntries("ipAccessList", change.ipAccessList());
        }
        faults.refuseIfAny();
        return store.write(tables -> {
            ApiKey current = get(tables, permit, keyId);
            precondition.require(() -> ApiKeyView.of(tables, current));
            if (Boolean.FALSE.equals(enabled)) {
                refuseSelf(permit, keyId, "disable");
            }
            ApiKey next = current.with(
                    change.name() == null ? current.name() : change.name(),
                    enabled == null ? current.enabled() : enabled,
                    roles == null ? current.roles() : roles,
                    change.expiryGiven() ? expireAt : current.expireAt(),
                    change.ipAccessList() == null ? current.ipAccessList() : change.ipAccessList());
            admins.roles().requireMayAssign(tables, permit, current.roles(), next.roles());
            if (next.equals(current)) {
                return ApiKeyView.of(tables, current);
            }
            ApiKeyView before = ApiKeyView.of(tables, current);
            ApiKeyView after = admins.kept(
                    tables,
                    permit.organizationId(),
                    () -> ApiKeyView.of(tables, tables.of(ApiKey.KIND).overwrite(next)));
            log.add(tables, permit, "openapi_key_update", null, keyId, precondition.changes(before, after));
            return after;
        });
    }

    public void delete(Permit permit, UUID keyId, Precondition<ApiKeyView> precondition) {
        store.write(tables -> {
            ApiKey current = get(tables, permit, keyId);
            precondition.require(() -> ApiKeyView.of(tables, current));
            refuseSelf(permit, keyId, "delete");
            log.add(tables, permit, "key_delete", null, keyId, precondition.gone(ApiKeyView.of(tables, current)));
            return admins.kept(
                    tables,
                    permit.organizationId(),
                    () -> tables.of(ApiKey.KIND).delete(keyId, current.version()));
        });
    }

    private static ApiKey get(Tables tables, Permit permit, UUID keyId) {
        Table<ApiKey> keys = tables.of(ApiKey.KIND);
        return keys.find(permit.organizationId(), keyId).orElseThrow(() -> Refused.notFound("Key"));
    }

    private static void refuseSelf(Permit permit, UUID keyId, String verb) {
        if (permit.caller().keyId().equals(keyId)) {
            throw new Refused(Refused.Reason.CONFLICT, "A key cannot " + verb + " itself: use another one");
        }
    }
}
