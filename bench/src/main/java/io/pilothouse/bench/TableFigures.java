package io.pilothouse.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Pipes from PostgreSQL: its tables beside the database's own {@code postgresql()}, and the changes that follow. */
final class TableFigures implements AutoCloseable {
    private static final String PASSWORD = "bench";
    private static final double MIN_CHANGES = 5_000;
    private static final double MAX_LAG_SECONDS = 5;
    /** Changes of one transaction while they are paced. */
    private static final int AT_ONCE = 500;

    private static final Duration PACED = Duration.ofSeconds(20);

    private final Report report;
    private final PipeFigures.Amount scale;
    private final EmbeddedPostgres source;

    TableFigures(Report report, PipeFigures.Amount scale) throws IOException {
        this.report = report;
        this.scale = scale;
        source = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .setServerConfig("max_wal_size", "8GB")
                .start();
    }

    /** As the operator names it to databases. */
    String place() {
        return "127.0.0.1:" + source.getPort();
    }

    void run(PipedService service) throws IOException, InterruptedException, SQLException {
        execute(
                "CREATE ROLE piper LOGIN SUPERUSER PASSWORD '" + PASSWORD + "'",
                "CREATE TABLE orders (id bigint PRIMARY KEY, kind text NOT NULL, amount numeric(12, 2) NOT NULL,"
                        + " at timestamptz NOT NULL, parts integer NOT NULL)",
                "INSERT INTO orders SELECT n, 'kind ' || n % 7, n / 100.0, timestamptz '2026-01-01' + n * interval '1 second',"
                        + " n % 100 FROM generate_series(1, " + scale.tableRows() + ") n",
                "VACUUM ANALYZE orders",
                "CHECKPOINT");
        List<Double> piped = new ArrayList<>();
        List<Double> own = new ArrayList<>();
        for (int round = 0; round < scale.rounds(); round++) {
            piped.add(scale.tableRows() / piped(service));
            own.add(scale.tableRows() / own(service));
        }
        report.atLeast(
                "snapshot of " + Report.count(scale.tableRows())
                        + " rows of PostgreSQL, from the request to the last row; limit: INSERT SELECT from the database's own postgresql()",
                piped,
                own,
                "rows/s",
                0.70);
        changes(service);
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = source.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private String pipe(String settings, String table) {
        return """
            {"name": "Tables", "source": {"postgres": {"host": "127.0.0.1", "port": %s, "database": "postgres",
              "disableTls": true, "credentials": {"username": "piper", "password": "%s"},
              "settings": {%s}, "tableMappings": [{"sourceSchemaName": "public", "sourceTable": "%s", "targetTable": "piped"}]}},
             "destination": {"database": "default"}}""".formatted(Integer.toString(source.getPort()), PASSWORD, settings, table);
    }

    private double piped(PipedService service) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        String pipe = service.pipe(pipe("\"replicationMode\": \"snapshot\"", "orders"));
        service.awaitRows("piped", scale.tableRows());
        double seconds = (System.nanoTime() - begun) / 1e9;
        service.awaitState(pipe, "Completed");
        service.delete(pipe);
        service.query("DROP TABLE piped");
        return seconds;
    }

    /** Into a table as the pipe makes it. */
    private double own(PipedService service) throws IOException, InterruptedException {
        service.query("CREATE TABLE own (id Int64, kind String, amount Decimal(12, 2), at DateTime64(6), parts Int32,"
                + " synced DateTime64(9) DEFAULT now64(), deleted Int8 DEFAULT 0, version Int64 DEFAULT 0)"
                + " ENGINE = ReplacingMergeTree(version) ORDER BY id");
        long begun = System.nanoTime();
        service.query(
                "INSERT INTO own (id, kind, amount, at, parts) SELECT id, kind, amount, at, parts FROM postgresql('"
                        + place() + "', 'postgres', 'orders', 'piper', '" + PASSWORD + "')");
        double seconds = (System.nanoTime() - begun) / 1e9;
        service.query("DROP TABLE own");
        return seconds;
    }

    private void changes(PipedService service) throws IOException, InterruptedException, SQLException {
        execute("CREATE TABLE moves (id bigint PRIMARY KEY, kind text NOT NULL, at timestamptz NOT NULL)");
        String pipe = service.pipe(pipe("\"replicationMode\": \"cdc\", \"syncIntervalSeconds\": 1", "moves"));
        service.awaitState(pipe, "Running");
        service.command(pipe, "stop");
        service.awaitState(pipe, "Paused");
        for (int done = 0; done < scale.changes(); done += AT_ONCE) {
            move(done);
        }
        service.command(pipe, "start");
        report.atLeast(
                "changes of PostgreSQL that waited for a pipe; limit: what must be reached",
                List.of(service.perSecond("piped", scale.changes())),
                List.of(MIN_CHANGES),
                "changes/s",
                1);
        service.awaitRows("piped", scale.changes());
        report.atMost(
                "lag at 5,000 changes a second, inserted each second: the oldest change of an insert, in the worst of "
                        + PACED.toSeconds() + " s",
                worstLag(service),
                "",
                "s",
                MAX_LAG_SECONDS);
        service.delete(pipe);
        service.query("DROP TABLE piped");
    }

    private void move(int first) throws SQLException {
        execute("INSERT INTO moves SELECT n, 'kind ' || n % 7, clock_timestamp() FROM generate_series(" + first + ", "
                + (first + AT_ONCE - 1) + ") n");
    }

    /** From the moment at which a row was written to that at which it was there. */
    private double worstLag(PipedService service) throws IOException, InterruptedException, SQLException {
        long begun = System.nanoTime();
        int next = scale.changes();
        for (double written = 0; written < PACED.toSeconds() * MIN_CHANGES; written += AT_ONCE) {
            long due = begun + (long) (written / MIN_CHANGES * 1e9);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
            move(next);
            next += AT_ONCE;
        }
        service.awaitRows("piped", next);
        return Double.parseDouble(
                service.query("SELECT max(dateDiff('millisecond', at, _peerdb_synced_at)) / 1000 FROM piped"
                        + " WHERE id >= " + scale.changes()));
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
