package io.pilothouse.core.snapshot;

import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.AlertsTokenCreated;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationRules;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes an organization of its own out of the rows of another: every thing gets a new id, and what refers to it
 * follows. Secrets are sealed again for the thing that they belong to now. A key can only be in one organization, so
 * the copies of keys and tokens have ids and secrets of their own. Messages that wait for their receiver are left out,
 * because the origin sends them, and so are kept answers, which belong to the requests of its keys.
 */
public final class Fork {
    private static final String TASKS = "tasks";
    private static final int SUBJECT = 1;
    private static final String POINTS = "metric_points";
    private static final int ORGANIZATION = 0;

    private final Snapshots forms;
    private final Clock clock;
    private final ApiKeyMaker keys;
    private final Vault vault;

    public Fork(Snapshots forms, Clock clock, ApiKeyMaker keys, Vault vault) {
        this.forms = forms;
        this.clock = clock;
        this.keys = keys;
        this.vault = vault;
    }

    /** The copy: its rows, the keys and tokens that are shown this once, and the ids that follow from the origin's. */
    public record Forked(
            UUID organizationId,
            String name,
            List<KeptRow> rows,
            List<ApiKeyCreated> keys,
            List<AlertsTokenCreated> tokens,
            UnaryOperator<UUID> ids) {}

    Forked of(List<KeptRow> all, UUID origin, @Nullable String newName) {
        List<KeptRow> things = things(all, origin);
        KeptRow organization = things.stream()
                .filter(row -> is(row, Organization.KIND))
                .findFirst()
                .orElseThrow(() -> Refused.notFound("Organization"));
        Organization before = forms.read(Organization.KIND, organization);
        String name = newName == null ? before.name() : newName;
        Faults faults = new Faults();
        new OrganizationRules(faults).checkName(name);
        faults.refuseIfAny();

        ForkIds ids = new ForkIds(forms, origin, clock.now(), things);
        List<KeptRow> rows = new ArrayList<>();
        List<ApiKeyCreated> drawn = new ArrayList<>();
        List<AlertsTokenCreated> tokens = new ArrayList<>();
        for (KeptRow thing : things) {
            KeptRow copy = ids.in(resealed(thing, ids));
            if (is(copy, Organization.KIND)) {
                copy = changed(
                        Organization.KIND,
                        copy,
                        each -> each.withDetails(name, each.enableCoreDumps(), each.privateEndpoints()));
            } else if (is(copy, Service.KIND)) {
                // The ports are the origin's.
                copy = changed(
                        Service.KIND,
                        copy,
                        each -> each.withAccess(each.access().withPorts(null)));
            } else if (is(copy, ApiKey.KIND)) {
                ApiKey key = forms.read(ApiKey.KIND, copy);
                ApiKeyCreated again = keys.again(key, withoutOperator(key.roles()));
                drawn.add(again);
                copy = forms.write(ApiKey.KIND, again.key());
            } else if (is(copy, AlertsToken.KIND)) {
                AlertsTokenCreated again = keys.again(forms.read(AlertsToken.KIND, copy));
                tokens.add(again);
                copy = forms.write(AlertsToken.KIND, again.token());
            }
            rows.add(copy);
        }
        Set<String> subjects = new HashSet<>();
        things.forEach(thing -> subjects.add(thing.text(KeptRow.ID)));
        for (KeptRow row : all) {
            if ((row.table().equals(TASKS) && subjects.contains(row.text(SUBJECT)))
                    || (row.table().equals(POINTS) && row.text(ORGANIZATION).equals(origin.toString()))) {
                rows.add(ids.in(row));
            }
        }
        return new Forked(ids.organizationId(), name, rows, drawn, tokens, ids::of);
    }

    /** The rows that hang under an organization, on whatever level. */
    private List<KeptRow> things(List<KeptRow> all, UUID origin) {
        Set<String> owners = new HashSet<>(Set.of(origin.toString()));
        List<KeptRow> things = new ArrayList<>();
        List<KeptRow> rest = all.stream().filter(row -> forms.isThing(row)).toList();
        boolean more = true;
        while (more) {
            List<KeptRow> later = new ArrayList<>();
            for (KeptRow row : rest) {
                if (owners.contains(row.text(KeptRow.OWNER))) {
                    owners.add(row.text(KeptRow.ID));
                    things.add(row);
                } else {
                    later.add(row);
                }
            }
            more = later.size() < rest.size();
            rest = later;
        }
        things.removeIf(row -> is(row, Delivery.KIND));
        return things;
    }

    /** Secrets open only in the context of the thing that they belong to. */
    private KeptRow resealed(KeptRow row, ForkIds ids) {
        if (is(row, Webhook.KIND)) {
            return changed(
                    Webhook.KIND,
                    row,
                    each -> each.withSealedSecrets(again(each.sealedSecrets(), each, ids, Webhook::secretsContext)));
        }
        if (is(row, Pipe.KIND)) {
            return changed(Pipe.KIND, row, each -> {
                String sealed = each.sealedSecrets();
                return sealed == null
                        ? each
                        : each.withSealedSecrets(again(sealed, each, ids, PipeOperations::context));
            });
        }
        if (is(row, BackupBucket.KIND)) {
            return changed(BackupBucket.KIND, row, each -> {
                String sealed = each.sealedSecrets();
                return sealed == null
                        ? each
                        : each.withSealedSecrets(again(sealed, each, ids, BackupBucket::secretsContext));
            });
        }
        return row;
    }

    private String again(String sealed, Stored thing, ForkIds ids, Function<UUID, String> context) {
        return sealed.isEmpty()
                ? sealed
                : vault.seal(vault.open(sealed, context.apply(thing.id())), context.apply(ids.of(thing.id())));
    }

    /** A copy of an operator's key opens its own organization and nothing else. */
    private static AssignedRoles withoutOperator(AssignedRoles roles) {
        return new AssignedRoles(
                roles.system().stream().filter(role -> role != Role.OPERATOR).toList(), roles.custom());
    }

    private <T extends Stored> KeptRow changed(Kind<T> kind, KeptRow row, UnaryOperator<T> change) {
        return forms.write(kind, change.apply(forms.read(kind, row)));
    }

    private static boolean is(KeptRow row, Kind<?> kind) {
        return row.table().equals(kind.table());
    }
}
