package io.pilothouse.plane.local;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Everything that one service has on this machine, in one folder named after its id. The database may write in the
 * working folders only; the files that record its process, ports and secret belong to the control plane.
 */
record ServiceFolder(Path root, UUID id) {
    private static final String OWN_FILE = "rw-------";

    Path path() {
        return root.resolve(id.toString());
    }

    Path config() {
        return path().resolve("config.xml");
    }

    Path users() {
        return path().resolve("users.xml");
    }

    Path data() {
        return path().resolve("data");
    }

    Path temporary() {
        return path().resolve("tmp");
    }

    Path userFiles() {
        return path().resolve("user_files");
    }

    Path formatSchemas() {
        return path().resolve("format_schemas");
    }

    Path log() {
        return path().resolve("log");
    }

    /** Where the database writes backups and reads those it restores. */
    Path exchange() {
        return path().resolve("exchange");
    }

    /** Not among the working folders: the control plane opens it, and must follow no link of the database's user. */
    Path console() {
        return path().resolve("console.log");
    }

    Path errorLog() {
        return log().resolve("error.log");
    }

    /** The folders that belong to the database's own user. */
    List<Path> working() {
        return List.of(data(), temporary(), userFiles(), formatSchemas(), log(), exchange());
    }

    boolean exists() {
        return Files.isDirectory(path());
    }

    Optional<PortSet> ports() throws IOException {
        Optional<String> text = read("ports");
        try {
            return text.map(Integer::valueOf).map(PortSet::new);
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    void keepPorts(PortSet ports) throws IOException {
        Folders.replace(path().resolve("ports"), Integer.toString(ports.http()), OWN_FILE);
    }

    /** The password of the control plane's own user of this database. */
    Optional<String> ownPassword() throws IOException {
        return read("own-password");
    }

    void keepOwnPassword(String password) throws IOException {
        Folders.replace(path().resolve("own-password"), password, OWN_FILE);
    }

    /** The backup with which the service went to another machine, or is about to. */
    Optional<UUID> leftWith() throws IOException {
        return read("left-with").map(UUID::fromString);
    }

    void keepLeftWith(UUID backup) throws IOException {
        Folders.replace(path().resolve("left-with"), backup.toString(), OWN_FILE);
    }

    void dropLeftWith() throws IOException {
        Files.deleteIfExists(path().resolve("left-with"));
    }

    Optional<String> processMark() throws IOException {
        return read("process");
    }

    void keepProcessMark(String mark) throws IOException {
        Folders.replace(path().resolve("process"), mark, OWN_FILE);
    }

    void dropProcessMark() throws IOException {
        Files.deleteIfExists(path().resolve("process"));
    }

    private Optional<String> read(String name) throws IOException {
        try {
            return Optional.of(Files.readString(path().resolve(name), StandardCharsets.UTF_8)
                    .strip());
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }
}
