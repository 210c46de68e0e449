package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.bundled.BundledInstall;
import io.pilothouse.plane.local.bundled.BundledPackage;
import io.pilothouse.plane.local.bundled.Npm;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.testkit.ToolCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two versions of the bundled ClickHouse side by side: each service runs on its own, and goes on with its data. The
 * ClickHouse in both packages says that it is 26.7.2.1, so they are known by the library that is loaded.
 */
class VersionsIT {
    private static final String PASSWORD = "correct horse battery staple";
    private static final String OLD = "26.7.0-stable.1";
    private static final String NEW = BundledPackage.VERSION;

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private final List<Installs.Installed> installed = new ArrayList<>();
    private LocalDatabases databases;

    @BeforeEach
    void openPlane() throws DatabaseFailure, InterruptedException {
        BundledPackage newest = BundledPackage.forPlatform(System.getProperty("os.name"), System.getProperty("os.arch"))
                .orElseThrow(() -> new AssertionError("There is no bundled ClickHouse for this machine."));
        installed.add(new Installs.Installed(OLD, install(newest.name()), Instant.EPOCH));
        installed.add(new Installs.Installed(NEW, LiveDatabase.require(), Instant.EPOCH));
        reopen(installed);
    }

    private void reopen(List<Installs.Installed> there) throws DatabaseFailure {
        databases = new LocalDatabases(
                LiveDatabase.setup(there.getLast().clickhouse(), folder.resolve("services"), false),
                new Installs(there),
                _ -> {});
    }

    @AfterEach
    void closePlane() throws DatabaseFailure {
        if (databases != null) {
            databases.close();
        }
    }

    private static ClickHouse install(String name) throws InterruptedException {
        BundledPackage old = new BundledPackage(name, OLD, OLD, "libchdb.so", Optional.empty());
        return switch (new BundledInstall(
                        old, ToolCache.home().resolve("pilothouse-old"), new Npm(List.of("npm")), System.out::println)
                .run()) {
            case BundledInstall.Outcome.Installed(Path library) -> new ClickHouse.Bundled(library, Optional.empty());
            case BundledInstall.Outcome.Failed(String reason) -> Assumptions.abort(reason);
        };
    }

    /** The command line of its process, which names the library. */
    private String library(UUID service) throws IOException {
        return ProcessMark.parse(databases.folder(service).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .flatMap(ProcessHandle::of)
                .flatMap(process -> process.info().commandLine())
                .orElseThrow();
    }

    @Test
    void serviceGoesToTheNewVersionAndBackWithItsDataWhileAnotherStaysWhereItIs()
            throws IOException, DatabaseFailure, InterruptedException {
        DatabaseSettings wanted = settings(PASSWORD);
        DatabaseAddress address = started(databases, id, wanted.on(OLD));
        started(databases, other, wanted.on(OLD));
        assertThat(library(id)).contains("engine-" + OLD);
        value(address, PASSWORD, "CREATE TABLE t (x UInt64, s String) ENGINE = MergeTree ORDER BY x");
        value(address, PASSWORD, "INSERT INTO t SELECT number, toString(number) FROM numbers(100000)");

        assertThat(databases.start(id, wanted.on(OLD))).isEqualTo(LocalDatabases.Started.RAN_ALREADY);
        assertThat(databases.start(id, wanted.on(NEW))).isEqualTo(LocalDatabases.Started.RESTARTED);
        DatabaseAddress newer = started(databases, id, wanted.on(NEW));
        assertThat(newer.ports()).isEqualTo(address.ports());
        assertThat(library(id)).contains("engine-" + NEW);
        assertThat(value(newer, PASSWORD, "SELECT count(), sum(length(s)) FROM t"))
                .isEqualTo("100000\t488890");
        value(newer, PASSWORD, "INSERT INTO t SELECT number, 'new' FROM numbers(1000)");
        value(newer, PASSWORD, "OPTIMIZE TABLE t FINAL");
        value(newer, PASSWORD, "CREATE TABLE u (x UInt64, j JSON) ENGINE = MergeTree ORDER BY x");
        value(newer, PASSWORD, "INSERT INTO u VALUES (1, '{\"a\":1}')");

        DatabaseAddress older = started(databases, id, wanted.on(OLD));
        assertThat(library(id)).contains("engine-" + OLD);
        assertThat(value(older, PASSWORD, "SELECT count() FROM t")).isEqualTo("101000");
        assertThat(value(older, PASSWORD, "SELECT j.a FROM u")).isEqualTo("1");
        assertThat(library(other)).contains("engine-" + OLD);
    }

    @Test
    void versionThatIsNotInstalledAnyMoreIsSaidAndNothingIsStartedOnAnother()
            throws DatabaseFailure, InterruptedException {
        DatabaseSettings wanted = settings(PASSWORD);
        started(databases, id, wanted.on(OLD));
        databases.close();
        reopen(installed.subList(1, 2));
        assertThatThrownBy(() -> databases.start(id, wanted.on(OLD)))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageStartingWith("ClickHouse 26.7.0-stable.1, which its data is from, is not installed");
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
    }
}
