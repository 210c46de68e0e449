package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The built program is ended in the middle of its work, and what a service holds is there afterwards. */
class DeathIT {
    @TempDir
    private Path folder;

    private final ProcessTable processes = new ProcessTable();
    private ServiceOfProgram service;

    @BeforeEach
    void nameService() {
        service = new ServiceOfProgram(folder);
    }

    private ChildProgram up(String... more) throws IOException, StartRefused {
        return ChildProgram.up(folder, LocalProgram.flagsAnd(more));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void killedControlPlaneComesBackToTheSameDatabasesAtTheSamePorts(boolean databaseToo)
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        ProcessHandle database;
        try (ChildProgram first = up()) {
            try (ServiceClient client = service.create()) {
                client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
                client.query("INSERT INTO t VALUES (7)");
            }
            database = service.process();
            first.process().destroyForcibly().waitFor();
            if (databaseToo) {
                database.destroyForcibly();
            }
        }
        try (ChildProgram second = up();
                ServiceClient client = service.client()) {
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            assertThat(second.printedUntil("ca_file")).contains("up again");
            assertThat(processes.isAlive(database)).isFalse();
            ProcessHandle latest = service.process();
            second.signal("TERM");
            assertThat(second.exitCode()).isEqualTo(143);
            assertThat(processes.isAlive(latest)).isFalse();
        }
    }

    @Test
    void keptDatabaseOutlivesTheControlPlaneAndIsTakenOver()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused, ExecutionException,
                    TimeoutException {
        ProcessHandle database;
        try (ChildProgram first = up("--keep-services")) {
            try (ServiceClient client = service.create()) {
                client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
                client.query("INSERT INTO t VALUES (7)");
            }
            first.signal("TERM");
            assertThat(first.exitCode()).isEqualTo(143);
        }
        database = service.process();
        assertThat(processes.isAlive(database)).isTrue();
        try (ChildProgram second = up();
                ServiceClient client = service.client()) {
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            assertThat(service.process()).isEqualTo(database);
            second.signal("TERM");
            assertThat(second.exitCode()).isEqualTo(143);
            assertThat(second.errors()).doesNotContain("cannot be ended").endsWith("message=Stopped\n");
        }
        processes.onExit(database).get(10, TimeUnit.SECONDS);
    }
}
