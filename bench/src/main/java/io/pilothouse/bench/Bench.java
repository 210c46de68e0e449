package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogManager;

/**
 * Measures the built program and prints each figure beside its limit. Arguments: the program's jar, the page to write
 * the figures into, {@code pipes}, {@code door} or {@code shared} for those of pipes, of the front door or of a shared store instead of
 * the control plane's, and {@code quick} for a run that only shows that everything works and writes nothing; or {@code soak} or
 * {@code crowd}, which write nothing and start real databases: {@link LongSoak}, {@link Crowd}.
 */
final class Bench {
    private static final String CONTROL_PLANE = "./pilothouse bench";
    private static final String PIPES = "./pilothouse bench pipes";
    private static final String DOOR = "./pilothouse bench door";
    private static final String SHARED = "./pilothouse bench shared";
    private static final int FEW = 1_000;

    private Bench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> given = List.of(arguments);
        boolean quick = given.contains("quick");
        // The clients of Kafka say at length how they are.
        LogManager.getLogManager().getLogger("").setLevel(Level.WARNING);
        try (Machine machine = Machine.of(Path.of(given.getFirst()))) {
            if (given.contains("door") && !Machine.has("wrk")) {
                System.out.println(
                        "Nothing was measured: the load of the front door comes from wrk, which is not here");
            } else if (given.contains("shared") && !Machine.has("pgbench")) {
                System.out.println("Nothing was measured: the limit of creates comes from pgbench, which is not here");
            } else if (given.contains("soak")) {
                LongSoak.run(machine, given);
            } else if (given.contains("crowd")) {
                Crowd.run(machine, given);
            } else {
                figures(machine, given, quick);
            }
        }
    }

    private static void figures(Machine machine, List<String> given, boolean quick)
            throws IOException, InterruptedException {
        Report report = new Report();
        String command;
        String tool;
        if (given.contains("pipes")) {
            command = PIPES;
            tool = "";
            new PipeFigures(machine, report, quick ? PipeFigures.Amount.quick() : PipeFigures.Amount.whole()).run();
        } else if (given.contains("door")) {
            command = DOOR;
            tool = ", load from wrk";
            new DoorFigures(machine, report, quick ? Scale.quick() : Scale.whole()).run();
        } else if (given.contains("shared")) {
            command = SHARED;
            tool = ", load from " + new Load(machine).tool();
            SharedFigures.run(machine, report, quick ? Scale.quick() : Scale.whole());
        } else {
            command = CONTROL_PLANE;
            tool = ", load from " + controlPlane(machine, report, quick ? Scale.quick() : Scale.whole());
        }
        if (!quick) {
            writeInto(Path.of(given.get(1)), command, report, tool);
        }
        System.out.println(report.reached() ? "Every limit was reached." : "Not every limit was reached.");
    }

    /** Returns where the load came from. */
    private static String controlPlane(Machine machine, Report report, Scale scale)
            throws IOException, InterruptedException {
        Load load = new Load(machine);
        RequestFigures requests = new RequestFigures(machine, report, load, scale);
        new EngineFigures(machine, report, scale).run();
        new CreateFigures(machine, report, load, scale).run();
        new PrismFigures(machine, report, load, scale).run(requests.ground(1));
        requests.list(requests.ground(scale.listed()), scale.listed());
        requests.mixed(requests.ground(scale.middle()));
        RequestFigures.Ground large = requests.ground(scale.large());
        new StartFigures(machine, report, scale).run(large.data());
        requests.reads(requests.ground(FEW), large);
        new HotFigures(report, scale).run();
        return load.tool();
    }

    private static void writeInto(Path page, String command, Report report, String tool) throws IOException {
        String text = Files.readString(page);
        String mark = "<!-- figures of " + command + ": ";
        int begin = text.indexOf(mark + "begin -->");
        int end = text.indexOf(mark + "end -->");
        if (begin < 0 || end < begin) {
            throw new IOException("The page " + page.getFileName() + " has no place for the figures");
        }
        String figures = mark + "begin -->\n\nMeasured on " + LocalDate.now(ZoneOffset.UTC) + ": "
                + Runtime.getRuntime().availableProcessors() + " processors, JDK "
                + Runtime.version().feature() + tool + ".\n\n" + report.table() + "\n";
        Files.writeString(page, text.substring(0, begin) + figures + text.substring(end));
    }
}
