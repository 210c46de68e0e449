package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.await;
import static io.pilothouse.plane.local.LiveDatabase.query;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.share.DiskShare;
import io.pilothouse.plane.local.share.DiskShares;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that uses up its share of the disk, on a real database that outlives its control plane. */
class DiskShareIT {
    private static final DiskShare SHARE = new DiskShare(20L << 20);
    private static final String PASSWORD = "secret";

    @TempDir
    Path folder;

    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH)
            .withPassword(LiveDatabase.settings(PASSWORD).password());
    private LocalDatabases databases;
    private LocalPlane plane;

    @BeforeEach
    void open() throws DatabaseFailure, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), true));
        plane = new LocalPlane(
                databases,
                new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups"))),
                new LocalSettings(databases, folder.resolve("settings")),
                new DiskShares(SHARE, _ -> {}));
    }

    @AfterEach
    void eraseAll() throws DatabaseFailure, InterruptedException {
        for (UUID id : databases.sweep(Set.of()).foldersKept()) {
            databases.erase(id);
        }
        databases.close();
    }

    @Test
    void fullServiceRefusesRowsWithASentenceWhileReadsAndDeletesGoOn()
            throws IOException, PlaneFault, DatabaseFailure, InterruptedException {
        settle(false);
        value(address(), PASSWORD, "CREATE TABLE t (n UInt64, s String) ENGINE = MergeTree ORDER BY n");
        value(address(), PASSWORD, "CREATE TABLE log (s String) ENGINE = StripeLog");
        value(address(), PASSWORD, "INSERT INTO t SELECT number, randomString(1000) FROM numbers(22000)");

        settle(true);
        refuses("INSERT INTO t VALUES (1, 'x'), (2, 'y')");
        refuses("INSERT INTO t SELECT number, 'x' FROM numbers(10)");
        refuses("INSERT INTO t SETTINGS async_insert = 1, wait_for_async_insert = 1 VALUES (1, 'x'), (2, 'y')");
        refuses("INSERT INTO log VALUES ('xx')");
        refuses("CREATE TABLE copy ENGINE = MergeTree ORDER BY n AS SELECT * FROM t");
        assertThat(value(address(), PASSWORD, "SELECT count() FROM t")).isEqualTo("22000");

        long pid = pid();
        databases.close();
        open();
        settle(true);
        assertThat(pid()).as("a new control plane leaves it as it is").isEqualTo(pid);

        value(address(), PASSWORD, "ALTER TABLE t DELETE WHERE n % 2 = 0 SETTINGS mutations_sync = 1");
        settle(false);
        assertThat(value(address(), PASSWORD, "SELECT count() FROM t")).isEqualTo("11000");
        value(address(), PASSWORD, "INSERT INTO t VALUES (1, 'x'), (2, 'y')");
    }

    @Test
    void partsThatSqlDetachesStillCount() throws IOException, PlaneFault, DatabaseFailure, InterruptedException {
        settle(false);
        value(address(), PASSWORD, "CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY tuple()");
        value(address(), PASSWORD, "INSERT INTO t SELECT randomString(1000) FROM numbers(22000)");
        value(address(), PASSWORD, "ALTER TABLE t DETACH PARTITION tuple()");
        settle(true);
    }

    /** Acts as the engine does until it runs as wanted, and is full or not. */
    private void settle(boolean full) throws PlaneFault, DatabaseFailure, InterruptedException {
        await(() -> {
            Sight sight = LiveDatabase.step(plane, service);
            boolean refuses =
                    sight.fault() != null && sight.fault().contains("(max-service-disk), so it takes no more");
            return sight.condition() == Condition.RUNNING && sight.fits() && refuses == full;
        });
    }

    private void refuses(String sql) throws IOException, InterruptedException {
        HttpResponse<String> answer = query(address(), PASSWORD, sql);
        assertThat(answer.statusCode()).as(sql + ": " + answer.body()).isGreaterThanOrEqualTo(400);
        assertThat(answer.body()).as(sql).contains("disk_of_this_service_is_full");
    }

    private DatabaseAddress address() {
        return databases.address(service.id()).orElseThrow();
    }

    private long pid() throws IOException {
        return ProcessMark.parse(databases.folder(service.id()).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }
}
