package io.pilothouse.core.pipe.progress;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.pipe.PipeState;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.pipe.progress.PipeOffsets.Partition;
import io.pilothouse.core.pipe.progress.PipeOffsets.Place;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.ServiceOperations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Shows how far a pipe is in its source, and has a stopped one read on from elsewhere. */
public final class PipeOffsetOperations {
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
        return store.read(tables -> {
            Pipe pipe = PipeOperations.get(tables, permit, serviceId, pipeId);
            return shown(parts(pipe), PipeLedger.all(tables, pipeId), progress.lags(pipeId));
        });
    }

    public PipeOffsets seek(Permit permit, UUID serviceId, UUID pipeId, PipeSeek.Draft draft, Faults faults) {
        Optional<PipeSeek> read = PipeSeek.read(draft, faults);
        faults.refuseIfAny();
        PipeSeek seek = read.orElseThrow();
        return store.write(tables -> {
            Pipe pipe = PipeOperations.get(tables, permit, serviceId, pipeId);
            PipeParts parts = parts(pipe);
            ServiceOperations.requireRunning(ServiceOperations.get(tables, permit, serviceId));
            sought(tables, permit, pipe, parts, seek);
            return shown(parts, PipeLedger.all(tables, pipeId), Map.of());
        });
    }

    private void sought(Tables tables, Permit permit, Pipe pipe, PipeParts parts, PipeSeek seek) {
        Faults found = new Faults();
        seek.checkFor(pipe, parts, found);
        found.refuseIfAny();
        if (pipe.state() != PipeState.STOPPED) {
            throw Refused.badRequest("", "ClickPipe must be stopped first");
        }
        PipeLedger.seek(tables, pipe.id(), seek.partitions(), seek.offset(), seek.place(), clock.now());
        tables.afterCommit(() -> progress.forgetLags(pipe.id()));
        List<FieldChange> changes = FieldChange.between(Tree.Members.NONE, seek.asked());
        log.add(tables, permit, "clickpipe_seek", pipe.serviceId(), pipe.id(), changes);
    }

    private static PipeParts parts(Pipe pipe) {
        return PipeParts.of(pipe.kind())
                .orElseThrow(() -> Refused.notFound("Offsets of a ClickPipe that is not from Kafka or Kinesis"));
    }

    /** A shard in which nothing was written has no line in the ledger, but a worker that looks at it. */
    private static PipeOffsets shown(PipeParts parts, List<PipeRange> rows, Map<String, PartLag> lags) {
        Map<String, PipeRange> byPart = new HashMap<>();
        rows.forEach(row -> byPart.put(row.part(), row));
        List<Partition> partitions = Stream.concat(rows.stream().map(PipeRange::part), lags.keySet().stream())
                .map(part -> part.startsWith(PipeLedger.SEEK) ? part.substring(PipeLedger.SEEK.length()) : part)
                .filter(parts::isPart)
                .distinct()
                .sorted(PipeParts.order())
                .map(part -> partition(parts, part, byPart, lags.get(part)))
                .toList();
        return new PipeOffsets(parts, place(byPart.get(PipeLedger.SEEK)), partitions);
    }

    private static Partition partition(
            PipeParts parts, String part, Map<String, PipeRange> byPart, @Nullable PartLag lag) {
        PipeRange row = byPart.get(part);
        Place place = row == null ? null : parts.place(row);
        return new Partition(
                part,
                place,
                place == null ? place(byPart.get(PipeLedger.SEEK + part)) : null,
                place instanceof Place.End ? null : lag);
    }

    private static @Nullable String place(@Nullable PipeRange seek) {
        return seek == null || seek.identity().isEmpty() ? null : seek.identity();
    }
}
