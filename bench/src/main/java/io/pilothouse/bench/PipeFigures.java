package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What pipes carry, from real sources of this machine into a real database, each beside what the database does alone. */
final class PipeFigures {
    private final Machine machine;
    private final Report report;
    private final Amount scale;

    /** How much pipes carry while they are measured: the whole, or a quick look that shows that everything runs. */
    record Amount(int rounds, int messages, int files, int fileBytes, int tableRows, int changes, Duration calm) {
        private static final int FILE_BYTES = 10_000_000;

        /** Takes some eight minutes on two processors. */
        static Amount whole() {
            return new Amount(3, 1_000_000, 100, FILE_BYTES, 5_000_000, 300_000, Duration.ofSeconds(20));
        }

        static Amount quick() {
            return new Amount(1, 100_000, 10, FILE_BYTES / 5, 300_000, 30_000, Duration.ofSeconds(3));
        }
    }

    PipeFigures(Machine machine, Report report, Amount scale) {
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
