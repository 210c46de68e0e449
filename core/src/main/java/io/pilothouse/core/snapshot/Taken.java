package io.pilothouse.core.snapshot;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Rows as they come in, and which of them have something behind them. */
final class Taken {
    final List<KeptRow> rows = new ArrayList<>();

    /** Services, and those that are gone and have backups still. */
    final Set<UUID> owners = new HashSet<>();

    final Set<UUID> pipes = new HashSet<>();
    long bytes;
    long services;

    static Taken of(Collection<KeptRow> rows) {
        Taken taken = new Taken();
        rows.forEach(taken::add);
        return taken;
    }

    void add(KeptRow row) {
        rows.add(row);
        bytes += row.size();
        if (row.table().equals(Service.KIND.table())) {
            services++;
            owners.add(UUID.fromString(row.text(KeptRow.ID)));
        } else if (row.table().equals(Backup.KIND.table())) {
            owners.add(UUID.fromString(row.text(KeptRow.OWNER)));
        } else if (row.table().equals(Pipe.KIND.table())) {
            pipes.add(UUID.fromString(row.text(KeptRow.ID)));
        }
    }

    /** The same for a snapshot, which may have only so much. */
    void addSmall(KeptRow row) {
        add(row);
        SnapshotRules.requireSmall(bytes);
    }

    /** Has the engine look at all of them: what worked for them was ended. */
    void wake(Tables tables, Instant now) {
        for (UUID service : owners) {
            if (tables.of(Service.KIND).find(service).isPresent()) {
                tables.tasks().wake(Tasks.Kind.SERVICE, service, Tasks.Urgency.CHANGED, now);
            }
        }
        for (UUID pipe : pipes) {
            if (tables.of(Pipe.KIND).find(pipe).isPresent()) {
                tables.tasks().wake(Tasks.Kind.PIPE, pipe, Tasks.Urgency.CHANGED, now);
            }
        }
    }
}
