package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.query;
import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static io.pilothouse.plane.local.LiveDatabase.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.process.ProcessMark;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files SQL in the bundled ClickHouse reaches, and what the control plane writes for it. */
class OwnFilesIT {
    private static final String PASSWORD = "correct horse battery staple";

    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();
    private LocalDatabases databases;

    @BeforeEach
    void openPlane() throws DatabaseFailure, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false));
    }

    @AfterEach
    void closePlane() throws DatabaseFailure {
        databases.close();
    }

    private long pid() throws IOException {
        return ProcessMark.parse(databases.folder(id).processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }

    @Test
    void queriesReachNoFileOfTheMachine() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings(PASSWORD));
        Path secret = Files.writeString(folder.resolve("secret.txt"), "hush");
        Path own = databases.folder(id).path().resolve("own-password");

        Path environment =
                Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "environ");
        Path link = Files.createSymbolicLink(databases.folder(id).userFiles().resolve("link"), secret);
        Path[] paths = {secret, own, link, Path.of("/etc/passwd"), environment, Path.of("/sys/kernel/vmcoreinfo")};
        for (Path path : paths) {
            for (String sql : new String[] {
                "SELECT * FROM file('" + path + "', 'LineAsString')",
                "SELECT * FROM url('file://" + path + "', 'LineAsString', 'line String')",
                "SELECT * FROM \"" + path + "\"",
                "SELECT file('" + path + "')",
                "SELECT 1 INTO OUTFILE '" + path + "'",
                "SELECT * FROM sqlite('" + path + "', 't')",
                "INSERT INTO FUNCTION file('" + path + "', 'LineAsString', 'line String') VALUES ('x')",
                "CREATE TABLE f (line String) ENGINE = File(LineAsString, '" + path + "')",
                "CREATE TABLE r (k String, v String) ENGINE = EmbeddedRocksDB(0, '" + path.getParent()
                        + "/rocks') PRIMARY KEY k",
                "BACKUP DATABASE default TO File('" + path + ".backup')",
                "CREATE TABLE m (x Int8) ENGINE = MergeTree ORDER BY x SETTINGS disk = disk(type = local, path = '"
                        + path.getParent() + "/disk/')",
            }) {
                assertThat(query(address, PASSWORD, sql).statusCode()).as(sql).isNotEqualTo(200);
            }
        }
        // Naming a folder as a database is let through; looking into it is not.
        query(address, PASSWORD, "CREATE DATABASE d ENGINE = Filesystem('" + folder + "')");
        assertThat(query(address, PASSWORD, "SELECT * FROM d.\"secret.txt\"").statusCode())
                .isNotEqualTo(200);
        query(
                address,
                PASSWORD,
                "CREATE DICTIONARY p (line String) PRIMARY KEY line SOURCE(EXECUTABLE(COMMAND 'cat " + secret
                        + "' FORMAT 'LineAsString')) LIFETIME(0) LAYOUT(COMPLEX_KEY_HASHED())");
        assertThat(query(address, PASSWORD, "SELECT * FROM p").statusCode()).isNotEqualTo(200);
        assertThat(Files.readString(secret)).isEqualTo("hush");
        assertThat(value(address, PASSWORD, "SELECT 1")).isEqualTo("1");
    }

    /** The hashes of its own passwords too: {@code file()} asks for no right. */
    @Test
    void fileOfUsersIsGoneBeforeAClientComes() throws IOException, DatabaseFailure, InterruptedException {
        DatabaseAddress address = started(databases, id, settings(PASSWORD));

        assertThat(databases.folder(id).users()).doesNotExist();
        assertThat(databases.folder(id).errorLog())
                .as("it misses nothing that the fence keeps from it")
                .content()
                .doesNotContain("Permission denied");
        assertThat(openFiles(pid())).isNotEmpty().noneMatch(file -> file.contains("users.xml"));
        query(address, PASSWORD, "SYSTEM RELOAD USERS");
        query(address, PASSWORD, "SYSTEM RELOAD CONFIG");
        assertThat(value(address, PASSWORD, "SELECT currentUser()")).isEqualTo("default");
        assertThat(query(address, "wrong", "SELECT 1").statusCode()).isNotEqualTo(200);
    }

    private static List<String> openFiles(long pid) throws IOException {
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path descriptor : open) {
                files.add(target(descriptor));
            }
        }
        return files;
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closedMeanwhile) {
            return "";
        }
    }

    @Test
    void linksThatTheDatabasesUserMakesAreNotWrittenThrough()
            throws IOException, DatabaseFailure, InterruptedException {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "hush");
        started(databases, id, settings(PASSWORD));
        databases.stop(id);
        ServiceFolder service = databases.folder(id);
        for (Path working : service.working()) {
            Files.deleteIfExists(working.resolve("console.log"));
            Files.createSymbolicLink(working.resolve("console.log"), secret);
        }

        started(databases, id, settings(PASSWORD));

        assertThat(service.working()).doesNotContain(service.console().getParent());
        assertThat(Files.readString(secret)).isEqualTo("hush");
        assertThat(service.console()).isRegularFile();
    }
}
