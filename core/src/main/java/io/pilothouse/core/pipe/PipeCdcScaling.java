package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Stored;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The size that all database pipes of one service share; there from the first such pipe on. */
public record PipeCdcScaling(Head head, int replicaCpuMillicores, double replicaMemoryGb) implements Stored {
    /** One row for a service, under its own id. */
    public static final Kind<PipeCdcScaling> KIND = new Kind<>("pipe_cdc_scalings", PipeCdcScaling.class);

    private static final int MILLICORES = 1000;
    private static final int GB_PER_CORE = 4;

    /** Two cores, the smallest unit that the live service bills. */
    public static PipeCdcScaling first(UUID serviceId, Instant now) {
        return new PipeCdcScaling(Head.own(serviceId, now), 2 * MILLICORES, 2 * GB_PER_CORE);
    }

    public UUID serviceId() {
        return head.ownerId();
    }

    /** Checks what was given by itself. */
    public static void alone(@Nullable Double millicores, @Nullable Double memoryGb, Faults faults) {
        RuleBook.CDC_CPU_MILLICORES.check("replicaCpuMillicores", millicores, faults);
        RuleBook.CDC_MEMORY_GB.check("replicaMemoryGb", memoryGb, faults);
    }

    /** This size with what was given, each in its range; memory must be four times the cores, whichever was given. */
    public PipeCdcScaling with(@Nullable Double millicores, @Nullable Double memoryGb, Faults faults) {
        int cpu = millicores == null ? replicaCpuMillicores : millicores.intValue();
        double memory = memoryGb == null ? replicaMemoryGb : memoryGb;
        if (memory * MILLICORES != (double) cpu * GB_PER_CORE) {
            faults.add("replicaMemoryGb", "must be four times the cores: " + cpu * GB_PER_CORE / MILLICORES);
        }
        return new PipeCdcScaling(head, cpu, memory);
    }
}
