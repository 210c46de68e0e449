package io.pilothouse.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Processes that share a store in PostgreSQL, beside what that server does alone, SQLite does, and one process does. */
final class SharedFigures {
    private static final int CONNECTIONS = 64;
    private static final int READERS = 32;
    private static final int PROCESSES = 3;
    private static final int WARM_UP = 3;
    /** By each connection, to weigh a create and to have something to read. */
    private static final int CREATES = 16;

    private static final double MIN_PASSES = 200;
    private static final double MAX_GROWTH = 1.3;
    private static final int SECONDS_TO_SETTLE = 600;
    private static final String KEPT = "kept";
    private static final String SCRIPT = "insert.sql";
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
    private static final String COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = 'kept'";
    /** More than this does not fit into one page of PostgreSQL. */
    private static final int PAGE = 8_000;

    private static final List<String> KEYS = List.of("secret.key", "vault.key", "credentials.json");

    private final Machine machine;
    private final Report report;
    private final Scale scale;
    private final EmbeddedPostgres server;
    private final Load load;

    private SharedFigures(Machine machine, Report report, Scale scale, EmbeddedPostgres server)
            throws InterruptedException {
        this.machine = machine;
        this.report = report;
        this.scale = scale;
        this.server = server;
        this.load = new Load(machine);
    }

    /** What one phase measured: rounds of creates and reads a second, passes meanwhile, and transactions for a pass. */
    private record Phase(
            List<Double> creates, List<Double> reads, List<Double> passes, List<Double> bare, double transactions) {}

    static void run(Machine machine, Report report, Scale scale) throws IOException, InterruptedException {
        // A commit waits for the disk, which this server does not do by default.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("fsync", "on")
                .start()) {
            new SharedFigures(machine, report, scale, server).run();
        } catch (SQLException failed) {
            throw new IOException("PostgreSQL does not do what it should", failed);
        }
    }

    private void run() throws IOException, InterruptedException, SQLException {
        execute("postgres", "CREATE ROLE keeper LOGIN PASSWORD 'bench'");
        execute("postgres", "CREATE DATABASE kept OWNER keeper");
        Path data = machine.newFolder("shared");
        List<Program> programs = new ArrayList<>();
        try {
            programs.add(start(data, "0"));
            int bytes = recordBytes(programs.getFirst());
            prepareBare(bytes);
            Phase one = phase(programs, true);
            against(bytes, one);
            reads(programs.getFirst());
            for (int number = 1; number < PROCESSES; number++) {
                Path folder = Files.createDirectories(data.resolve(Integer.toString(number)));
                for (String key : KEYS) {
                    Files.copy(data.resolve("0").resolve(key), folder.resolve(key));
                }
                programs.add(start(data, Integer.toString(number)));
            }
            beside(one, phase(programs, false));
        } finally {
            programs.forEach(Program::close);
        }
    }

    private Program start(Path data, String name) throws IOException {
        Path password = Files.writeString(data.resolve("password"), "bench\n");
        return Program.start(
                machine,
                data.resolve(name),
                true,
                List.of(
                        "--plane=simulated",
                        "--store=postgresql://keeper@localhost:" + server.getPort() + "/kept?sslmode=disable",
                        "--store-password-file=" + password,
                        "--store-shared"));
    }

    private void against(int bytes, Phase one) {
        report.atLeast(
                "durable create, 64 connections, one process; limit: pgbench, which inserts and commits "
                        + Report.count(bytes) + " bytes, which a create leaves in the database, by 64 connections",
                one.creates(),
                one.bare(),
                "/s",
                0.50);
        report.atLeast(
                "passes of the engine under that load, in the worst round; limit: what must be reached",
                List.of(Collections.min(one.passes())),
                List.of(MIN_PASSES),
                "/s",
                1);
    }

    private void beside(Phase one, Phase all) {
        report.atLeast("durable create, three processes; limit: one process", all.creates(), one.creates(), "/s", 0.70);
        report.atLeast("GET of a service, three processes; limit: one process", all.reads(), one.reads(), "/s", 0.70);
        report.atMost(
                "transactions of the store for a pass with three processes, times those with one",
                all.transactions() / one.transactions(),
                "one: " + Report.amount(one.transactions(), ""),
                "x",
                MAX_GROWTH);
    }

    private Phase phase(List<Program> programs, boolean besideBare)
            throws IOException, InterruptedException, SQLException {
        Phase phase = new Phase(
                new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), transactions(programs));
        Program first = programs.getFirst();
        Request create = Request.create(first.services(), first.authorization());
        Request get = Request.get("", first.authorization());
        List<String> paths = paths(first);
        for (int round = -WARM_UP; round < scale.rounds(); round++) {
            awaitSettled();
            double bare = besideBare ? first.whileStill(this::bare) : 0;
            double before = passes(programs);
            double created = together(programs, create, List.of(create.path()), CONNECTIONS);
            double passed = passes(programs) - before;
            double read = together(programs, get, paths, READERS);
            if (round >= 0) {
                phase.bare().add(bare);
                phase.creates().add(created);
                phase.passes().add(passed / scale.span().toSeconds());
                phase.reads().add(read);
            }
        }
        return phase;
    }

    private void prepareBare(int bytes) throws SQLException, IOException {
        execute(KEPT, "CREATE TABLE bare (id uuid PRIMARY KEY, content text NOT NULL)");
        // Neither compressed nor moved out of the row, where it fits into one page.
        execute(KEPT, "ALTER TABLE bare ALTER content SET STORAGE PLAIN");
        Files.writeString(
                machine.folder().resolve(SCRIPT),
                "INSERT INTO bare VALUES (gen_random_uuid(), repeat('x', " + Math.min(bytes, PAGE) + "));\n");
    }

    /** Transactions a second of the load generator that comes with PostgreSQL. */
    private double bare() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "pgbench",
                        "--no-vacuum",
                        "--host=localhost",
                        "--port=" + server.getPort(),
                        "--username=postgres",
                        "--client=" + CONNECTIONS,
                        "--time=" + scale.span().toSeconds(),
                        "--file=" + machine.folder().resolve(SCRIPT),
                        KEPT)
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(printed);
        if (process.waitFor() != 0 || !rate.find()) {
            throw new IOException("The load failed: " + printed);
        }
        return Double.parseDouble(rate.group(1));
    }

    /** With one process, beside one that has as many services in SQLite. */
    private void reads(Program shared) throws IOException, InterruptedException, SQLException {
        List<Double> postgres = new ArrayList<>();
        List<Double> sqlite = new ArrayList<>();
        RequestFigures.Ground ground = new RequestFigures(machine, report, load, scale).ground(CONNECTIONS * CREATES);
        try (Program embedded = Program.start(machine, ground.data())) {
            Request get = Request.get("", shared.authorization());
            Request getOfEmbedded = Request.get("", embedded.authorization());
            List<String> paths = paths(shared);
            awaitSettled();
            for (int round = -WARM_UP; round < scale.rounds(); round++) {
                double ofShared = load.perSecond(shared.management(), get, paths, READERS, scale.span());
                double ofEmbedded =
                        load.perSecond(embedded.management(), getOfEmbedded, ground.paths(), READERS, scale.span());
                if (round >= 0) {
                    postgres.add(ofShared);
                    sqlite.add(ofEmbedded);
                }
            }
        }
        report.atLeast(
                "GET of a service, 32 connections, one process; limit: with SQLite", postgres, sqlite, "/s", 0.20);
    }

    /** Requests a second of all programs, each of which has its share of the connections. */
    private double together(List<Program> programs, Request request, List<String> paths, int connections)
            throws IOException, InterruptedException {
        List<Callable<Double>> loads = new ArrayList<>();
        for (Program program : programs) {
            URI server = program.management();
            Load own = new Load(machine.within(machine.newFolder("load")));
            loads.add(() -> own.perSecond(server, request, paths, connections / programs.size(), scale.span()));
        }
        double sum = 0;
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Double> rate : threads.invokeAll(loads)) {
                sum += rate.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("The load failed", e);
        }
        return sum;
    }

    private List<String> paths(Program program) throws IOException, SQLException {
        List<String> paths = new ArrayList<>();
        try (Connection connection = server.getDatabase("postgres", KEPT).getConnection();
                Statement statement = connection.createStatement();
                ResultSet ids = statement.executeQuery("SELECT id FROM services ORDER BY id LIMIT 1000")) {
            while (ids.next()) {
                paths.add(program.services() + "/" + ids.getString(1));
            }
        }
        return paths;
    }

    /** The bytes by which a create enlarges the database. */
    private int recordBytes(Program program) throws IOException, InterruptedException, SQLException {
        double before = number("SELECT pg_database_size('kept')");
        Load.perSecond(
                program.management(),
                Request.create(program.services(), program.authorization()),
                CONNECTIONS,
                CREATES);
        return (int) ((number("SELECT pg_database_size('kept')") - before) / (CONNECTIONS * CREATES));
    }

    /** The transactions for each pass when all services are looked at, which nobody asked for. */
    private double transactions(List<Program> programs) throws IOException, InterruptedException, SQLException {
        awaitSettled();
        double passes = passes(programs);
        double transactions = number(COMMITS);
        execute(KEPT, "UPDATE tasks SET ready_at = 0 WHERE kind = 'SERVICE'");
        await("SELECT count(*) FROM tasks WHERE kind = 'SERVICE' AND ready_at = 0");
        awaitSettled();
        return (number(COMMITS) - transactions) / (passes(programs) - passes);
    }

    private static double passes(List<Program> programs) throws IOException {
        double sum = 0;
        for (Program program : programs) {
            sum += program.metric("pilothouse_engine_pass_seconds_count");
        }
        return sum;
    }

    /** Until nothing is left to do; its connections have then said how many transactions there were. */
    private void awaitSettled() throws InterruptedException, SQLException, IOException {
        await("SELECT count(*) FROM tasks WHERE unsettled_since IS NOT NULL OR lease_owner IS NOT NULL");
        TimeUnit.SECONDS.sleep(2);
    }

    private void await(String count) throws InterruptedException, SQLException, IOException {
        for (int second = 0; second < SECONDS_TO_SETTLE; second++) {
            if (number(count) == 0) {
                return;
            }
            TimeUnit.SECONDS.sleep(1);
        }
        throw new IOException("The engine is still busy after " + SECONDS_TO_SETTLE + " seconds");
    }

    private void execute(String database, String sql) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", database).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private double number(String sql) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", KEPT).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getDouble(1);
        }
    }
}
