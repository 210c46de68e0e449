package io.pilothouse.server.certify;

import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.certify.Step.Result;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.log.Escaped;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes the steps one after another, times them, and prints a line for each as it ends. */
final class Report {
    private static final int NAME_WIDTH = 50;
    private static final int MAX_DETAILS = 25;

    private final PrintStream out;
    private final LongSupplier nanoTime;
    private final Masked masked;
    private final List<Step> steps = new ArrayList<>();
    private String open = "";
    private long began;

    Report(PrintStream out, LongSupplier nanoTime, Masked masked) {
        this.out = out;
        this.nanoTime = nanoTime;
        this.masked = masked;
    }

    /** What a step does. */
    @FunctionalInterface
    interface Work {
        Result run() throws TerraformFailed, CommandRefused, IOException, InterruptedException;
    }

    /** Takes one step: whatever goes wrong in it is its failure. */
    Result take(String name, Work work) throws InterruptedException {
        begin(name);
        Result result;
        try {
            result = work.run();
        } catch (TerraformFailed e) {
            result = Result.failed(e.command() + " failed", e.lines());
        } catch (CommandRefused e) {
            result = Result.failed("", List.of(e.sentence()));
        } catch (IOException e) {
            result = Result.failed("", List.of(String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            end(Result.failed("interrupted", List.of()));
            throw e;
        }
        return end(result);
    }

    Result skip(String name, String why) {
        begin(name);
        return end(Result.skipped(why));
    }

    private void begin(String name) {
        open = Escaped.text(masked.text(name));
        began = nanoTime.getAsLong();
        out.print(String.format(Locale.ROOT, "%3d  %-" + NAME_WIDTH + "s ", steps.size() + 1, open));
        out.flush();
    }

    private Result end(Result result) {
        Duration took = Duration.ofNanos(nanoTime.getAsLong() - began);
        Result shown = new Result(
                result.outcome(),
                Escaped.text(masked.text(result.note())),
                details(result.details()).stream()
                        .map(line -> Escaped.text(masked.text(line)))
                        .toList());
        Step step = new Step(open, shown, took);
        steps.add(step);
        String time = shown.outcome() == Outcome.SKIPPED ? "" : seconds(took) + " s";
        out.println(String.format(Locale.ROOT, "%-7s %8s  %s", shown.outcome().word(), time, shown.note())
                .stripTrailing());
        shown.details().forEach(line -> out.println("       " + line));
        out.flush();
        return shown;
    }

    private static List<String> details(List<String> all) {
        return all.size() <= MAX_DETAILS
                ? all
                : Stream.concat(
                                all.stream().limit(MAX_DETAILS),
                                Stream.of("... and " + (all.size() - MAX_DETAILS) + " more lines"))
                        .toList();
    }

    static String seconds(Duration took) {
        return String.format(Locale.ROOT, "%.1f", took.toNanos() / 1e9);
    }

    List<Step> steps() {
        return List.copyOf(steps);
    }

    long count(Outcome outcome) {
        return steps.stream().filter(step -> step.result().outcome() == outcome).count();
    }

    /** The last line. */
    void close() {
        String counts = Stream.of(Outcome.values())
                .map(outcome -> count(outcome) + " " + outcome.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        Duration total = steps.stream().map(Step::took).reduce(Duration.ZERO, Duration::plus);
        out.println();
        out.println((count(Outcome.FAILED) == 0 ? "Certified: " : "Not certified: ") + counts + ", in " + seconds(total)
                + " s.");
    }
}
