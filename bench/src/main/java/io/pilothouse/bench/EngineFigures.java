package io.pilothouse.bench;

import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.Patience;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.service.ServicePlan;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** How long the engine takes to make a fleet as wanted, over a real store and a plane that takes no time. */
final class EngineFigures {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final int SMALL = 1_000;
    private static final int MIDDLE = 10_000;
    private static final int LARGE = 100_000;
    private static final int BATCH = 1_000;
    private static final double MAX_GROWTH = 1.5;

    private final Machine machine;
    private final Report report;
    private final Scale scale;

    EngineFigures(Machine machine, Report report, Scale scale) {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
    }

    void run() throws IOException, InterruptedException {
        // The first one warms up.
        settle(SMALL);
        double small = settle(SMALL);
        double middle = settle(MIDDLE);
        report.atMost(
                "engine: 10,000 services changed at once", middle, "1,000: " + Report.amount(small, "s"), "s", 60);
        if (scale.large() > LARGE) {
            double large = settle(LARGE);
            report.atMost(
                    "engine: cost of each of 100,000 services, times that of each of 10,000",
                    large / LARGE / (middle / MIDDLE),
                    "100,000: " + Report.amount(large, "s"),
                    "x",
                    MAX_GROWTH);
        }
    }

    private double settle(int services) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(machine.newFolder("engine").resolve("data"));
        Clock clock = Instant::now;
        FakePlane plane = new FakePlane(clock, Duration.ZERO, Duration.ZERO);
        UUID organization = UUID.randomUUID();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Store store =
                        SqliteStore.open(folder, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE)) {
            for (int first = 0; first < services; first += BATCH) {
                store.write(tables -> {
                    for (int number = 0; number < BATCH; number++) {
                        UUID id = UUID.randomUUID();
                        tables.tasks().wake(Kind.SERVICE, id, Urgency.NEW, clock.now());
                        tables.of(Service.KIND).insert(ServiceSample.wanted(id, organization, clock.now()));
                    }
                    return BATCH;
                });
            }
            Pass pass = new ServicePass(
                    new PlannedPass.Ground(
                            store,
                            clock,
                            new Comeback(
                                    Pace.USUAL,
                                    () -> ThreadLocalRandom.current().nextDouble()),
                            new TimeLimit(Runnable::run, PATIENCE, PATIENCE),
                            () -> {}),
                    plane,
                    new ServicePlan(Patience.USUAL, Pace.USUAL),
                    ServiceFollower.NONE);
            Map<Kind, Pass> passes = new EnumMap<>(Kind.class);
            for (Kind kind : Kind.values()) {
                passes.put(kind, pass);
            }
            Dispatcher dispatcher =
                    new Dispatcher(store, clock, passes, threads, "bench", DispatchLimits.USUAL, Pace.USUAL);
            long begun = System.nanoTime();
            dispatcher.start();
            if (!dispatcher.awaitSettled(PATIENCE)) {
                throw new IOException("The engine did not settle " + services + " services in time");
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            dispatcher.stop(Duration.ofSeconds(2));
            return seconds;
        }
    }
}
