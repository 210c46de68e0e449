package io.pilothouse.plane.local;

import java.nio.file.Path;
import java.util.Optional;

/** The ClickHouse that services of this plane run on, or the reason why none was found. */
public sealed interface ClickHouse {

    /** A ClickHouse program; its version is what it printed, and old ones cannot be asked before they run. */
    record Binary(Path program, Optional<String> version) implements ClickHouse {
        /** 0 if it is unknown. */
        int majorVersion() {
            return version.map(text -> Integer.parseInt(text.replaceFirst("\\..*", "")))
                    .orElse(0);
        }
    }

    /** The bundled ClickHouse: a library that a small JVM loads. */
    record Bundled(Path library, String version) implements ClickHouse {}

    /** No ClickHouse; the reason is a sentence for a person. */
    record None(String reason) implements ClickHouse {}
}
