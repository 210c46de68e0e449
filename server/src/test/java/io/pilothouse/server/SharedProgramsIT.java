package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three real programs share one real PostgreSQL and its work, on machines whose clocks differ, while one after another
 * is killed, stopped or cut off for longer than its leases, and the database goes away twice.
 */
class SharedProgramsIT {
    private static final int ALERTS = 4;
    private static final int SECONDS_BETWEEN_ALERTS = 10;
    private static final long PATIENCE_NANOS = 180_000_000_000L;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    /** A second, and what a machine that has much to do takes for the work itself. */
    private static final long FOUND_WITHIN_NANOS = 5_000_000_000L;

    private static final String TILES = """
            {'name': 'All', 'tiles': [{'id': 'running', 'name': 'Running services', 'x': 0, 'y': 0, 'w': 6, 'h': 4,
             'config': {'displayType': 'number', 'metric': 'services', 'aggregation': 'last',
             'filter': {'state': 'running'}}}]}""";

    @TempDir
    private Path folder;

    @Test
    void nothingThatWasAnsweredIsLostWhoeverIsKilledStoppedOrCutOff() throws Exception {
        Walk walk = Walk.begin(SharedProgramsIT.class);
        try (StorePostgres postgres = new StorePostgres(folder);
                SharedFleet fleet = SharedFleet.begin(folder, postgres)) {
            fleet.requireThatClocksWereNoticed();
            makeAlerts(fleet.program(0));
            SharedLoad load = new SharedLoad(fleet, walk);
            try (load) {
                disturb(fleet, load, walk.random());
            }
            assertThat(load.faults()).as("%s", walk).isEmpty();
            for (int program = 0; program < SharedFleet.PROGRAMS; program++) {
                requireEverything(fleet.program(program), load, walk);
            }
            requireThatEachThingIsWhole(postgres, walk);
            awaitOnceFired(postgres, walk);
            requireThatNoUpdateIsLost(fleet, walk);
            requireThatWorkIsFoundWithoutNotification(postgres, walk);
            handOver(fleet, walk);
        }
    }

    private static void disturb(SharedFleet fleet, SharedLoad load, RandomGenerator random) throws Exception {
        load.awaitAnswers();
        fleet.restartDatabase();
        for (int step = 0; step < Walk.length(1, 9); step++) {
            load.awaitAnswers();
            List<Integer> order = SharedLoad.anyOrder(random);
            fleet.silence(order.get(0), order.get(1), random.nextBoolean());
            load.awaitAnswers();
            fleet.killAndStart(order.get(2));
            load.awaitAnswers();
            if (step == 0 || random.nextInt(4) == 0) {
                fleet.restartDatabase();
            }
        }
        load.awaitAnswers();
    }

    /** Every program shows everything that was answered, and all of it settles. */
    private static void requireEverything(ChildOnPostgres program, SharedLoad load, Walk walk)
            throws IOException, InterruptedException {
        Map<String, String> shown = new TreeMap<>();
        long end = System.nanoTime() + PATIENCE_NANOS;
        boolean settled = false;
        while (!settled) {
            assertThat(System.nanoTime())
                    .as("%s %s", walk, program.program().errors())
                    .isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(200);
            String services = program.send("GET", "/services", "").body();
            settled = true;
            for (var service :
                    ApiJson.read(services.getBytes(StandardCharsets.UTF_8)).path("result")) {
                shown.put(service.path("id").asString(), service.path("name").asString());
                settled &= service.path("state").asString().equals("running");
            }
        }
        assertThat(shown).as("%s", walk).containsKeys(load.names().keySet().toArray(String[]::new));
        for (String id : load.names().keySet()) {
            assertThat(load.mayHave(id, String.valueOf(shown.get(id))))
                    .as("%s, %s is %s", walk, id, shown.get(id))
                    .isTrue();
        }
    }

    /** A request that failed did all or nothing, and no task was two processes' at once. */
    private static void requireThatEachThingIsWhole(StorePostgres postgres, Walk walk) throws SQLException {
        assertThat(postgres.count("SELECT COUNT(*) FROM taken_early"))
                .as("tasks that two worked on, %s", walk)
                .isZero();
        String made = "(SELECT COUNT(*) FROM activities a WHERE a.document LIKE '%service_create%'"
                + " AND a.document LIKE '%' || s.id || '%')";
        assertThat(postgres.count("SELECT COUNT(*) FROM services s WHERE " + made + " <> 1"))
                .as("services without one activity of their making, %s", walk)
                .isZero();
        assertThat(postgres.count("SELECT (SELECT COUNT(*) FROM activities WHERE document LIKE '%service_create%')"
                        + " - (SELECT COUNT(*) FROM services)"))
                .as("activities without a service, %s", walk)
                .isZero();
        assertThat(
                        postgres.count(
                                "SELECT COUNT(*) FROM services s WHERE NOT EXISTS (SELECT 1 FROM tasks t WHERE t.subject_id = s.id)"))
                .as("services without a task, %s", walk)
                .isZero();
    }

    /** Alerts on what is true from the beginning, whose first windows end one after another while all this goes on. */
    private static void makeAlerts(ChildOnPostgres program) throws IOException, InterruptedException {
        String dashboard = alerts(program, "/dashboards", TILES);
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        for (int alert = 0; alert < ALERTS; alert++) {
            Instant start = now.minusSeconds(50).plusSeconds(alert * (long) SECONDS_BETWEEN_ALERTS);
            alerts(
                    program,
                    "/alerts",
                    "{'name': 'Few run', 'threshold': 1000000, 'thresholdType': 'below', 'interval': '1m', 'dashboard': '"
                            + dashboard + "', 'tileId': 'running', 'scheduleStartAt': '" + start
                            + "', 'channel': {'type': 'activity'}}");
        }
    }

    private static String alerts(ChildOnPostgres program, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(program.credential("alerts_url") + "/api/v2" + path))
                .header("Authorization", "Bearer " + program.credential("token"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(ApiJson.text(body)));
        HttpResponse<String> answer = program.send(request, ANSWER_WITHIN);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return ApiJson.read(answer.body().getBytes(StandardCharsets.UTF_8))
                .path("data")
                .path("id")
                .asString();
    }

    /** Built-in alerts may fire too, on requests that were refused while the database was away. */
    private static void awaitOnceFired(StorePostgres postgres, Walk walk) throws SQLException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (postgres.count(alertsWhich("alert_firing", "= 0")) > 0) {
            assertThat(System.nanoTime()).as("the time to fire, %s", walk).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(postgres.count(alertsWhich("alert_firing", "= 1")))
                .as("alerts that fired once, %s", walk)
                .isEqualTo(ALERTS);
        assertThat(postgres.count(alertsWhich("alert_resolved", "= 0")))
                .as("alerts that did not end, %s", walk)
                .isEqualTo(ALERTS);
    }

    private static String alertsWhich(String activity, String times) {
        return "SELECT COUNT(*) FROM alerts r WHERE r.document LIKE '%Few run%' AND (SELECT COUNT(*) FROM activities a"
                + " WHERE a.document LIKE '%" + activity + "%' AND a.document LIKE '%' || r.id || '%') " + times;
    }

    /** Each writer adds one, through a program of its own, to what it has read; who comes too late reads again. */
    private static void requireThatNoUpdateIsLost(SharedFleet fleet, Walk walk)
            throws ExecutionException, IOException, InterruptedException, TimeoutException {
        String path = "/services/"
                + SharedLoad.idIn(fleet.program(0)
                        .send("POST", "/services", "{\"name\": \"0\"}")
                        .body());
        int count = Walk.length(16, 64);
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int writer = 0; writer < count; writer++) {
                ChildOnPostgres program = fleet.program(writer % SharedFleet.PROGRAMS);
                all.add(writers.submit(() -> {
                    while (!hasAdded(program, path)) {
                        assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    }
                    return true;
                }));
            }
            for (Future<?> one : all) {
                one.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
            }
        }
        assertThat(nameIn(fleet.program(1).send("GET", path, "").body()))
                .as("%s", walk)
                .isEqualTo(Integer.toString(count));
    }

    private static boolean hasAdded(ChildOnPostgres program, String path) throws IOException, InterruptedException {
        HttpResponse<String> read = program.send("GET", path, "", ANSWER_WITHIN);
        String next = Integer.toString(Integer.parseInt(nameIn(read.body())) + 1);
        String tag = read.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> written = program.send(
                program.request("PATCH", path, "{\"name\": \"" + next + "\"}").header("If-Match", tag), ANSWER_WITHIN);
        assertThat(written.statusCode()).as(written.body()).isIn(200, 412, 503);
        return written.statusCode() == 200;
    }

    private static String nameIn(String body) {
        return ApiJson.read(body.getBytes(StandardCharsets.UTF_8))
                .path("result")
                .path("name")
                .asString();
    }

    /** What no program wrote notifies nobody, as if the notification had been lost. */
    private static void requireThatWorkIsFoundWithoutNotification(StorePostgres postgres, Walk walk)
            throws SQLException, InterruptedException {
        String waiting = " FROM tasks WHERE kind = 'SERVICE' AND ready_at = 1";
        postgres.executeAsKeeper("UPDATE tasks SET ready_at = 1 WHERE kind = 'SERVICE' AND lease_owner IS NULL");
        long end = System.nanoTime() + FOUND_WITHIN_NANOS;
        while (postgres.count("SELECT COUNT(*)" + waiting) > 0) {
            assertThat(System.nanoTime()).as("the time to find it, %s", walk).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** A program that is stopped as it should be leaves nothing that the others would have to wait for. */
    private static void handOver(SharedFleet fleet, Walk walk) throws IOException, InterruptedException, SQLException {
        ChildOnPostgres leaves = fleet.program(0);
        String made = SharedLoad.idIn(
                leaves.send("POST", "/services", "{\"name\": \"Handed over\"}").body());
        leaves.program().signal("TERM");
        assertThat(leaves.program().exitCode()).isIn(0, 143);
        assertThat(fleet.leases(0)).isZero();
        long end = System.nanoTime() + PATIENCE_NANOS;
        String body = "";
        while (!body.contains("\"running\"")) {
            assertThat(System.nanoTime()).as("%s %s", walk, body).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
            body = fleet.program(1).send("GET", "/services/" + made, "").body();
        }
    }
}
