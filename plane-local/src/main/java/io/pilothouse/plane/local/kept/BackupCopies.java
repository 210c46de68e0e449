package io.pilothouse.plane.local.kept;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The files of a service's backups under other names: links where they can be, because such a file never changes. */
final class BackupCopies {
    private static final String ENDED = "*.{tar.gz,parts}";
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private BackupCopies() {}

    /** Does nothing where there are none. */
    static void copy(Path folder, Path to, UnaryOperator<UUID> ids) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ENDED)) {
            for (Path file : files) {
                Files.createDirectories(to);
                Path next = to.resolve(renamed(String.valueOf(file.getFileName()), ids));
                try {
                    Files.createLink(next, file);
                } catch (IOException | UnsupportedOperationException otherDisk) {
                    Files.copy(file, next);
                }
            }
        } catch (NoSuchFileException none) {
            // The service has no backup.
        }
    }

    /** A name with the id in it that is meant now. */
    static String renamed(String name, UnaryOperator<UUID> ids) {
        return ID.matcher(name)
                .replaceAll(found -> ids.apply(UUID.fromString(found.group())).toString());
    }
}
