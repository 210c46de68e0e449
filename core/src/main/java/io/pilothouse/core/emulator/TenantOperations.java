package io.pilothouse.core.emulator;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.engine.Lull;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.usage.UsageMeter;
import io.pilothouse.core.webhook.Webhook;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does with organizations that are not its own; for an emulator alone, because nothing is kept from
 * it. Where services have databases, an erased organization stays until the engine has ended them all, without a key
 * that opens it.
 */
public final class TenantOperations {
    private static final int PAGE = 200;

    private final Store store;
    private final Clock clock;
    private final Optional<ServiceOperations> databases;
    private final Lull lull;
    private final Consumer<Set<UUID>> memory;

    /**
     * {@code databases} ends services that have something behind them, and is empty where rows are all there is; there,
     * {@code lull} keeps passes away while the rows go. {@code memory} forgets things by their ids.
     */
    public TenantOperations(
            Store store, Clock clock, Optional<ServiceOperations> databases, Lull lull, Consumer<Set<UUID>> memory) {
        this.store = store;
        this.clock = clock;
        this.databases = databases;
        this.lull = lull;
        this.memory = memory;
    }

    /** An organization, and whether it is being erased. */
    public record Tenant(Organization organization, boolean erasing) {}

    /** How far an erasure is: {@code left} services, pipes and backups have still to end. */
    public record Erased(UUID id, int left) {}

    /** At most {@code limit} organizations, from the one after this place on. */
    public Page<Tenant> page(Table.@Nullable Cursor after, int limit) {
        return store.read(tables -> {
            List<Organization> read = tables.of(Organization.KIND).all(after == null ? null : after.id(), limit);
            List<Tenant> tenants = read.stream()
                    .map(each -> new Tenant(each, mark(tables, each.id()).isPresent()))
                    .toList();
            return new Page<>(tenants, read.size() < limit ? null : Table.Cursor.of(read.getLast()));
        });
    }

    /** Erases an organization with everything in it, or begins to. */
    public Erased erase(Permit permit, UUID id) {
        if (id.equals(permit.organizationId())) {
            throw new Refused(
                    Refused.Reason.CONFLICT, "The organization of the key that asks cannot be erased with it");
        }
        // A pass that had begun would bring back to memory what is forgotten with the rows.
        return databases.isPresent() ? erase(id) : lull.during(() -> erase(id));
    }

    private Erased erase(UUID id) {
        return store.write(tables -> {
            if (tables.of(Organization.KIND).find(id).isEmpty()) {
                throw Refused.notFound("Organization");
            }
            return rest(tables, id);
        });
    }

    /** The organizations that are being erased, for a program that has just started. */
    public List<UUID> erasing() {
        List<UUID> found = new ArrayList<>();
        Table.Cursor after = null;
        do {
            Page<Tenant> page = page(after, PAGE);
            page.items().stream()
                    .filter(Tenant::erasing)
                    .forEach(each -> found.add(each.organization().id()));
            after = page.next();
        } while (after != null);
        return found;
    }

    /** Removes what is left of an organization if everything in it has ended; says whether nothing is left. */
    public boolean finish(UUID id) {
        return store.write(
                tables -> mark(tables, id).isEmpty() || rest(tables, id).left() == 0);
    }

    private static Optional<Item> mark(Tables tables, UUID id) {
        return tables.of(Item.KIND).find(Erasure.idOf(id));
    }

    /** Has everything end that is not ending yet; a request that was under way may have made more of it. */
    private void end(Tables tables, ServiceOperations services, UUID id) {
        Optional<Item> mark = mark(tables, id);
        Set<UUID> known = mark.map(each -> Set.copyOf(Erasure.servicesOf(each))).orElse(Set.of());
        Set<UUID> ids = new LinkedHashSet<>();
        // A meter outlives its service, as backups do.
        all(tables, UsageMeter.KIND, id).forEach(meter -> ids.add(meter.id()));
        List<Service> running = all(tables, Service.KIND, id);
        running.forEach(service -> ids.add(service.id()));
        ids.removeAll(known);
        for (Service service : running) {
            if (known.contains(service.id())) {
                continue;
            }
            BackupConfiguration backups = service.backups();
            Service unkept = tables.of(Service.KIND)
                    .overwrite(service.withBackups(
                            new BackupConfiguration(backups.periodHours(), 0, backups.startTime())));
            if (unkept.wish() != Wish.DELETE) {
                services.end(tables, unkept);
            }
        }
        for (UUID service : ids) {
            all(tables, Backup.KIND, service)
                    .forEach(backup -> tables.of(Backup.KIND).overwrite(backup.keptFor(0)));
            tables.tasks().wake(Tasks.Kind.BACKUP, service, Tasks.Urgency.CHANGED, clock.now());
        }
        deleteAll(tables, ApiKey.KIND, id);
        deleteAll(tables, AlertsToken.KIND, id);
        deleteAll(tables, Webhook.KIND, id);
        if (mark.isEmpty() || !ids.isEmpty()) {
            mark.ifPresent(former -> tables.of(Item.KIND).delete(former.id(), former.version()));
            ids.addAll(known);
            tables.of(Item.KIND).insert(Erasure.of(id, ids, clock.now()));
        }
    }

    private Erased rest(Tables tables, UUID id) {
        databases.ifPresent(services -> end(tables, services, id));
        int left = 0;
        for (UUID service : mark(tables, id).map(Erasure::servicesOf).orElse(List.of())) {
            left += tables.of(Service.KIND).find(service).isPresent() ? 1 : 0;
            left += (int) tables.of(Backup.KIND).count(service);
            left += (int) tables.of(Pipe.KIND).count(service);
        }
        if (left == 0) {
            Set<UUID> gone = tables.belongings().remove(id);
            tables.afterCommit(() -> memory.accept(gone));
        }
        return new Erased(id, left);
    }

    private static <T extends Stored> List<T> all(Tables tables, Kind<T> kind, UUID owner) {
        List<T> all = new ArrayList<>();
        List<T> page = tables.of(kind).page(owner, null, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            page = tables.of(kind).page(owner, Table.Cursor.of(page.getLast()), PAGE);
        }
        return all;
    }

    private static <T extends Stored> void deleteAll(Tables tables, Kind<T> kind, UUID owner) {
        all(tables, kind, owner).forEach(row -> tables.of(kind).delete(row.id(), row.version()));
    }
}
