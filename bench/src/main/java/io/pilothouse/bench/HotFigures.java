package io.pilothouse.bench;

import java.util.Collection;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The cost of the parts that every request passes. */
final class HotFigures {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final Report report;
    private final Scale scale;

    HotFigures(Report report, Scale scale) {
        this.report = report;
        this.scale = scale;
    }

    void run() {
        TimeValue time = TimeValue.milliseconds(scale.span().toMillis() / scale.rounds());
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(HotPaths.class.getName())
                .addProfiler(GCProfiler.class)
                .jvmArgs(Machine.FLAGS.toArray(String[]::new))
                .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow")
                .warmupIterations(scale.rounds())
                .warmupTime(time)
                .measurementIterations(scale.rounds())
                .measurementTime(time)
                .verbosity(VerboseMode.SILENT);
        try {
            Collection<RunResult> results = new Runner(options.build()).run();
            for (RunResult result : results) {
                report.cost(
                        result.getPrimaryResult().getLabel(),
                        result.getPrimaryResult().getScore(),
                        Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATED))
                                .getScore());
            }
        } catch (RunnerException e) {
            throw new IllegalStateException("The hot paths could not be measured", e);
        }
    }
}
