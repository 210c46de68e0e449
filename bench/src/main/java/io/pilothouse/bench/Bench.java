package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Measures the built program and prints each figure beside its limit. Arguments: the program's jar, the page to write
 * the figures into, and {@code quick} for a run that only shows that everything works and writes nothing.
 */
final class Bench {
    private static final String BEGIN = "<!-- figures of ./pilothouse bench: begin -->";
    private static final String END = "<!-- figures of ./pilothouse bench: end -->";
    private static final int FEW = 1_000;

    private Bench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> given = List.of(arguments);
        Scale scale = given.contains("quick") ? Scale.quick() : Scale.whole();
        Report report = new Report();
        String tool;
        try (Machine machine = Machine.of(Path.of(given.getFirst()))) {
            Load load = new Load(machine);
            tool = load.tool();
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
        }
        if (!given.contains("quick")) {
            writeInto(Path.of(given.get(1)), report, tool);
        }
        System.out.println(report.reached() ? "Every limit was reached." : "Not every limit was reached.");
    }

    private static void writeInto(Path page, Report report, String tool) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException("The page " + page.getFileName() + " has no place for the figures");
        }
        String figures = BEGIN + "\n\nMeasured on " + LocalDate.now(ZoneOffset.UTC) + ": "
                + Runtime.getRuntime().availableProcessors() + " processors, JDK "
                + Runtime.version().feature() + ", load from " + tool + ".\n\n" + report.table() + "\n";
        Files.writeString(page, text.substring(0, begin) + figures + text.substring(end));
    }
}
