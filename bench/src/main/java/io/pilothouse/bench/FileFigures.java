package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pipes from object storage, beside the database's own {@code s3()} over the same files. */
final class FileFigures {
    private static final String STRUCTURE = "id UInt64, kind String, amount Float64, text String";
    /** As many rows as show how large a row is in a format. */
    private static final int SAMPLED = 50_000;

    private static final double MIB = 1 << 20;

    private final Machine machine;
    private final Report report;
    private final PipeFigures.Amount scale;

    FileFigures(Machine machine, Report report, PipeFigures.Amount scale) {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
    }

    void run(PipedService service, int port) throws IOException, InterruptedException {
        for (String format : List.of("Parquet", "JSONEachRow")) {
            int rows = (int) ((long) SAMPLED * scale.fileBytes() / content(service, SAMPLED, format).length);
            byte[] content = content(service, rows, format);
            List<Double> piped = new ArrayList<>();
            List<Double> own = new ArrayList<>();
            for (int round = 0; round < scale.rounds(); round++) {
                try (ObjectShelf _ = new ObjectShelf(port, content, "." + format, scale.files())) {
                    String url = "http://127.0.0.1:" + port + "/shelf/*." + format;
                    double bytes = (double) content.length * scale.files() / MIB;
                    piped.add(bytes / piped(service, url, format, (long) rows * scale.files()));
                    own.add(bytes / own(service, url, format));
                }
            }
            report.atLeast(
                    scale.files() + " files of " + format + " with " + Report.amount(content.length / MIB, "MiB")
                            + " each, from the request to the last row; limit: INSERT SELECT from the database's own s3()",
                    piped,
                    own,
                    "MiB/s",
                    0.50);
        }
    }

    private byte[] content(PipedService service, int rows, String format) throws IOException, InterruptedException {
        Path file = machine.newFolder("files").resolve("file");
        service.query(
                "SELECT number AS id, concat('kind ', toString(number % 7)) AS kind, number / 100 AS amount,"
                        + " hex(randomString(30)) AS text FROM numbers(" + rows + ") FORMAT " + format,
                file);
        byte[] content = Files.readAllBytes(file);
        Files.delete(file);
        return content;
    }

    private static double piped(PipedService service, String url, String format, long rows)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        String pipe = service.pipe("""
                {"name": "Files", "source": {"objectStorage": {"url": "%s", "format": "%s", "authentication": "IAM_USER",
                   "accessKey": {"accessKeyId": "bench", "secretKey": "bench"}}},
                 "scaling": {"concurrency": 2, "replicaCpuMillicores": 2000, "replicaMemoryGb": 4},
                 "destination": {"table": "piped", "managedTable": true,
                   "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
                   "columns": [{"name": "id", "type": "UInt64"}, {"name": "kind", "type": "String"},
                     {"name": "amount", "type": "Float64"}, {"name": "text", "type": "String"}]}}""".formatted(url, format));
        service.awaitRows("piped", rows);
        double seconds = (System.nanoTime() - begun) / 1e9;
        service.awaitState(pipe, "Completed");
        service.delete(pipe);
        service.query("DROP TABLE piped");
        return seconds;
    }

    private static double own(PipedService service, String url, String format)
            throws IOException, InterruptedException {
        service.query("CREATE TABLE own (" + STRUCTURE + ") ENGINE = MergeTree ORDER BY id");
        long begun = System.nanoTime();
        service.query("INSERT INTO own SELECT * FROM s3('" + url + "', 'bench', 'bench', '" + format + "', '"
                + STRUCTURE + "')");
        double seconds = (System.nanoTime() - begun) / 1e9;
        service.query("DROP TABLE own");
        return seconds;
    }
}
