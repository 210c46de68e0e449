package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Errand;
import io.pilothouse.pipes.wire.Assignment.Share;
import io.pilothouse.pipes.wire.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each worker of a pipe has to do, from what the pipe and its service say. */
final class Assignments {
    private static final int GIGABYTES_OF_A_FILE_WORKER = 8;
    private static final int MAX_FILES_AT_ONCE = 35;

    /** Where sources are that have no address of their own, if the operator says: {@code kinesis} is that of streams. */
    record SourcePlace(Optional<String> kinesis) {
        Tree.Members of(PipeKind kind, Tree.Members source) {
            return switch (kind) {
                case KINESIS ->
                    kinesis.map(address -> source.with("address", new Tree.Text(address)))
                            .orElse(source);
                case KAFKA, OBJECT_STORAGE, PUBSUB, POSTGRES, MYSQL, MONGODB, BIGQUERY -> source;
            };
        }
    }

    private final PipeGround ground;
    private final PipeSecrets secrets;

    Assignments(PipeGround ground) {
        this.ground = ground;
        this.secrets = new PipeSecrets(ground.vault());
    }

    /** One for each replica, in the order of their numbers; the first does the replays up to this number. */
    List<Assignment> of(Pipe pipe, long replay) {
        PipeScaling scaling = size(pipe);
        List<Assignment> assignments = new ArrayList<>();
        for (int index = 0; index < scaling.replicas(); index++) {
            assignments.add(assignment(pipe, scaling, index, Errand.MOVE, index == 0 ? replay : 0));
        }
        return assignments;
    }

    /** For a worker that goes to the source for a moment, and moves nothing. */
    Assignment visit(Pipe pipe, Errand errand) {
        return assignment(pipe, size(pipe), 0, errand, 0);
    }

    /** How many workers of which size: those of a database share one slot, and so are one. */
    PipeScaling size(Pipe pipe) {
        if (!pipe.database()) {
            return pipe.scaling();
        }
        return ground.store()
                .read(rows -> rows.of(PipeCdcScaling.KIND).find(pipe.serviceId()))
                .map(shared -> new PipeScaling(1, 0, shared.replicaCpuMillicores(), shared.replicaMemoryGb()))
                .orElse(PipeScaling.SMALLEST);
    }

    private Assignment assignment(Pipe pipe, PipeScaling scaling, int index, Errand errand, long replay) {
        return new Assignment(
                pipe.id().toString(),
                pipe.kind().member(),
                source(pipe),
                secrets.of(pipe),
                pipe.settings(),
                TargetColumns.of(pipe),
                pipe.want().resyncs(),
                errand,
                replay,
                new Share(
                        index,
                        scaling.replicas(),
                        concurrency(pipe),
                        scaling.replicaMemoryGb(),
                        scaling.replicaCpuMillicores()));
    }

    /** The source, each of its tables with how often it was to be read again. */
    private Tree.Members source(Pipe pipe) {
        Tree.Members source = new SourcePlace(ground.kinesis()).of(pipe.kind(), pipe.source());
        if (pipe.want().tables().values().isEmpty()) {
            return source;
        }
        List<Tree> mappings = source.objects("tableMappings").stream()
                .<Tree>map(mapping -> mapping.with(
                        Words.TIMES_AGAIN,
                        new Tree.Figure(
                                pipe.timesAgain(mapping.text("targetTable").orElse("")))))
                .toList();
        return source.with("tableMappings", new Tree.Items(mappings));
    }

    /** As many files at once as were asked for, otherwise one for each eight gigabytes of the service. */
    private int concurrency(Pipe pipe) {
        if (pipe.scaling().concurrency() > 0) {
            return pipe.scaling().concurrency();
        }
        return pipe.settings()
                .number("object_storage_concurrency")
                .map(Double::intValue)
                .orElseGet(() -> ground.store()
                        .read(rows -> rows.of(Service.KIND).find(pipe.serviceId()))
                        .map(service -> service.scalingNow().maxReplicaMemoryGb() / GIGABYTES_OF_A_FILE_WORKER)
                        .map(files -> Math.clamp(files, 1, MAX_FILES_AT_ONCE))
                        .orElse(1));
    }
}
