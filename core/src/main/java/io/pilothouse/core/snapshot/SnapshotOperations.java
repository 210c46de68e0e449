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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots, goes back to them, and copies them into organizations of their own. A server goes back in one
 * transaction while no pass runs, and what planes remember of the rows that went or came is forgotten with it: nothing
 * that began before reaches what was put back. Where services have data, it is copied while none of them runs, and put
 * in place right after the rows.
 */
public final class SnapshotOperations {
    private static final String HASHED = "snapshot";

    private final Store store;
    private final Clock clock;
    private final Snapshots snapshots;
    private final Fork fork;
    private final Parts parts;
    private final DataChange changes;

    /** One at a time: the rows of each are in memory. */
    private final ReentrantLock turn = new ReentrantLock();

    /**
     * What going back reaches beside the store: the lull of the engine and its nudge, what forgets things by their ids,
     * the data of services where they have some, what ends the workers of pipes, and the keys whose presence the marks
     * show. {@code refusal} says why there are no snapshots here, if there are none.
     */
    public record Parts(
            Lull lull,
            Wake engine,
            Consumer<Set<UUID>> memory,
            Optional<SnapshotData> data,
            Consumer<Set<UUID>> pipes,
            Vault vault,
            SecretHash hash,
            Optional<String> refusal) {}

    public SnapshotOperations(Store store, Clock clock, Snapshots snapshots, Fork fork, Parts parts) {
        this.store = store;
        this.clock = clock;
        this.snapshots = snapshots;
        this.fork = fork;
        this.parts = parts;
        this.changes = new DataChange(store, clock, parts.engine());
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
            return parts.data().isEmpty()
                    ? keep(name, organizationId, read(organizationId), null)
                    : parts.lull().during(() -> takeWith(parts.data().get(), name, organizationId));
        } finally {
            turn.unlock();
        }
    }

    /** Databases end first, so that their data is of the moment that the rows are of. */
    private Snapshot takeWith(SnapshotData data, String name, @Nullable UUID organizationId) {
        keepOnlyListed(data);
        Taken running = read(organizationId);
        boolean kept = false;
        try {
            data.end(running.owners);
            Taken taken = read(organizationId);
            Snapshot snapshot = keep(name, organizationId, taken, data.keep(name, taken.owners));
            kept = true;
            return snapshot;
        } finally {
            changes.wake(running);
            if (!kept) {
                keepOnlyListed(data);
            }
        }
    }

    private void keepOnlyListed(SnapshotData data) {
        data.keepOnly(snapshots.list().stream().map(Snapshot::name).collect(Collectors.toUnmodifiableSet()));
    }

    private Taken read(@Nullable UUID organizationId) {
        return store.read(tables -> {
            if (organizationId != null
                    && tables.of(Organization.KIND).find(organizationId).isEmpty()) {
                throw Refused.notFound("Organization");
            }
            Taken rows = new Taken();
            tables.belongings().each(organizationId, rows::addSmall);
            return rows;
        });
    }

    private Snapshot keep(String name, @Nullable UUID organizationId, Taken taken, @Nullable Long dataBytes) {
        Snapshot snapshot = new Snapshot(
                name,
                organizationId,
                clock.now(),
                taken.rows.size(),
                taken.services,
                taken.bytes,
                dataBytes,
                new Snapshot.Marks(parts.vault().check(), parts.hash().of(HASHED)));
        if (!snapshots.keep(snapshot, taken.rows)) {
            throw taken(name);
        }
        return snapshot;
    }

    public List<Snapshot> list() {
        return snapshots.list();
    }

    public Snapshot get(String name) {
        return snapshots.find(SnapshotRules.name(name)).orElseThrow(SnapshotOperations::missing);
    }

    public void delete(String name) {
        SnapshotRules.name(name);
        turn.lock();
        try {
            if (!snapshots.delete(name)) {
                throw missing();
            }
            parts.data().ifPresent(this::keepOnlyListed);
        } finally {
            turn.unlock();
        }
    }

    /** Makes everything that the snapshot is of what it was then. */
    public Snapshot goBack(String name) {
        turn.lock();
        try {
            Snapshot snapshot = usable(name);
            Taken then = Taken.of(rows(snapshot));
            Optional<SnapshotData.Copies> copies =
                    parts.data().map(data -> data.layOut(name, themselves(then.owners), UnaryOperator.identity()));
            return changes.with(
                    copies,
                    () -> parts.lull().during(() -> {
                        Set<UUID> touched = copies.isPresent() && parts.data().isPresent()
                                ? goBackWith(parts.data().get(), copies.get(), snapshot, then)
                                : store.write(tables -> {
                                    Set<UUID> ids =
                                            new HashSet<>(tables.belongings().remove(snapshot.organizationId()));
                                    ids.addAll(tables.belongings().put(then.rows, clock.now()));
                                    tables.afterCommit(parts.engine()::nudge);
                                    return ids;
                                });
                        parts.memory().accept(touched);
                        return snapshot;
                    }));
        } finally {
            turn.unlock();
        }
    }

    /** Nothing works for the organization when its rows change: neither on what it had nor on what it has then. */
    private Set<UUID> goBackWith(SnapshotData data, SnapshotData.Copies copies, Snapshot snapshot, Taken then) {
        UUID organizationId = snapshot.organizationId();
        Taken now = new Taken();
        store.read(tables -> {
            tables.belongings().each(organizationId, now::add);
            return now;
        });
        SnapshotPorts ports = new SnapshotPorts(snapshots);
        Set<UUID> more = new HashSet<>(now.owners);
        more.removeAll(then.owners);
        return changes.commit(copies, now, () -> {
            parts.pipes().accept(now.pipes);
            data.end(now.owners);
            copies.alsoEmpty(more);
            return tables -> {
                ports.release(tables, now.rows, clock.now());
                Set<UUID> ids = new HashSet<>(tables.belongings().remove(organizationId));
                ids.addAll(tables.belongings().put(ports.reserved(tables, then.rows), clock.now()));
                then.wake(tables, clock.now());
                return ids;
            };
        });
    }

    private static Map<UUID, UUID> themselves(Set<UUID> ids) {
        return ids.stream().collect(Collectors.toUnmodifiableMap(id -> id, id -> id));
    }

    /**
     * Makes an organization of its own out of the one that the snapshot is of or, where it is of the whole server, of
     * the one that is named.
     */
    public Fork.Forked fork(String name, @Nullable UUID organizationId, @Nullable String newName) {
        turn.lock();
        try {
            Snapshot snapshot = usable(name);
            List<KeptRow> rows = rows(snapshot);
            Fork.Forked forked = fork.of(rows, organization(snapshot, organizationId), newName);
            Optional<SnapshotData.Copies> copies = parts.data()
                    .map(data -> data.layOut(name, copied(Taken.of(rows).owners, forked.ids()), forked.ids()));
            if (copies.isEmpty()) {
                store.change(tables -> {
                    tables.belongings().put(forked.rows(), clock.now());
                    tables.afterCommit(parts.engine()::nudge);
                });
            } else {
                changes.with(copies, () -> parts.lull().during(() -> forkWith(copies.get(), forked)));
            }
            return forked;
        } finally {
            turn.unlock();
        }
    }

    private Set<UUID> forkWith(SnapshotData.Copies copies, Fork.Forked forked) {
        return changes.commit(copies, new Taken(), () -> tables -> {
            Set<UUID> ids = tables.belongings().put(forked.rows(), clock.now());
            Taken.of(forked.rows()).wake(tables, clock.now());
            return ids;
        });
    }

    /** Which service of the copy has what which of the origin had. */
    private static Map<UUID, UUID> copied(Set<UUID> services, UnaryOperator<UUID> ids) {
        Map<UUID, UUID> copied = new HashMap<>();
        for (UUID service : services) {
            UUID copy = ids.apply(service);
            if (!copy.equals(service)) {
                copied.put(copy, service);
            }
        }
        return copied;
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
        if ((snapshot.dataBytes() != null) != parts.data().isPresent()) {
            throw SnapshotRules.conflict(
                    parts.data().isPresent()
                            ? "The snapshot is of simulated services, which had no data"
                            : "The snapshot is of services with data, and services are simulated here");
        }
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
