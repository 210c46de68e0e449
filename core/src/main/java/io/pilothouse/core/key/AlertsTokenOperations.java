package io.pilothouse.core.key;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on tokens of the alerts interface; a revoked one is rejected from that moment on. */
public final class AlertsTokenOperations {

    private final Store store;
    private final SecretText secrets;
    private final SecretHash hash;
    private final Clock clock;
    private final ActivityLog log;

    public AlertsTokenOperations(Store store, Clock clock, SecretText secrets, SecretHash hash) {
        this.store = store;
        this.secrets = secrets;
        this.hash = hash;
        this.clock = clock;
        this.log = new ActivityLog(clock);
    }

    /** All of them, oldest first. */
    public List<AlertsToken> list(Permit permit) {
        return store.read(tables -> tables.of(AlertsToken.KIND).page(permit.organizationId(), null, RuleBook.MAX_KEYS));
    }

    public Prepared<AlertsTokenCreated> create(Permit permit, @Nullable String name, Faults faults) {
        // Its holder reads and changes every alert.
        permit.require(Permission.ALERT_WRITE);
        if (name != null) {
            new ApiKeyRules(faults).checkName(name);
        }
        faults.refuseIfAny();
        String text = secrets.keySecret();
        String suffix = ApiKeyRules.suffix(text);
        AlertsToken wanted = new AlertsToken(
                Head.of(RowIds.at(clock.now()), permit.organizationId(), clock.now()),
                name == null ? "Token " + suffix : name,
                suffix,
                hash.of(text),
                null);
        return tables -> {
            if (tables.of(AlertsToken.KIND).count(permit.organizationId()) >= RuleBook.MAX_KEYS) {
                throw Refused.tooMany(RuleBook.MAX_KEYS, "alerts tokens");
            }
            AlertsToken kept = tables.of(AlertsToken.KIND).insert(wanted);
            log.add(tables, permit, "alerts_token_create", null, kept.id(), FieldChange.made("name", kept.name()));
            return new AlertsTokenCreated(kept, text);
        };
    }

    public void delete(Permit permit, UUID tokenId, Precondition<AlertsToken> precondition) {
        store.write(tables -> {
            AlertsToken current = get(tables, permit, tokenId);
            precondition.require(() -> current);
            log.add(tables, permit, "alerts_token_delete", null, tokenId, precondition.gone(current));
            return tables.of(AlertsToken.KIND).delete(tokenId, current.version());
        });
    }

    private static AlertsToken get(Tables tables, Permit permit, UUID tokenId) {
        return tables.of(AlertsToken.KIND)
                .find(permit.organizationId(), tokenId)
                .orElseThrow(() -> Refused.notFound("Token"));
    }
}
