package io.pilothouse.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * The native library inside the driver's jar, which the driver otherwise unpacks into a temporary file at each start.
 */
public final class SqliteDriver {
    /** The system property that names the folder in which the driver looks for its library first. */
    public static final String FOLDER_PROPERTY = "org.sqlite.lib.path";

    private SqliteDriver() {}

    /** Puts the library for this machine into the folder, under the name by which the driver looks for it. */
    public static void unpackLibrary(Path folder) throws IOException {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (InputStream library = LibraryLoaderUtil.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new FileNotFoundException("The SQLite driver has no library for this machine");
            }
            Files.copy(library, folder.resolve(name));
        }
    }
}
