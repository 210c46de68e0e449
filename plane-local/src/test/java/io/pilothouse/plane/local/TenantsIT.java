package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.query;
import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.testkit.HostileSql;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL of one tenant against another tenant, this machine and its neighbours. */
class TenantsIT {
    private static final String PASSWORD = "correct horse battery staple";

    private static final String OTHER = "another";

    @TempDir
    Path folder;

    private final UUID attacker = UUID.randomUUID();
    private final UUID victim = UUID.randomUUID();
    private final AtomicInteger visits = new AtomicInteger();
    private HttpServer neighbour;
    private ClickHouse.Bundled clickhouse;

    @BeforeEach
    void listen() throws IOException, InterruptedException {
        clickhouse = LiveDatabase.require();
        Assumptions.assumeTrue(LiveDatabase.fences().hold(), "This system has no fence.");
        neighbour = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        neighbour.createContext("/", exchange -> {
            visits.incrementAndGet();
            byte[] body = "1\n".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        neighbour.start();
    }

    @AfterEach
    void hangUp() {
        if (neighbour != null) {
            neighbour.stop(0);
        }
    }

    private LocalDatabases plane(Egress egress) throws DatabaseFailure {
        return new LocalDatabases(LiveDatabase.setup(clickhouse, folder.resolve("services"), false, egress));
    }

    private int port() {
        return neighbour.getAddress().getPort();
    }

    private static long pid(LocalDatabases databases, UUID id) throws IOException {
        return ProcessMark.parse(databases.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }

    /** Without the attempts that follow a refusal. */
    private static HttpResponse<String> once(DatabaseAddress address, String sql)
            throws IOException, InterruptedException {
        return query(address, PASSWORD, sql + " SETTINGS http_max_tries = 1");
    }

    @Test
    void sqlReachesNoOtherDatabaseAndNoListenerOfThisMachine()
            throws IOException, DatabaseFailure, InterruptedException {
        try (LocalDatabases databases = plane(Egress.PUBLIC)) {
            DatabaseAddress mine = started(databases, attacker, settings(PASSWORD));
            DatabaseAddress theirs = started(databases, victim, settings(OTHER));
            long pid = pid(databases, victim);
            for (int port : new int[] {theirs.http(), port()}) {
                for (String host : HostileSql.HOSTS) {
                    HostileSql hostile = new HostileSql(host, port, OTHER);
                    for (String sql : hostile.preparations()) {
                        query(mine, PASSWORD, sql);
                    }
                    for (String sql : hostile.attacks()) {
                        HttpResponse<String> answer = query(mine, PASSWORD, sql);
                        assertThat(answer.statusCode()).as(sql + answer.body()).isNotEqualTo(200);
                        assertThat(value(theirs, OTHER, "SELECT 1")).isEqualTo("1");
                    }
                    query(mine, PASSWORD, hostile.cleaning());
                }
            }
            assertThat(visits).hasValue(0);
            assertThat(pid(databases, victim)).isEqualTo(pid);
            assertThat(databases.observe(victim)).isInstanceOf(DatabaseSeen.Running.class);
            assertThat(value(mine, PASSWORD, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void sqlReachesThePlacesThatTheOperatorNamesAndNoOtherPortBesideThem()
            throws IOException, DatabaseFailure, InterruptedException {
        try (LocalDatabases databases = plane(Egress.parse("localhost:" + port()))) {
            DatabaseAddress mine = started(databases, attacker, settings(PASSWORD));

            assertThat(value(mine, PASSWORD, "SELECT * FROM url('http://127.0.0.1:" + port() + "/', 'LineAsString')"))
                    .isEqualTo("1");
            assertThat(value(mine, PASSWORD, "SELECT * FROM url('http://localhost:" + port() + "/', 'LineAsString')"))
                    .isEqualTo("1");
            assertThat(once(mine, "SELECT * FROM url('http://127.0.0.2:" + port() + "/', 'LineAsString')")
                            .body())
                    .contains("Permission denied");
            assertThat(once(mine, "SELECT * FROM url('http://127.0.0.1:" + mine.http() + "/ping', 'LineAsString')")
                            .body())
                    .contains("Permission denied");
        }
    }

    @Test
    void databaseThatMayConnectNowhereRuns() throws IOException, DatabaseFailure, InterruptedException {
        try (LocalDatabases databases = plane(Egress.NONE)) {
            DatabaseAddress mine = started(databases, attacker, settings(PASSWORD));

            assertThat(value(mine, PASSWORD, "SELECT 1")).isEqualTo("1");
            assertThat(once(mine, "SELECT * FROM url('https://192.0.2.1/', 'LineAsString')")
                            .body())
                    .contains("Permission denied");
        }
    }

    /** Each of the two layers holds by itself where the other one is missing. */
    @ParameterizedTest
    @ValueSource(strings = {"files,ports", "files,addresses"})
    void oneLayerHoldsWithoutTheOther(String fences) throws IOException, DatabaseFailure, InterruptedException {
        DatabaseSetup setup =
                LiveDatabase.setup(clickhouse, folder.resolve("services"), false, Egress.PUBLIC, Fences.parse(fences));
        try (LocalDatabases databases = new LocalDatabases(setup)) {
            DatabaseAddress mine = started(databases, attacker, settings(PASSWORD));

            assertThat(databases.warnings()).hasSize(fences.endsWith("ports") ? 1 : 0);
            assertThat(once(mine, "SELECT * FROM url('http://127.0.0.1:" + port() + "/', 'LineAsString')")
                            .body())
                    .contains("Permission denied");
        }
    }
}
