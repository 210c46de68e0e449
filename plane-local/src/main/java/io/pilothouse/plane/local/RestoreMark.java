package io.pilothouse.plane.local;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** How far the restoring of one backup into one service has come, kept in the service's folder. */
final class RestoreMark {
    private final Path begun;
    private final Path done;

    RestoreMark(ServiceFolder folder, UUID backup) {
        this.begun = folder.path().resolve("restore-" + backup + ".begun");
        this.done = folder.path().resolve("restore-" + backup + ".done");
    }

    boolean begun() {
        return Files.exists(begun);
    }

    boolean done() {
        return Files.exists(done);
    }

    void begin() throws IOException {
        Folders.replace(begun, "", "rw-------");
    }

    void end() throws IOException {
        Folders.replace(done, "", "rw-------");
    }

    /** Records that the restore must begin again. */
    void clear() throws DatabaseFailure {
        try {
            Files.deleteIfExists(begun);
        } catch (IOException failure) {
            throw new DatabaseFailure("It cannot be noted that the backup must be restored again.", failure);
        }
    }
}
