package io.pilothouse.plane.local;

import java.nio.file.Path;
import java.util.Optional;

/** The ClickHouse that services of this plane run on, or why there is none. */
public sealed interface ClickHouse {

    /** A ClickHouse program; its version is what it said of itself, and old ones cannot be asked before they run. */
    record Binary(Path program, Optional<String> version) implements ClickHouse {
        /** 0 where it did not say. */
        int majorVersion() {
            return version.map(text -> Integer.parseInt(text.replaceFirst("\\..*", "")))
                    .orElse(0);
        }
    }

    /** The bundled ClickHouse: one library that a small process of ours loads. */
    record Bundled(Path library, String version) implements ClickHouse {}

    /** No ClickHouse; the reason is a sentence for a person. */
    record None(String reason) implements ClickHouse {}
}
