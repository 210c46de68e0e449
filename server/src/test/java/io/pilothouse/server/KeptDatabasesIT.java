package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.process.ProcessTable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restart of the built program beside databases that it is to keep, and the clients that they have meanwhile. */
class KeptDatabasesIT {
    private static final String KEEP = "--keep-services";

    @TempDir
    private Path folder;

    private ServiceOfProgram service;

    @BeforeEach
    void nameService() {
        service = new ServiceOfProgram(folder);
    }

    @Test
    void queryOfAGracefulStopHasItsAnswerAndTheNextProgramHasTheSameDatabase()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused, ExecutionException,
                    TimeoutException {
        try (ChildProgram first = ChildProgram.up(folder, LocalProgram.flagsAnd(KEEP));
                ServiceClient client = service.create()) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = Memory");
            client.query("INSERT INTO t VALUES (7)");
            ProcessHandle database = service.process();
            CompletableFuture<String> query =
                    aside(() -> client.query("SELECT sum(sleepEachRow(0.5)) FROM numbers(6)"));
            awaitQuery(client);

            first.signal("TERM");

            assertThat(query.get(30, TimeUnit.SECONDS)).isEqualTo("0");
            assertThat(first.exitCode()).isEqualTo(143);
            try (ChildProgram second = ChildProgram.up(folder, LocalProgram.flagsAnd(KEEP))) {
                // The connection that it kept has ended; a table in memory shows that the database has not.
                assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
                assertThat(service.process()).isEqualTo(database);
                service.delete();
                new ProcessTable().onExit(database).get(30, TimeUnit.SECONDS);
                second.signal("TERM");
                assertThat(second.exitCode()).isEqualTo(143);
            }
        }
    }

    @Test
    void killAndAnUpgradeOfTheProgramLeaveADatabaseAsItWas()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        Path installed = copyOfProgram();
        ProcessHandle database;
        try (ChildProgram first = ChildProgram.upFrom(installed, folder, LocalProgram.flagsAnd(KEEP))) {
            try (ServiceClient client = service.create()) {
                client.query("CREATE TABLE t (x UInt64) ENGINE = Memory");
                client.query("INSERT INTO t VALUES (7)");
            }
            database = service.process();
            first.process().destroyForcibly().waitFor();
        }
        // The worst way to install another version: over the files that the database's process runs from.
        overwrite(folder.resolve("installed"));

        try (ChildProgram second = ChildProgram.up(folder, LocalProgram.flags());
                ServiceClient client = service.client()) {
            assertThat(client.query("SELECT x FROM t")).isEqualTo("7");
            assertThat(service.process()).isEqualTo(database);
            assertThat(Path.of("/proc", Long.toString(database.pid()), "oom_score_adj"))
                    .hasContent("500\n");
            HttpResponse<String> outside = client.send("SELECT * FROM url('https://127.0.0.1:443', 'LineAsString')");
            assertThat(outside.statusCode()).as(outside.body()).isEqualTo(500);
            assertThat(outside.body()).contains("Permission denied");

            second.signal("TERM");

            assertThat(second.exitCode()).isEqualTo(143);
            assertThat(new ProcessTable().isAlive(database)).isFalse();
            assertThat(Files.readString(service.path().resolve("console.log"), StandardCharsets.UTF_8))
                    .contains("The database has stopped as asked.\n");
        }
    }

    private Path copyOfProgram() throws IOException {
        Path copy = folder.resolve("installed");
        Path libraries = Path.of(ChildProgram.jar()).resolveSibling("lib");
        Files.createDirectories(copy.resolve("lib"));
        try (Stream<Path> files = Files.list(libraries)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve("lib").resolve(libraries.relativize(file)));
            }
        }
        return Files.copy(Path.of(ChildProgram.jar()), copy.resolve("pilothouse.jar"));
    }

    private static void overwrite(Path program) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(program)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Files.write(file, new byte[1 << 16]);
        }
    }

    private static void awaitQuery(ServiceClient client) throws IOException, InterruptedException {
        String running = "SELECT count() FROM system.processes WHERE query LIKE 'SELECT sum(sleep%'";
        while (client.query(running).equals("0")) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static <T> CompletableFuture<T> aside(Callable<T> work) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return work.call();
            } catch (Exception failure) {
                throw new CompletionException(failure);
            }
        });
    }
}
