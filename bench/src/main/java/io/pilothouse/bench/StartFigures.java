package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How soon the program answers after its start, and how much memory it needs when idle. */
final class StartFigures {
    private static final int QUIET_SECONDS = 5;

    private final Machine machine;
    private final Report report;
    private final Scale scale;

    StartFigures(Machine machine, Report report, Scale scale) {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
    }

    void run(Path largeData) throws IOException, InterruptedException {
        List<Double> cached = new ArrayList<>();
        List<Double> plain = new ArrayList<>();
        List<Double> large = new ArrayList<>();
        List<Double> again = new ArrayList<>();
        for (int round = 0; round < scale.rounds(); round++) {
            Path data = machine.newFolder("start").resolve("data");
            cached.add(seconds(data, true));
            again.add(seconds(data, true));
            plain.add(seconds(machine.newFolder("start").resolve("data"), false));
            large.add(seconds(largeData, true));
        }
        report.atMost(
                "start to first 200, empty store",
                cached,
                "without AOT cache " + Report.amount(Report.median(plain), "s"),
                "s",
                0.60);
        report.atMost(
                "start with " + Report.count(scale.large()) + " services, times that with none",
                Report.ratios(large, again),
                Report.amount(Report.median(large), "s") + " against " + Report.amount(Report.median(again), "s"),
                "x",
                1.2);
        try (Program program = Program.start(machine, machine.newFolder("idle").resolve("data"))) {
            TimeUnit.SECONDS.sleep(QUIET_SECONDS);
            report.atMost("resident memory, idle", program.residentMib(), "", "MiB", 110);
        }
    }

    private double seconds(Path data, boolean cached) throws IOException {
        try (Program program = Program.start(machine, data, cached)) {
            Duration took = program.toFirstAnswer();
            return took.toMillis() / 1000.0;
        }
    }
}
