package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.secret.PrivateFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a real PostgreSQL that is backed up while a program works on it, and put back. */
class StorePostgresBackupIT {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int store(StorePostgres postgres, String verb, Path file, String home, String... more) {
        List<String> all = new ArrayList<>(
                List.of(verb, file.toString(), "--data", folder.resolve(home).toString()));
        all.addAll(postgres.flags());
        all.addAll(List.of(more));
        return run(all);
    }

    private int run(List<String> arguments) {
        printed.reset();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new StoreCommand(Map.of(), Instant::now, new SecureRandom(), out, out).run(arguments);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private TestProgram start(StorePostgres postgres, String home, String... more) throws SQLException, StartRefused {
        postgres.awaitNobody();
        List<String> flags = new ArrayList<>(postgres.flags());
        flags.addAll(List.of(more));
        return TestProgram.start(folder.resolve(home), flags.toArray(String[]::new));
    }

    /** Makes two services and takes a backup between them; stays with what the backup has. */
    private void backUp(StorePostgres postgres, Path file, String... more)
            throws IOException, InterruptedException, SQLException, StartRefused {
        try (TestProgram program = start(postgres, "home", more)) {
            assertThat(program.createService("{\"name\": \"Before\"}").statusCode())
                    .isEqualTo(200);
            assertThat(store(postgres, "backup", file, "home", more))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            assertThat(program.createService("{\"name\": \"After\"}").statusCode())
                    .isEqualTo(200);
        }
    }

    private void requireBackedUp(StorePostgres postgres, String home, String... more)
            throws IOException, InterruptedException, SQLException, StartRefused {
        // What a client of the tests signs in with, and no part of a backup.
        Files.copy(folder.resolve("home/credentials.json"), folder.resolve(home).resolve("credentials.json"));
        try (TestProgram program = start(postgres, home, more)) {
            assertThat(program.await(
                            program.organizationUrl() + "/services", body -> body.contains("\"state\":\"running\"")))
                    .contains("Before")
                    .doesNotContain("After");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                            .body())
                    .contains("store_restore");
        }
    }

    @Test
    void storeAndItsKeysArePutBackIntoAnEmptyDatabase()
            throws IOException, InterruptedException, SQLException, StartRefused {
        Path file = folder.resolve("store.backup");
        try (StorePostgres postgres = new StorePostgres(folder)) {
            backUp(postgres, file);
            assertThat(printed()).contains("Keep it as you keep secret.key");
            Path useless = folder.resolve("useless.backup");
            assertThat(store(postgres, "backup", useless, "nowhere")).isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("There is no secret.key in", "--data names the folder that has it");
            assertThat(useless).doesNotExist();
            postgres.awaitNobody();
            assertThat(store(postgres, "restore", file, "other")).isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("holds something already");
            postgres.awaitNobody();
            postgres.clear();
            assertThat(store(postgres, "restore", file, "other")).as(printed()).isEqualTo(Main.FINE);
            assertThat(folder.resolve("other/restore.store")).doesNotExist();
            requireBackedUp(postgres, "other");
        }
        assertThat(run(List.of(
                        "restore",
                        file.toString(),
                        "--data",
                        folder.resolve("alone").toString())))
                .as("the same backup in a folder without PostgreSQL")
                .isEqualTo(Main.FINE);
        TestProgram.start(folder.resolve("alone")).close();
    }

    private void requireNoKeysIn(Path file) throws IOException {
        assertThat(printed()).contains("The keys are sealed in it");
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(zip.stream().map(ZipEntry::getName)).containsExactly("pilothouse.db", "sums.txt");
        }
    }

    @Test
    void sealedKeysStaySealed() throws IOException, InterruptedException, SQLException, StartRefused {
        Path file = folder.resolve("store.backup");
        Path key = folder.resolve("store.key");
        PrivateFile.write(key, new byte[32]);
        try (StorePostgres postgres = new StorePostgres(folder)) {
            backUp(postgres, file, "--store-key", key.toString());
            requireNoKeysIn(file);
            // What a folder still has of the time before, and a command that was not given the key, change nothing.
            PrivateFile.write(folder.resolve("home/secret.key"), new byte[32]);
            Path again = folder.resolve("again.backup");
            assertThat(store(postgres, "backup", again, "home")).as(printed()).isEqualTo(Main.FINE);
            requireNoKeysIn(again);
            assertThat(run(List.of(
                            "restore",
                            file.toString(),
                            "--data",
                            folder.resolve("alone").toString())))
                    .isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("are sealed: restore it to PostgreSQL");
            postgres.awaitNobody();
            postgres.clear();
            assertThat(store(postgres, "restore", file, "other", "--store-key", key.toString()))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            assertThat(folder.resolve("other/secret.key")).doesNotExist();
            requireBackedUp(postgres, "other", "--store-key", key.toString());
        }
    }
}
