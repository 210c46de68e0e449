package io.pilothouse.core.pipe.progress;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.pipe.PipeState;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.pipe.progress.PipeOffsets.Partition;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.ServiceOperations;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows how far a pipe is in its source, and has a stopped one read on from elsewhere. */
public final class PipeOffsetOperations {
    /** How the ledger names a partition. */
    private static final Pattern PARTITION = Pattern.compile("[^:>]+:\\d+");

    private final Store store;
    private final Clock clock;
    private final PipeProgress progress;
    private final ActivityLog log;

    public PipeOffsetOperations(Store store, Clock clock, PipeProgress progress) {
        this.store = store;
        this.clock = clock;
        this.progress = progress;
        this.log = new ActivityLog(clock);
    }

    public PipeOffsets get(Permit permit, UUID serviceId, UUID pipeId) {
        return store.read(tables -> offsets(tables, stream(tables, permit, serviceId, pipeId)));
    }

    public PipeOffsets seek(Permit permit, UUID serviceId, UUID pipeId, PipeSeek.Draft draft, Faults faults) {
        Optional<PipeSeek> read = PipeSeek.read(draft, faults);
        faults.refuseIfAny();
        PipeSeek seek = read.orElseThrow();
        return store.write(tables -> {
            Pipe pipe = stream(tables, permit, serviceId, pipeId);
            ServiceOperations.requireRunning(ServiceOperations.get(tables, permit, serviceId));
            return sought(tables, permit, pipe, seek);
        });
    }

    private PipeOffsets sought(Tables tables, Permit permit, Pipe pipe, PipeSeek seek) {
        Faults found = new Faults();
        seek.checkFor(pipe, found);
        found.refuseIfAny();
        if (pipe.state() != PipeState.STOPPED) {
            throw Refused.badRequest("", "ClickPipe must be stopped first");
        }
        PipeLedger.seek(tables, pipe.id(), seek.partitions(), seek.offset(), seek.place(), clock.now());
        tables.afterCommit(() -> progress.forgetLags(pipe.id()));
        List<FieldChange> changes = FieldChange.between(Tree.Members.NONE, seek.asked());
        log.add(tables, permit, "clickpipe_seek", pipe.serviceId(), pipe.id(), changes);
        return shown(PipeLedger.all(tables, pipe.id()), Map.of());
    }

    private static Pipe stream(Tables tables, Permit permit, UUID serviceId, UUID pipeId) {
        Pipe pipe = PipeOperations.get(tables, permit, serviceId, pipeId);
        if (pipe.kind() != PipeKind.KAFKA) {
            throw Refused.notFound("Offsets of a ClickPipe that is not from Kafka");
        }
        return pipe;
    }

    private PipeOffsets offsets(Tables tables, Pipe pipe) {
        return shown(PipeLedger.all(tables, pipe.id()), progress.lags(pipe.id()));
    }

    private static PipeOffsets shown(List<PipeRange> rows, Map<String, PartLag> lags) {
        Map<String, PipeRange> byPart = new HashMap<>();
        rows.forEach(row -> byPart.put(row.part(), row));
        List<Partition> partitions = rows.stream()
                .map(PipeRange::part)
                .map(part -> part.startsWith(PipeLedger.SEEK) ? part.substring(PipeLedger.SEEK.length()) : part)
                .filter(part -> PARTITION.matcher(part).matches())
                .distinct()
                .sorted(Comparator.comparing(PipeOffsetOperations::topic)
                        .thenComparingLong(PipeOffsetOperations::number))
                .map(part -> partition(part, byPart, lags.get(part)))
                .toList();
        return new PipeOffsets(place(byPart.get(PipeLedger.SEEK)), partitions);
    }

    private static Partition partition(String part, Map<String, PipeRange> byPart, @Nullable PartLag lag) {
        PipeRange row = byPart.get(part);
        return row == null
                ? new Partition(part, null, place(byPart.get(PipeLedger.SEEK + part)), null)
                : new Partition(part, row.mark(), null, lag);
    }

    private static @Nullable String place(@Nullable PipeRange seek) {
        return seek == null || seek.identity().isEmpty() ? null : seek.identity();
    }

    private static String topic(String part) {
        return part.substring(0, part.lastIndexOf(':'));
    }

    private static long number(String part) {
        return Long.parseLong(part.substring(part.lastIndexOf(':') + 1));
    }
}
