package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.PipeSeen;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Pipes as rows, owned by their service; what is secret of them is sealed before it comes here. */
final class PipeRows implements Rows<Pipe> {
    @Override
    public Kind<Pipe> kind() {
        return Pipe.KIND;
    }

    @Override
    public @Nullable String reference(Pipe row) {
        return null;
    }

    @Override
    public String label(Pipe row) {
        return row.label().text();
    }

    @Override
    public void write(Pipe row, DocumentOut document) {
        document.text("organizationId", row.organizationId())
                .text("updatedAt", row.updatedAt())
                .text("name", row.name())
                .text("kind", row.kind().name())
                .tree("source", row.source())
                .text("sealedSecrets", row.sealedSecrets())
                .tree("destination", row.destination())
                .tree("fieldMappings", row.fieldMappings())
                .tree("settings", row.settings())
                .object(
                        "scaling",
                        scaling -> scaling.number("replicas", row.scaling().replicas())
                                .number("concurrency", row.scaling().concurrency())
                                .number("replicaCpuMillicores", row.scaling().replicaCpuMillicores())
                                .fraction("replicaMemoryGb", row.scaling().replicaMemoryGb()))
                .object(
                        "want",
                        want -> want.text("wish", row.want().wish())
                                .number("generation", row.want().generation())
                                .number("resyncs", row.want().resyncs())
                                .text("since", row.want().since()))
                .object(
                        "seen",
                        seen -> seen.text("phase", row.seen().phase())
                                .number("generation", row.seen().generation())
                                .number("resyncs", row.seen().resyncs())
                                .text("trouble", row.seen().trouble())
                                .text("since", row.seen().since()));
    }

    @Override
    public Pipe read(Head head, DocumentIn document) {
        return new Pipe(
                head.id(),
                head.ownerId(),
                document.id("organizationId", head.ownerId()),
                head.createdAt(),
                document.instant("updatedAt", head.createdAt()),
                head.version(),
                document.text("name", ""),
                document.choice("kind", PipeKind.KAFKA),
                document.members("source"),
                document.textOrNull("sealedSecrets"),
                document.members("destination"),
                document.items("fieldMappings"),
                document.members("settings"),
                readScaling(document.object("scaling")),
                readWant(document.object("want"), head.createdAt()),
                readSeen(document.object("seen"), head.createdAt()));
    }

    private static PipeScaling readScaling(DocumentIn document) {
        PipeScaling fallback = PipeScaling.SMALLEST;
        return new PipeScaling(
                document.number("replicas", fallback.replicas()),
                document.number("concurrency", fallback.concurrency()),
                document.number("replicaCpuMillicores", fallback.replicaCpuMillicores()),
                document.fraction("replicaMemoryGb", fallback.replicaMemoryGb()));
    }

    private static Pipe.Want readWant(DocumentIn document, Instant created) {
        return new Pipe.Want(
                document.choice("wish", Pipe.Wish.RUN),
                document.number("generation", 1),
                document.number("resyncs", 0),
                document.instant("since", created));
    }

    private static PipeSeen readSeen(DocumentIn document, Instant created) {
        return new PipeSeen(
                document.choice("phase", PipePhase.UNKNOWN),
                document.number("generation", 0),
                document.number("resyncs", 0),
                document.textOrNull("trouble"),
                document.instant("since", created));
    }

    @Override
    public Pipe withVersion(Pipe row, long version) {
        return new Pipe(
                row.id(),
                row.serviceId(),
                row.organizationId(),
                row.createdAt(),
                row.updatedAt(),
                version,
                row.name(),
                row.kind(),
                row.source(),
                row.sealedSecrets(),
                row.destination(),
                row.fieldMappings(),
                row.settings(),
                row.scaling(),
                row.want(),
                row.seen());
    }
}
