package io.pilothouse.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pipes from Kafka, beside what the database does by itself with the same messages of about 1 KB. */
final class StreamFigures {
    private static final int PARTITIONS = 4;
    /** What both give a block that does not fill. */
    private static final int WAIT_MILLIS = 500;

    private static final String COLUMNS = "id UInt64, kind String, amount Float64, at DateTime64(3), text String";
    private static final String TABLE = " (" + COLUMNS + ") ENGINE = MergeTree ORDER BY id";
    private static final int PROCESSORS_FOR_TWO = 8;

    private final Machine machine;
    private final Report report;
    private final PipeFigures.Amount scale;

    StreamFigures(Machine machine, Report report, PipeFigures.Amount scale) {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
    }

    /** The same messages in a file and in a topic. */
    private record Ground(PipedService service, Broker broker, Path lines) {}

    void run(PipedService service, Broker broker) throws IOException, InterruptedException {
        Path lines = machine.newFolder("messages").resolve("lines");
        service.query(
                "SELECT number AS id, concat('kind ', toString(number % 7)) AS kind, number / 100 AS amount,"
                        + " addSeconds(toDateTime64('2026-01-01 00:00:00', 3), number) AS at, hex(randomString(450)) AS text"
                        + " FROM numbers(" + scale.messages() + ") FORMAT JSONEachRow",
                lines);
        broker.fill("messages", PARTITIONS, lines);
        Ground ground = new Ground(service, broker, lines);
        List<Double> one = new ArrayList<>();
        List<Double> two = new ArrayList<>();
        List<Double> engine = new ArrayList<>();
        List<Double> inserted = new ArrayList<>();
        for (int round = 0; round < scale.rounds(); round++) {
            one.add(piped(ground, 1));
            engine.add(byTheEngine(ground, round));
            inserted.add(inserted(ground));
            two.add(piped(ground, 2));
        }
        Files.delete(lines);
        String what = "Kafka, JSON of 1 KB, one replica; limit: ";
        report.atLeast(what + "the database's own Kafka table engine on the same topic", one, engine, "rows/s", 0.70);
        report.atLeast(
                what + "INSERT ... FORMAT JSONEachRow of the same bytes from a file", one, inserted, "rows/s", 0.40);
        String more = "the same, two replicas; limit: one";
        if (Runtime.getRuntime().availableProcessors() < PROCESSORS_FOR_TWO) {
            report.beside(more, two, one, "rows/s");
        } else {
            report.atLeast(more, two, one, "rows/s", 1.6);
        }
    }

    private double piped(Ground ground, int replicas) throws IOException, InterruptedException {
        String pipe = ground.service().pipe("""
                {"name": "Stream", "source": {"kafka": {"brokers": "%s", "topics": "messages"}},
                 "scaling": {"replicas": %s, "replicaCpuMillicores": 2000, "replicaMemoryGb": 4},
                 "destination": {"table": "piped", "managedTable": true,
                   "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
                   "columns": [{"name": "id", "type": "UInt64"}, {"name": "kind", "type": "String"},
                     {"name": "amount", "type": "Float64"}, {"name": "at", "type": "DateTime64(3)"},
                     {"name": "text", "type": "String"}]},
                 "settings": {"streaming_max_insert_wait_ms": %s}}""".formatted(
                        ground.broker().place(), Integer.toString(replicas), Integer.toString(WAIT_MILLIS)));
        double rate = ground.service().perSecond("piped", scale.messages());
        ground.service().awaitRows("piped", scale.messages());
        ground.service().delete(pipe);
        ground.service().query("DROP TABLE piped");
        return rate;
    }

    private double byTheEngine(Ground ground, int round) throws IOException, InterruptedException {
        PipedService service = ground.service();
        service.query("CREATE TABLE pulled" + TABLE);
        service.query("CREATE TABLE queue (" + COLUMNS + ") ENGINE = Kafka SETTINGS kafka_broker_list = '"
                + ground.broker().place() + "', kafka_topic_list = 'messages', kafka_group_name = 'round-" + round
                + "', kafka_format = 'JSONEachRow', kafka_flush_interval_ms = " + WAIT_MILLIS);
        service.query("CREATE MATERIALIZED VIEW pull TO pulled AS SELECT * FROM queue");
        double rate = service.perSecond("pulled", scale.messages());
        for (String table : List.of("pull", "queue", "pulled")) {
            service.query("DROP TABLE " + table + " SYNC");
        }
        return rate;
    }

    private double inserted(Ground ground) throws IOException, InterruptedException {
        PipedService service = ground.service();
        service.query("CREATE TABLE inserted" + TABLE);
        long begun = System.nanoTime();
        service.insert("INSERT INTO inserted FORMAT JSONEachRow", ground.lines());
        double rate = scale.messages() / ((System.nanoTime() - begun) / 1e9);
        service.query("DROP TABLE inserted");
        return rate;
    }
}
