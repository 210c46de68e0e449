package io.pilothouse.plane.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The ClickHouse that services of this plane run on, or the reason why none was found. */
public sealed interface ClickHouse {
    /** The version that its databases will say they are, where that is known before one runs. */
    Optional<String> version();

    /** A ClickHouse program; its version is what it printed, and old ones cannot be asked before they run. */
    record Binary(Path program, Optional<String> version) implements ClickHouse {
        /** Whether it is a script, which starts programs that nobody knows beforehand. */
        boolean isScript() {
            try (InputStream text = Files.newInputStream(program)) {
                return new String(text.readNBytes(2), StandardCharsets.US_ASCII).equals("#!");
            } catch (IOException missing) {
                return false;
            }
        }

        /** 0 if it is unknown. */
        int majorVersion() {
            return version.map(text -> Integer.parseInt(text.replaceFirst("\\..*", "")))
                    .orElse(0);
        }
    }

    /** The bundled ClickHouse: a library that a small JVM loads; the version of one that was configured is unknown. */
    record Bundled(Path library, Optional<String> version) implements ClickHouse {}

    /** No ClickHouse; the reason is a sentence for a person. */
    record None(String reason) implements ClickHouse {
        @Override
        public Optional<String> version() {
            return Optional.empty();
        }
    }
}
