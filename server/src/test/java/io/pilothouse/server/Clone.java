package io.pilothouse.server;

import java.nio.file.Files;
import java.nio.file.Path;

/** The clone that the tests were started from, wherever in it that was. */
public final class Clone {
    private Clone() {}

    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(folder.resolve("pilothouse"))) {
            Path above = folder.getParent();
            if (above == null) {
                throw new AssertionError("no folder above holds ./pilothouse");
            }
            folder = above;
        }
        return folder;
    }
}
