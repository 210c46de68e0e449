package io.pilothouse.pipes;

import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeFigures.TableEvents;
import io.pilothouse.core.pipe.progress.PipeOffsets.PartLag;
import io.pilothouse.core.port.Clock;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Report.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a pipe last said, and what that makes of the pipe. Trouble that lasts too long is a failure. Safe
 * for many threads.
 *
 * @param <W> what tells one worker from another
 */
final class PipeHealth<W> {
    /** How long the source may be away. */
    static final Duration WITHOUT_SOURCE = Duration.ofMinutes(15);
    /** How long the database may be away. */
    static final Duration WITHOUT_DESTINATION = Duration.ofHours(1);

    private static final int MEBIBYTE_BITS = 20;

    private final Clock clock;
    private final Map<W, Report> last = new HashMap<>();
    private final PipeTallies tallies;
    private final Map<String, PartLag> lags = new HashMap<>();
    private @Nullable Instant troubleSince;
    private @Nullable Condition trouble;
    private @Nullable String crash;

    PipeHealth(Clock clock) {
        this.clock = clock;
        this.tallies = new PipeTallies(clock);
    }

    /** The phase of the pipe and a sentence if something is wrong. */
    record Verdict(PipePhase phase, @Nullable String sentence) {
        /** With what is wrong with the runner of the workers: it explains why one is missing, and not what one says. */
        Verdict under(Optional<String> trouble, boolean missing) {
            boolean over = phase == PipePhase.FAILED || phase == PipePhase.COMPLETED;
            boolean explained = sentence != null && (over || !missing);
            if (trouble.isEmpty() || explained) {
                return this;
            }
            return new Verdict(phase == PipePhase.PROVISIONING ? PipePhase.DEGRADED : phase, trouble.get());
        }
    }

    /** Forgets old troubles: the pipe was changed. */
    synchronized void begin() {
        troubleSince = null;
        trouble = null;
        crash = null;
        last.clear();
    }

    synchronized void reported(W worker, Report report) {
        last.put(worker, report);
        tallies.add(report);
        Instant now = clock.now();
        report.lags().forEach((part, behind) -> lags.put(part, new PartLag(behind, now)));
    }

    /** Takes note of an end, and how it came; whether the worker had said that it has nothing more to do. */
    synchronized boolean ended(W worker, String how) {
        Report report = last.get(worker);
        boolean said = report != null && isEnd(report);
        if (!said) {
            last.remove(worker);
            crash = how;
        }
        return said;
    }

    private static boolean isEnd(Report report) {
        return report.condition() == Condition.COMPLETED || report.condition() == Condition.FAILED;
    }

    /** What was counted, and how far behind the pipe is; what is not known is missing. */
    synchronized Map<PipeFigure, Long> figures() {
        Map<PipeFigure, Long> figures = tallies.values();
        long lag = lag();
        long latency =
                last.values().stream().mapToLong(Report::latencyMillis).max().orElse(-1);
        long kept = last.values().stream().mapToLong(Report::keptBytes).max().orElse(-1);
        if (lag >= 0) {
            figures.put(PipeFigure.LAG_RECORDS, lag);
        }
        if (latency >= 0) {
            figures.put(PipeFigure.LATENCY_MILLIS, latency);
        }
        if (lag == 0 || latency >= 0) {
            figures.put(PipeFigure.LAG_SECONDS, lag == 0 ? 0 : TimeUnit.MILLISECONDS.toSeconds(latency));
        }
        if (kept >= 0) {
            figures.put(PipeFigure.SLOT_MEBIBYTES, kept >> MEBIBYTE_BITS);
        }
        return figures;
    }

    synchronized List<TableEvents> tables() {
        return tallies.tables();
    }

    /** What was last said of each part. */
    synchronized Map<String, PartLag> lags() {
        return Map.copyOf(lags);
    }

    private long lag() {
        return last.values().stream()
                .mapToLong(Report::lag)
                .filter(lag -> lag >= 0)
                .reduce(Long::sum)
                .orElse(-1);
    }

    /** {@code workers} are those that run, or have ended as they said; {@code wanted} is how many there should be. */
    synchronized Verdict verdict(Collection<W> workers, int wanted, Optional<String> unfit) {
        last.keySet().retainAll(workers);
        List<Report> reports =
                workers.stream().map(last::get).filter(Objects::nonNull).toList();
        Optional<Report> failed = first(reports, Condition.FAILED);
        if (failed.isPresent() || unfit.isPresent()) {
            return new Verdict(
                    PipePhase.FAILED, unfit.orElseGet(() -> failed.orElseThrow().sentence()));
        }
        Optional<Report> troubled =
                first(reports, Condition.WITHOUT_SOURCE).or(() -> first(reports, Condition.WITHOUT_DESTINATION));
        if (troubled.isPresent()) {
            return troubled(troubled.get());
        }
        trouble = null;
        troubleSince = null;
        String sentence = reports.stream()
                .map(Report::sentence)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(null);
        if (reports.size() < wanted || first(reports, Condition.STARTING).isPresent()) {
            return crash == null
                    ? new Verdict(PipePhase.PROVISIONING, sentence)
                    : new Verdict(PipePhase.DEGRADED, crash);
        }
        if (first(reports, Condition.SETUP).isPresent()) {
            return new Verdict(PipePhase.SETUP, sentence);
        }
        crash = null;
        if (first(reports, Condition.SNAPSHOT).isPresent()) {
            return new Verdict(PipePhase.SNAPSHOT, sentence);
        }
        if (first(reports, Condition.BEHIND).isPresent()) {
            return new Verdict(PipePhase.DEGRADED, sentence);
        }
        boolean complete = reports.stream().allMatch(report -> report.condition() == Condition.COMPLETED);
        return new Verdict(complete ? PipePhase.COMPLETED : PipePhase.RUNNING, sentence);
    }

    private Verdict troubled(Report report) {
        Instant now = clock.now();
        if (trouble != report.condition() || troubleSince == null) {
            trouble = report.condition();
            troubleSince = now;
        }
        Duration limit = report.condition() == Condition.WITHOUT_SOURCE ? WITHOUT_SOURCE : WITHOUT_DESTINATION;
        boolean tooLong = Duration.between(troubleSince, now).compareTo(limit) >= 0;
        return new Verdict(tooLong ? PipePhase.FAILED : PipePhase.DEGRADED, report.sentence());
    }

    private static Optional<Report> first(List<Report> reports, Condition condition) {
        return reports.stream()
                .filter(report -> report.condition() == condition)
                .findFirst();
    }
}
