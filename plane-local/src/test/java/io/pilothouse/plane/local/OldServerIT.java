package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.query;
import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.process.ProcessTable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same life on the old ClickHouse server that some distributions ship, where it is installed. */
class OldServerIT {
    private static final Path PROGRAM = Path.of("/usr/sbin/clickhouse-server");

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private LocalDatabases databases;

    @BeforeEach
    void openPlane() throws DatabaseFailure {
        Assumptions.assumeTrue(
                Files.isExecutable(PROGRAM),
                "This machine has no clickhouse-server of Debian; CONTRIBUTING.md says how to have it.");
        databases = new LocalDatabases(LiveDatabase.setup(
                new ClickHouse.Binary(PROGRAM, Optional.empty()), folder.resolve("services"), false));
    }

    @AfterEach
    void closePlane() throws DatabaseFailure {
        if (databases != null) {
            databases.close();
        }
    }

    @Test
    void dataSurvivesAStopAndAKill() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings("secret"));
        value(address, "secret", "CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
        value(address, "secret", "INSERT INTO t SELECT number FROM numbers(1000)");
        databases.stop(id);
        assertThat(databases.observe(id)).isEqualTo(new DatabaseSeen.Stopped());
        DatabaseAddress again = started(databases, id, settings("secret"));
        assertThat(again.ports()).isEqualTo(address.ports());

        ProcessHandle process = ProcessMark.parse(
                        databases.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .flatMap(ProcessHandle::of)
                .orElseThrow();
        assertThat(process.destroyForcibly()).isTrue();
        new ProcessTable().onExit(process).orTimeout(10, TimeUnit.SECONDS).join();

        assertThat(value(started(databases, id, settings("secret")), "secret", "SELECT count() FROM t"))
                .isEqualTo("1000");
    }

    @Test
    void newPasswordTakesEffectWithoutARestart() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings("secret"));

        assertThat(databases.start(id, settings("another one")))
                .isEqualTo(LocalDatabases.Started.CHANGED_WHILE_RUNNING);

        assertThat(value(address, "another one", "SELECT 1")).isEqualTo("1");
        assertThat(query(address, "secret", "SELECT 1").statusCode()).isNotEqualTo(200);
    }

    @Test
    void itsLimitsAreKnown() throws DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings("secret"));

        assertThat(address.capabilities().version()).startsWith("18.");
        assertThat(address.nativeProtocol()).hasValue(address.ports().nativeProtocol());
        assertThat(address.mysql()).isEmpty();
        assertThat(address.capabilities().protocols()).containsExactly("https", "nativesecure");
        DatabaseBackups backups = new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups")));
        assertThatThrownBy(() -> backups.begin(id, UUID.randomUUID()))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("can neither back up nor restore");
    }

    @Test
    void sqlReachesNoPortOfThisMachineAndNoFileBehindALink() throws IOException, DatabaseFailure, InterruptedException {
        Assumptions.assumeTrue(
                LiveDatabase.fences().ofAProgram().hold(), "This system cannot hold files and ports (Landlock 4).");
        DatabaseAddress address = started(databases, id, settings("secret"));
        Path hidden = Files.writeString(folder.resolve("hidden"), "hush\n");
        Files.createSymbolicLink(databases.folder(id).userFiles().resolve("link"), hidden);
        try (TinyHttpServer neighbour = new TinyHttpServer(0, "9")) {
            HttpResponse<String> port = query(
                    address,
                    "secret",
                    "SELECT * FROM url('http://127.0.0.1:" + neighbour.ports().http() + "/', 'TSV', 's String')");
            assertThat(port.statusCode()).as(port.body()).isNotEqualTo(200);
            assertThat(neighbour.questions()).isEmpty();
        }
        HttpResponse<String> link = query(address, "secret", "SELECT * FROM file('link', 'TSV', 's String')");
        assertThat(link.statusCode()).as(link.body()).isNotEqualTo(200);
        assertThat(link.body()).doesNotContain("hush");
        assertThat(value(address, "secret", "SELECT 1")).isEqualTo("1");
    }

    @Test
    void secondServerOnTheSameDataSaysWhyItEnds() throws IOException, DatabaseFailure, InterruptedException {
        started(databases, id, settings("secret"));
        UUID other = UUID.randomUUID();
        ServiceFolder second = databases.folder(other);
        started(databases, other, settings("secret"));
        databases.stop(other);
        Folders.delete(second.data());
        Files.createSymbolicLink(second.data(), databases.folder(id).data());

        databases.start(other, settings("secret"));

        assertThatThrownBy(() -> databases.awaitAnswer(other, Duration.ofSeconds(30)))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("Cannot lock file");
    }
}
