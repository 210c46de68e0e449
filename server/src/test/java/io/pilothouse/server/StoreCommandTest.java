package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that backs up the store of a running program, and puts it back on an empty home. */
class StoreCommandTest {
    private static final Instant NOW = Instant.parse("2100-01-01T00:00:00Z");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int store(String... arguments) {
        return new StoreCommand(
                        Map.of(),
                        () -> NOW,
                        new SecureRandom(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
    }

    private int store(String verb, Path file, Path home) {
        return store(verb, file.toString(), "--data", home.toString());
    }

    private Path home() {
        return folder.resolve("home");
    }

    private Path other() {
        return folder.resolve("other");
    }

    private Path file() {
        return folder.resolve("store.backup");
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void storeInPostgresqlHasNoCopyToGoBackTo() {
        assertThat(store("revert", "--store", "postgresql://ph@localhost/ph")).isEqualTo(Main.REFUSED);
        assertThat(err()).contains("restore a backup of it with the version that made it");
    }

    @Test
    void sealedKeysAreNotPutIntoPostgresqlWithoutTheKeyThatOpensThem() throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file()))) {
            zip.putNextEntry(new ZipEntry("sums.txt"));
        }
        assertThat(store(
                        "restore",
                        file().toString(),
                        "--data",
                        folder.resolve("new").toString(),
                        "--store",
                        "postgresql://ph@localhost/ph"))
                .isEqualTo(Main.REFUSED);
        assertThat(err()).contains("are sealed: --store-key names the file");
        assertThat(folder.resolve("new")).doesNotExist();
    }

    @Test
    void itExplainsItself() {
        assertThat(store("--help")).isEqualTo(Main.FINE);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("./pilothouse store backup FILE ", "./pilothouse store restore FILE ", "--data DIR")
                .contains("./pilothouse store revert ", "./pilothouse store copy ")
                .doesNotContain("--listen");
    }

    @Test
    void whatIsMissingOrUnknownIsAMisuse() {
        assertThat(store()).isEqualTo(Main.MISUSED);
        assertThat(store("backup")).isEqualTo(Main.MISUSED);
        assertThat(store("restore", "--data", "x")).isEqualTo(Main.MISUSED);
        assertThat(store("revert", "file")).isEqualTo(Main.MISUSED);
        assertThat(store("copy")).isEqualTo(Main.MISUSED);
        assertThat(store("copy", "--from", "one")).isEqualTo(Main.MISUSED);
        assertThat(store("copy", "one", "postgresql://ph@localhost/ph")).isEqualTo(Main.MISUSED);
        assertThat(store("copy", "--from", "one", "--to", "two", "--from", "three"))
                .isEqualTo(Main.MISUSED);
        assertThat(err().lines())
                .containsExactly(
                        "store is followed by backup or restore or revert or copy: ./pilothouse store --help says more.",
                        "It is ./pilothouse store backup FILE, with options after it.",
                        "It is ./pilothouse store restore FILE, with options after it.",
                        "It is ./pilothouse store revert, with options after it.",
                        "It is ./pilothouse store copy --from DIR|URL --to DIR|URL, with options after it.",
                        "It is ./pilothouse store copy --from DIR|URL --to DIR|URL, with options after it.",
                        "It is ./pilothouse store copy --from DIR|URL --to DIR|URL, with options after it.",
                        "--from is no option of store.");
    }

    @Test
    void copyIsBetweenAFolderAndADatabase() {
        assertThat(store("copy", "--to", "one", "--from", "two")).isEqualTo(Main.REFUSED);
        assertThat(store("copy", "--from", "one", "--to", "postgresql://ph:hunter2@localhost/ph"))
                .isEqualTo(Main.REFUSED);
        assertThat(store("copy", "--from", folder.resolve("none").toString(), "--to", "postgresql://ph@localhost/ph"))
                .isEqualTo(Main.REFUSED);
        assertThat(err().lines())
                .hasSize(3)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("A store is copied from a data folder"),
                        line -> assertThat(line).contains("without a password").doesNotContain("hunter2"),
                        line -> assertThat(line).startsWith("There is no store in"));
    }

    @Test
    void theBackupOfARunningProgramStartsElsewhereWithEverythingOfThen()
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(home())) {
            assertThat(program.createService("{\"name\": \"Before\"}").statusCode())
                    .isEqualTo(200);
            assertThat(store("backup", file(), home())).isEqualTo(Main.FINE);
            assertThat(program.createService("{\"name\": \"After\"}").statusCode())
                    .isEqualTo(200);
        }
        assertThat(store("restore", file(), other())).isEqualTo(Main.FINE);
        assertThat(err()).isEmpty();
        for (String key : List.of("secret.key", "vault.key")) {
            assertThat(other().resolve(key)).hasSameBinaryContentAs(home().resolve(key));
        }
        // The secrets of the first start are known to their owner, and in no backup.
        assertThat(other().resolve("credentials.json")).doesNotExist();
        Files.copy(
                home().resolve("credentials.json"),
                other().resolve("credentials.json"),
                StandardCopyOption.COPY_ATTRIBUTES);
        try (TestProgram program = TestProgram.start(other())) {
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .contains("\"Before\"")
                    .doesNotContain("\"After\"");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                            .body())
                    .contains("\"type\":\"store_restore\",\"actorType\":\"system\"");
        }
    }

    @Test
    void nothingIsEverWrittenOver() throws StartRefused, IOException {
        try (TestProgram program = TestProgram.start(home())) {
            assertThat(program.running()).isNotNull();
            assertThat(store("backup", file(), home())).isEqualTo(Main.FINE);
            byte[] first = Files.readAllBytes(file());
            assertThat(store("backup", file(), home())).isEqualTo(Main.REFUSED);
            assertThat(file()).hasBinaryContent(first);
            assertThat(store("restore", file(), home())).isEqualTo(Main.REFUSED);
        }
        assertThat(store("restore", file(), home())).isEqualTo(Main.REFUSED);
        assertThat(err().lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("There is a file " + file() + " already, which is left as it is."),
                        line -> assertThat(line).contains("is in use by another process"),
                        line -> assertThat(line).contains(home() + " is not empty, it has credentials.json:"));
    }

    @Test
    void whereNothingIsThereIsNothingToDo() throws IOException {
        Files.createDirectories(home());
        assertThat(store("backup", file(), home())).isEqualTo(Main.REFUSED);
        assertThat(store("revert", "--data", home().toString())).isEqualTo(Main.REFUSED);
        String sentence = "There is no store in " + home() + ".";
        assertThat(err().lines()).containsExactly(sentence, sentence);
        assertThat(home()).isEmptyDirectory();
        assertThat(file()).doesNotExist();
    }

    @Test
    void aStoreOfThisVersionHasNothingToGoBackFrom() throws StartRefused {
        TestProgram.start(home()).close();
        assertThat(store("revert", "--data", home().toString())).isEqualTo(Main.REFUSED);
        assertThat(err()).contains("there is nothing to go back from");
    }

    @Test
    void aStoreThatANewerVersionChangedGoesBackToItsCopy()
            throws IOException, InterruptedException, SQLException, StartRefused {
        try (TestProgram program = TestProgram.start(home())) {
            assertThat(program.createService("{\"name\": \"Before\"}").statusCode())
                    .isEqualTo(200);
        }
        // As the newer version would have kept it, and what it would have left.
        Path copy = home().resolve("pilothouse-" + form() + ".db");
        Files.copy(home().resolve("pilothouse.db"), copy, StandardCopyOption.COPY_ATTRIBUTES);
        inTheStore("INSERT INTO migrations (version, name, checksum) VALUES (999, 'V999__later.sql', '')");
        assertThatThrownBy(() -> TestProgram.start(home()))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("./pilothouse store revert");
        assertThat(store("revert", "--data", home().toString())).isEqualTo(Main.FINE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(home().resolve("pilothouse-999.db") + " only.");
        try (TestProgram program = TestProgram.start(home())) {
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .contains("\"Before\"");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                            .body())
                    .contains("\"type\":\"store_revert\",\"actorType\":\"system\"");
        }
    }

    private Connection connection() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + home().resolve("pilothouse.db"));
    }

    private int form() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT MAX(version) FROM migrations")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void inTheStore(String change) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(change);
        }
    }
}
