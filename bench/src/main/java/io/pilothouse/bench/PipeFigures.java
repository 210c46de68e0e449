package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.List;

/** What pipes carry, from real sources of this machine into a real database, each beside what the database does alone. */
final class PipeFigures {
    private final Machine machine;
    private final Report report;
    private final PipeScale scale;

    PipeFigures(Machine machine, Report report, PipeScale scale) {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
    }

    void run() throws IOException, InterruptedException {
        int shelf = Broker.freePort();
        try (Broker broker = new Broker(machine);
                TableFigures tables = new TableFigures(report, scale);
                PipedService service =
                        new PipedService(machine, List.of(broker.place(), tables.place(), "127.0.0.1:" + shelf))) {
            broker.fill("quiet", 1, Files.createFile(machine.newFolder("quiet").resolve("lines")));
            new FileFigures(machine, report, scale).run(service, shelf);
            new StreamFigures(machine, report, scale).run(service, broker);
            tables.run(service);
            new RestFigures(report, scale).run(service, broker);
        } catch (SQLException failed) {
            throw new IOException("PostgreSQL does not do what it should", failed);
        }
    }
}
