package io.pilothouse.testkit.soak;

import io.pilothouse.testkit.soak.SoakProgram.Held;
import io.pilothouse.testkit.soak.SoakWalker.Deed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The real program with real databases in the hands of clients that never rest, in three legs: one in which it is
 * killed, one in which it warms up, and one after which it may hold no more than before. Each leg ends with everything
 * as wanted, then deleted, and with nothing left over. The seed decides what is done; what happens meanwhile is up to
 * the machine.
 */
public final class Soak {
    private static final double UNTIL_SPARED = 0.5;
    private static final double UNTIL_WARM = 0.7;

    /** What it holds may grow this often, and by this many bytes, threads or files beyond that. */
    private static final double MAX_GROWTH = 1.5;

    private static final long LIVE_BYTES = 8 << 20;
    private static final long THREADS = 16;
    private static final long FILES = 32;
    private static final int MAX_LAST_WORDS = 60;

    private final Plan plan;
    private final SoakProgram program;
    private final List<SoakWalker> walkers = new ArrayList<>();
    private final AtomicLong batches = new AtomicLong();
    private final long begun = System.nanoTime();

    /**
     * What is walked on: {@code command} starts the program and ends where its arguments begin, of which {@code flags}
     * are some; the folder is empty.
     */
    public record Place(List<String> command, List<String> flags, Path folder, SoakPorts ports) {}

    /** How far it goes: as many steps of each walker, and on until the time is over. */
    public record Plan(int walkers, int servicesOfEach, int steps, Duration time) {
        /** Two at once, however long that takes here. */
        public static Plan steps(int steps) {
            return new Plan(2, 2, steps, Duration.ZERO);
        }

        /** Long enough for services to fall asleep. */
        public static Plan lasting(Duration time) {
            return new Plan(3, 3, 0, time);
        }

        boolean lastsLong() {
            return !time.isZero();
        }
    }

    /** What was done, what the program held when warm and at the end, at rest, and what it logged as bugs. */
    public record Outcome(
            Map<Deed, Integer> done, int starts, long batches, Held warm, Held end, List<String> errors) {}

    private Soak(SoakProgram program, long seed, Plan plan) {
        this.program = program;
        this.plan = plan;
        SplittableRandom chance = new SplittableRandom(seed);
        for (int walker = 0; walker < plan.walkers(); walker++) {
            walkers.add(new SoakWalker(program, chance.split(), batches, "Walker " + walker, plan));
        }
    }

    /** Walks to the end, or fails with the last that was logged. */
    public static Outcome run(Place place, long seed, Plan plan) throws IOException, InterruptedException {
        try (SoakProgram program = new SoakProgram(place)) {
            try {
                return new Soak(program, seed, plan).walk();
            } catch (AssertionError e) {
                List<String> logged = program.logged();
                e.addSuppressed(new AssertionError(String.join(
                        "\n", logged.subList(Math.max(0, logged.size() - MAX_LAST_WORDS), logged.size()))));
                throw e;
            }
        }
    }

    private Outcome walk() throws IOException, InterruptedException {
        program.start(false);
        leg(UNTIL_SPARED, false);
        leg(UNTIL_WARM, true);
        Held warm = program.held();
        leg(1, true);
        Held end = program.held();
        flat(warm, end);
        program.stop();
        nothingIsLeft();
        List<String> errors = program.logged().stream()
                .filter(line -> line.contains("level=error"))
                .toList();
        return new Outcome(done(), program.starts(), batches.get(), warm, end, errors);
    }

    private void leg(double until, boolean sparing) throws IOException, InterruptedException {
        together(walker -> {
            while (goesOn(walker.steps(), until)) {
                walker.step(sparing);
            }
        });
        if (!sparing) {
            // Once at least, whatever the seed says.
            program.kill(false, List.of());
        }
        everyServiceIsListed();
        together(this::settle);
        together(walker -> {
            for (SoakService service : List.copyOf(walker.services())) {
                walker.delete(service);
            }
        });
        nothingOfServicesIsLeft();
    }

    private boolean goesOn(int step, double until) {
        return step < plan.steps() * until
                || System.nanoTime() - begun < plan.time().toNanos() * until;
    }

    @FunctionalInterface
    private interface Part {
        void walk(SoakWalker walker) throws IOException, InterruptedException;
    }

    /** All walkers do this at once; one that fails ends the others. */
    private void together(Part part) throws InterruptedException {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            CompletionService<SoakWalker> parts = new ExecutorCompletionService<>(threads);
            for (SoakWalker walker : walkers) {
                Future<SoakWalker> _ = parts.submit(() -> {
                    part.walk(walker);
                    return walker;
                });
            }
            try {
                for (SoakWalker _ : walkers) {
                    parts.take().get();
                }
            } catch (ExecutionException e) {
                throw new AssertionError("A walker failed", e.getCause());
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private void everyServiceIsListed() throws InterruptedException {
        Set<String> wanted = new HashSet<>();
        walkers.forEach(
                walker -> walker.services().forEach(service -> wanted.add(service.id() + " " + service.name())));
        Set<String> there = new HashSet<>();
        for (JsonNode service : program.get("/services").result()) {
            there.add(service.path("id").asString() + " " + service.path("name").asString());
        }
        if (!there.equals(wanted)) {
            throw new AssertionError("Listed are " + there + " instead of " + wanted);
        }
    }

    /** Each is as it is wanted, and has what it was given. */
    private void settle(SoakWalker walker) throws InterruptedException {
        for (SoakService service : walker.services()) {
            if (service.isRunning()) {
                walker.awaitState(service, "running", "idle");
            } else {
                walker.awaitState(service, "stopped");
                walker.command(service, true);
            }
            service.check();
            service.rest(false);
        }
    }

    private void nothingOfServicesIsLeft() throws InterruptedException {
        SoakWait.untilNothingIsMissing(
                "nothing is left of services", () -> left(program.ports().takenByServices()));
    }

    private void nothingIsLeft() throws InterruptedException {
        SoakWait.untilNothingIsMissing(
                "nothing is left", () -> left(program.ports().taken()));
    }

    /** Processes, ports and files; empty when nothing is left. */
    private String left(List<Integer> ports) throws IOException {
        List<String> left = new ArrayList<>();
        program.databases().forEach(process -> left.add("process " + process.pid()));
        ports.forEach(port -> left.add("port " + port));
        left.addAll(files(program.data().resolve("services")));
        left.addAll(files(program.data().resolve("proofs")));
        return String.join(", ", left);
    }

    /** But for those that stay; where nothing can be proven there is no folder for proofs. */
    private static List<String> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !folder.relativize(file).toString().startsWith("."))
                    .map(file -> "file " + file)
                    .toList();
        }
    }

    private void flat(Held warm, Held end) {
        boolean flat = end.liveBytes() <= warm.liveBytes() * MAX_GROWTH + LIVE_BYTES
                && end.threads() <= warm.threads() * MAX_GROWTH + THREADS
                && end.files() <= warm.files() * MAX_GROWTH + FILES;
        if (!flat) {
            throw new AssertionError("At rest it held " + warm + " when warm, and at the end " + end);
        }
    }

    private Map<Deed, Integer> done() {
        Map<Deed, Integer> all = new EnumMap<>(Deed.class);
        walkers.forEach(walker -> walker.done().forEach((deed, times) -> all.merge(deed, times, Integer::sum)));
        return all;
    }
}
