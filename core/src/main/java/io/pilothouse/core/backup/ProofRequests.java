package io.pilothouse.core.backup;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What operators ask of proofs, across all organizations: what is known of the newest backups, and to prove one now. */
public final class ProofRequests {
    private static final int MAX_PAGE = 100;

    private final Store store;
    private final Clock clock;
    private final ProofBook book;
    private final Backups backups;
    private final Wake wake;

    public ProofRequests(Store store, Clock clock, ProofBook book, Backups backups, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.book = book;
        this.backups = backups;
        this.wake = wake;
    }

    /** A service and its newest finished backup; null if it has no finished backup. */
    public record Newest(UUID serviceId, @Nullable Backup backup) {
        private static Newest of(Tables tables, UUID serviceId) {
            return new Newest(
                    serviceId,
                    BackupsOfService.newestFinished(tables, serviceId).orElse(null));
        }

        /** Since when its newest backup is there without being known to be restorable; empty where it is known. */
        private Optional<Instant> unprovenSince() {
            return Optional.ofNullable(backup)
                    .filter(there -> there.proof() == null || there.proof().outcome() != BackupProof.Outcome.RESTORABLE)
                    .map(Backup::endedAt);
        }
    }

    /** Why no backup can be proven here; empty if they can be. */
    public Optional<String> refusal() {
        return backups.proofRefusal();
    }

    /** Some services in the order of their ids, from the one after this id on; empty at the end. */
    public List<Newest> page(@Nullable UUID after) {
        return store.read(tables -> tables.of(Service.KIND).all(after, MAX_PAGE).stream()
                .map(service -> Newest.of(tables, service.id()))
                .toList());
    }

    public Newest get(UUID serviceId) {
        return store.read(tables -> {
            if (tables.of(Service.KIND).find(serviceId).isEmpty()) {
                throw Refused.notFound("Service");
            }
            return Newest.of(tables, serviceId);
        });
    }

    /** Has the newest backup of the service proven now; gives since when that is asked for. */
    public Instant ask(UUID serviceId) {
        refusal().ifPresent(why -> {
            throw new Refused(Refused.Reason.CONFLICT, why);
        });
        if (get(serviceId).backup() == null) {
            throw new Refused(Refused.Reason.CONFLICT, "The service has no finished backup");
        }
        Instant now = clock.now();
        // Before the task is due, which then finds it.
        book.ask(serviceId, now);
        store.write(tables -> {
            tables.tasks().wake(Tasks.Kind.BACKUP, serviceId, Tasks.Urgency.CHANGED, now);
            tables.afterCommit(wake::nudge);
            return serviceId;
        });
        return now;
    }

    /**
     * When the oldest backup was made that is the newest of its service and not known to be restorable. It costs a
     * look-up for each service.
     */
    public Optional<Instant> oldestUnproven() {
        Optional<Instant> oldest = Optional.empty();
        List<Newest> page = page(null);
        while (!page.isEmpty()) {
            for (Newest newest : page) {
                Optional<Instant> since = newest.unprovenSince();
                if (since.isPresent()
                        && oldest.filter(at -> !at.isAfter(since.get())).isEmpty()) {
                    oldest = since;
                }
            }
            page = page(page.getLast().serviceId());
        }
        return oldest;
    }
}
