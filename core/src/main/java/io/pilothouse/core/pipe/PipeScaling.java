package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import org.jspecify.annotations.Nullable;

/** How large a pipe's workers are; every field is kept for every kind of pipe. */
public record PipeScaling(int replicas, int concurrency, int replicaCpuMillicores, double replicaMemoryGb) {
    /** One worker of the smallest size; concurrency 0 leaves the choice to the service's memory. */
    public static final PipeScaling SMALLEST = new PipeScaling(1, 0, 125, 0.5);

    /** A scaling request as it was read: null is "leave it". */
    public record Change(
            @Nullable Double replicas,
            @Nullable Double concurrency,
            @Nullable Double replicaCpuMillicores,
            @Nullable Double replicaMemoryGb) {

        /** Reports every field that is out of its range. */
        public void check(String path, RuleBook rules, Faults faults) {
            rules.pipeReplicas().check(path + "replicas", replicas, faults);
            RuleBook.PIPE_CONCURRENCY.check(path + "concurrency", concurrency, faults);
            RuleBook.PIPE_CPU_MILLICORES.check(path + "replicaCpuMillicores", replicaCpuMillicores, faults);
            RuleBook.PIPE_MEMORY_GB.check(path + "replicaMemoryGb", replicaMemoryGb, faults);
        }
    }

    public PipeScaling with(Change change) {
        return new PipeScaling(
                change.replicas() == null ? replicas : change.replicas().intValue(),
                change.concurrency() == null
                        ? concurrency
                        : change.concurrency().intValue(),
                change.replicaCpuMillicores() == null
                        ? replicaCpuMillicores
                        : change.replicaCpuMillicores().intValue(),
                change.replicaMemoryGb() == null ? replicaMemoryGb : change.replicaMemoryGb());
    }
}
