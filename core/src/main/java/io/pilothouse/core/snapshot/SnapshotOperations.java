package io.pilothouse.core.snapshot;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.engine.Lull;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.core.service.Service;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots, goes back to them, and copies them into organizations of their own. A server goes back in one
 * transaction while no pass runs, and what planes remember of the rows that went or came is forgotten with it: nothing
 * that began before reaches what was put back.
 */
public final class SnapshotOperations {
    private static final String HASHED = "snapshot";

    private final Store store;
    private final Clock clock;
    private final Snapshots snapshots;
    private final Fork fork;
    private final Parts parts;

    /** One at a time: the rows of each are in memory. */
    private final ReentrantLock turn = new ReentrantLock();

    /**
     * What going back reaches beside the store: the lull of the engine and its nudge, what forgets things by their ids,
     * and the keys whose presence the marks show. {@code refusal} says why there are no snapshots here, if there are none.
     */
    public record Parts(
            Lull lull,
            Wake engine,
            Consumer<Set<UUID>> memory,
            Vault vault,
            SecretHash hash,
            Optional<String> refusal) {}

    public SnapshotOperations(Store store, Clock clock, Snapshots snapshots, Fork fork, Parts parts) {
        this.store = store;
        this.clock = clock;
        this.snapshots = snapshots;
        this.fork = fork;
        this.parts = parts;
    }

    /** Keeps what an organization has now, or the whole server where none is named. */
    public Snapshot take(String name, @Nullable UUID organizationId) {
        SnapshotRules.name(name);
        requireUse();
        turn.lock();
        try {
            if (snapshots.find(name).isPresent()) {
                throw taken(name);
            }
            SnapshotRules.requireRoom(snapshots.list().size(), snapshots.bytes());
            Taken taken = store.read(tables -> {
                if (organizationId != null
                        && tables.of(Organization.KIND).find(organizationId).isEmpty()) {
                    throw Refused.notFound("Organization");
                }
                Taken rows = new Taken();
                tables.belongings().each(organizationId, rows::add);
                return rows;
            });
            Snapshot snapshot = new Snapshot(
                    name,
                    organizationId,
                    clock.now(),
                    taken.rows.size(),
                    taken.services,
                    taken.bytes,
                    new Snapshot.Marks(parts.vault().check(), parts.hash().of(HASHED)));
            if (!snapshots.keep(snapshot, taken.rows)) {
                throw taken(name);
            }
            return snapshot;
        } finally {
            turn.unlock();
        }
    }

    /** Rows as they come in; no more than a snapshot may have. */
    private static final class Taken {
        private final List<KeptRow> rows = new ArrayList<>();
        private long bytes;
        private long services;

        void add(KeptRow row) {
            rows.add(row);
            bytes += row.size();
            SnapshotRules.requireSmall(bytes);
            if (row.table().equals(Service.KIND.table())) {
                services++;
            }
        }
    }

    public List<Snapshot> list() {
        return snapshots.list();
    }

    public Snapshot get(String name) {
        return snapshots.find(SnapshotRules.name(name)).orElseThrow(SnapshotOperations::missing);
    }

    public void delete(String name) {
        if (!snapshots.delete(SnapshotRules.name(name))) {
            throw missing();
        }
    }

    /** Makes everything that the snapshot is of what it was then. */
    public Snapshot goBack(String name) {
        turn.lock();
        try {
            Snapshot snapshot = usable(name);
            List<KeptRow> rows = rows(snapshot);
            return parts.lull().during(() -> {
                Set<UUID> touched = store.write(tables -> {
                    Set<UUID> ids = new HashSet<>(tables.belongings().remove(snapshot.organizationId()));
                    ids.addAll(tables.belongings().put(rows, clock.now()));
                    tables.afterCommit(parts.engine()::nudge);
                    return ids;
                });
                parts.memory().accept(touched);
                return snapshot;
            });
        } finally {
            turn.unlock();
        }
    }

    /**
     * Makes an organization of its own out of the one that the snapshot is of or, where it is of the whole server, of
     * the one that is named.
     */
    public Fork.Forked fork(String name, @Nullable UUID organizationId, @Nullable String newName) {
        turn.lock();
        try {
            Snapshot snapshot = usable(name);
            Fork.Forked forked = fork.of(rows(snapshot), organization(snapshot, organizationId), newName);
            store.change(tables -> {
                tables.belongings().put(forked.rows(), clock.now());
                tables.afterCommit(parts.engine()::nudge);
            });
            return forked;
        } finally {
            turn.unlock();
        }
    }

    private static UUID organization(Snapshot snapshot, @Nullable UUID named) {
        UUID only = snapshot.organizationId();
        if (only == null) {
            if (named == null) {
                throw Refused.badRequest("organizationId", "is required, because the snapshot is of the whole server");
            }
            return named;
        }
        if (named != null && !only.equals(named)) {
            throw Refused.badRequest("organizationId", "is not the organization that the snapshot is of");
        }
        return only;
    }

    private List<KeptRow> rows(Snapshot snapshot) {
        return snapshots.rows(snapshot.name()).orElseThrow(SnapshotOperations::missing);
    }

    private Snapshot usable(String name) {
        Snapshot snapshot = get(name);
        requireUse();
        try {
            parts.vault().requireFits(snapshot.marks().sealed());
        } catch (VaultFault _) {
            throw SnapshotRules.conflict("The key that the secrets in this snapshot are sealed with is gone");
        }
        if (!parts.hash().matches(HASHED, snapshot.marks().hashed())) {
            throw SnapshotRules.conflict("The key that the API keys in this snapshot are hashed with is gone");
        }
        return snapshot;
    }

    private void requireUse() {
        parts.refusal().ifPresent(sentence -> {
            throw SnapshotRules.conflict(sentence);
        });
    }

    private static Refused missing() {
        return Refused.notFound("Snapshot");
    }

    private static Refused taken(String name) {
        return SnapshotRules.conflict("There is a snapshot " + name + " already: delete it first");
    }
}
