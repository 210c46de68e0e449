package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Halving;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of a file that cannot be read: batches are tried against a table that keeps nothing. For one thread.
 */
final class BadLines {
    private static final int LINES_AT_ONCE = 1000;
    private static final int CHARACTERS_AT_ONCE = 1 << 20;
    /** A file with more than these is of another format, and its owner needs no copy of it. */
    private static final int MAX_LINES = 10_000;

    private final Destination destination;
    private final FileReading reading;
    private final Map<String, String> settings;
    private final List<BadLine> bad = new ArrayList<>();
    private @Nullable String heading;

    /** A line as it was, and why it could not be read. */
    record BadLine(String raw, String reason) {}

    BadLines(Destination destination, FileReading reading) {
        this.destination = destination;
        this.reading = reading;
        this.settings = reading.settings(false);
    }

    List<BadLine> find(String key) throws Trouble, InterruptedException {
        try (Destination.Use _ = destination.use();
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        destination.select(reading.lines(key), Map.of("max_threads", "1")),
                        StandardCharsets.ISO_8859_1))) {
            heading = reading.hasHeading() ? lines.readLine() : null;
            List<String> batch = new ArrayList<>();
            int characters = 0;
            String line = lines.readLine();
            while (line != null && bad.size() < MAX_LINES) {
                batch.add(line);
                characters += line.length();
                line = lines.readLine();
                if (line == null || batch.size() == LINES_AT_ONCE || characters > CHARACTERS_AT_ONCE) {
                    tryAll(batch);
                    batch.clear();
                    characters = 0;
                }
            }
            return bad;
        } catch (IOException gone) {
            throw new Trouble.DestinationAway("The database broke off: " + gone.getMessage());
        }
    }

    /** The same of lines that are here, after a first line that names the columns; null where none does. */
    List<BadLine> among(@Nullable String first, List<String> lines) throws Trouble, InterruptedException {
        heading = first;
        tryAll(lines);
        return bad;
    }

    /** The line that names the columns; null where none does. */
    @Nullable
    String heading() {
        return heading;
    }

    /** As they stand in a file. Bytes pass as they are: the encoding of a bad line may be what is wrong with it. */
    static byte[] body(@Nullable String heading, List<String> lines) {
        return ((heading == null ? "" : heading + "\n") + String.join("\n", lines) + "\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private void tryAll(List<String> lines) throws Trouble, InterruptedException {
        Halving.among(lines, this::send).forEach(line -> bad.add(new BadLine(line.piece(), line.reason())));
    }

    private void send(List<String> lines) throws Trouble, InterruptedException {
        byte[] body = body(heading, lines);
        destination.insert(reading.trial(), settings, "", out -> out.write(body));
    }
}
