package io.pilothouse.server.host;

import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Which host a data folder is: its databases are in it, so its name among others is too. */
public final class HostFile {
    private static final String NAME = "host-id";

    private HostFile() {}

    /** The id of the host with this data folder, made on its first use. */
    public static UUID idOf(Path folder) {
        Path file = folder.resolve(NAME);
        try {
            if (Files.notExists(file)) {
                PrivateFile.write(file, (UUID.randomUUID() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            return UUID.fromString(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("The file " + NAME + " cannot be read or written", e);
        } catch (IllegalArgumentException e) {
            throw new UncheckedIOException(
                    new IOException("The file " + NAME + " does not hold the id of a host: put it back", e));
        }
    }
}
