package io.pilothouse.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The program beside Prism, which generates answers from an OpenAPI document and is what a user would otherwise run in
 * CI. Both serve this project's document to the same load.
 */
final class PrismFigures {
    private static final String VERSION = "5.16.0";
    private static final String PACKAGE = "@stoplight/prism-cli@" + VERSION;
    private static final int CONNECTIONS = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long LOOK_MILLIS = 10;

    private final Machine machine;
    private final Report report;
    private final Load load;
    private final Scale scale;

    PrismFigures(Machine machine, Report report, Load load, Scale scale) {
        this.machine = machine;
        this.report = report;
        this.load = load;
        this.scale = scale;
    }

    private record Run(double startSeconds, double perSecond, double residentMib) {}

    void run(RequestFigures.Ground ground) throws IOException, InterruptedException {
        Optional<Path> prism = install();
        if (prism.isEmpty()) {
            System.out.println("Prism is not measured: npm is not there, or could not fetch it.");
            return;
        }
        Path document = document(ground);
        List<Run> ours = new ArrayList<>();
        List<Run> theirs = new ArrayList<>();
        for (int round = 0; round < scale.rounds(); round++) {
            ours.add(ours(ground));
            theirs.add(theirs(prism.get(), document, ground.paths()));
        }
        compare("start to first answer", ours, theirs, Run::startSeconds, "s");
        compare("resident memory after load", ours, theirs, Run::residentMib, "MiB");
        report.atLeast(
                "beside Prism " + VERSION + ": GET of a service, 32 connections",
                each(ours, Run::perSecond),
                each(theirs, Run::perSecond),
                "/s",
                1);
    }

    private void compare(String what, List<Run> ours, List<Run> theirs, ToDoubleFunction<Run> figure, String unit) {
        double limit = Report.median(each(theirs, figure));
        report.atMost(
                "beside Prism " + VERSION + ": " + what, each(ours, figure), Report.amount(limit, unit), unit, limit);
    }

    private static List<Double> each(List<Run> runs, ToDoubleFunction<Run> figure) {
        return runs.stream().map(figure::applyAsDouble).toList();
    }

    private Run ours(RequestFigures.Ground ground) throws IOException, InterruptedException {
        try (Program program = Program.start(machine, ground.data())) {
            Request get = Request.get("", program.authorization());
            double rate = load.perSecond(program.management(), get, ground.paths(), CONNECTIONS, scale.span());
            return new Run(program.toFirstAnswer().toMillis() / 1000.0, rate, program.residentMib());
        }
    }

    private Run theirs(Path prism, Path document, List<String> paths) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        URI address = URI.create("http://127.0.0.1:" + port);
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(
                        prism.toString(), "mock", "--verboseLevel=silent", "--port=" + port, document.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Request get = Request.get("", "Basic bWVhc3VyZWQ6bWVhc3VyZWQ=");
            awaitAnswer(process, address, get.at(paths.getFirst()));
            double start = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0;
            double rate = load.perSecond(address, get, paths, CONNECTIONS, scale.span());
            return new Run(start, rate, Machine.residentMib(process.toHandle()));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static void awaitAnswer(Process process, URI address, Request get)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (Wire wire = new Wire(address)) {
                wire.exchange(get);
                return;
            } catch (ConnectException notYet) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw new IOException("Prism did not start", notYet);
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }
    }

    /** Fetches it once, into a folder that outlives this run. */
    private static Optional<Path> install() throws InterruptedException {
        String cache = Objects.requireNonNullElse(
                System.getenv("XDG_CACHE_HOME"),
                Path.of(System.getProperty("user.home"), ".cache").toString());
        Path folder = Path.of(cache, "pilothouse", "prism-" + VERSION);
        Path prism = folder.resolve(Path.of("node_modules", ".bin", "prism"));
        if (Files.exists(prism)) {
            return Optional.of(prism);
        }
        System.out.println("fetching " + PACKAGE);
        try {
            Files.createDirectories(folder);
            Process npm = new ProcessBuilder(
                            "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix=" + folder, PACKAGE)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return npm.waitFor() == 0 ? Optional.of(prism) : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /** The document as the program serves it: the one that is written has marks that only the program knows. */
    private Path document(RequestFigures.Ground ground) throws IOException {
        Path document = machine.folder().resolve("openapi.json");
        try (Program program = Program.start(machine, ground.data());
                InputStream served =
                        program.management().resolve("/openapi.json").toURL().openStream()) {
            Files.copy(served, document);
        }
        return document;
    }
}
