package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.pipe.PipeCdcScaling;
import org.jspecify.annotations.Nullable;

/** The shared size of a service's database pipes as a row, under the service's own id. */
final class PipeCdcScalingRows implements Rows<PipeCdcScaling> {
    @Override
    public Kind<PipeCdcScaling> kind() {
        return PipeCdcScaling.KIND;
    }

    @Override
    public @Nullable String reference(PipeCdcScaling row) {
        return null;
    }

    @Override
    public void write(PipeCdcScaling row, DocumentOut document) {
        document.number("replicaCpuMillicores", row.replicaCpuMillicores())
                .fraction("replicaMemoryGb", row.replicaMemoryGb());
    }

    @Override
    public PipeCdcScaling read(Head head, DocumentIn document) {
        PipeCdcScaling fallback = PipeCdcScaling.first(head.id(), head.createdAt());
        return new PipeCdcScaling(
                head.id(),
                head.createdAt(),
                head.version(),
                document.number("replicaCpuMillicores", fallback.replicaCpuMillicores()),
                document.fraction("replicaMemoryGb", fallback.replicaMemoryGb()));
    }

    @Override
    public PipeCdcScaling withVersion(PipeCdcScaling row, long version) {
        return new PipeCdcScaling(
                row.serviceId(), row.createdAt(), version, row.replicaCpuMillicores(), row.replicaMemoryGb());
    }
}
