package io.pilothouse.testkit;

import java.nio.file.Path;
import java.util.Optional;

/** Where what tests fetch is kept between their runs. */
public final class ToolCache {
    private ToolCache() {}

    /** The folder in which all programs of this user keep such things. */
    public static Path home() {
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .map(Path::of)
                .orElse(Path.of(System.getProperty("user.home"), ".cache"));
    }

    /** The folder of one version of a tool. */
    public static Path folder(String name, String version) {
        return home().resolve("pilothouse").resolve(name + "-" + version);
    }
}
