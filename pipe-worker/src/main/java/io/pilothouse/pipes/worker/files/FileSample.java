package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.FileStore.Page;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The first file that a pipe would read, and the SQL by which the database looks into it. */
public record FileSample(String key, FileReading reading) {
    private static final int MAX_PAGES = 20;
    private static final int LINES = 200;

    /** The first one that is not empty; an Owner's trouble where there is none. */
    public static FileSample find(Link link, Assignment assignment, Clock clock) throws Trouble {
        FileStore store = FileStore.of(link, assignment, clock);
        FileReading reading = new FileReading(assignment, store);
        Optional<Found> single = store.single();
        if (single.isPresent()) {
            return new FileSample(single.get().key(), reading);
        }
        String startAfter = assignment.source().text("startAfter").orElse("");
        Page page = store.page(null, startAfter);
        for (int pages = 1; pages <= MAX_PAGES; pages++) {
            Optional<Found> first = page.files().stream()
                    .filter(file -> file.size() > 0 && store.glob().matches(file.key()))
                    .findFirst();
            if (first.isPresent()) {
                return new FileSample(first.get().key(), reading);
            }
            String next = page.next();
            if (next == null) {
                break;
            }
            page = store.page(next, startAfter);
        }
        throw new Owner("There is no file yet that fits the URL, so nothing shows which fields there will be.");
    }

    public String format() {
        return reading.format();
    }

    /** Selects its first lines as they are. */
    public String firstLines() throws SourceAway {
        return reading.firstLines(key, LINES);
    }

    /** The file as a table. */
    public String table() throws SourceAway {
        return reading.table(key);
    }

    /** Reads its first rows as a pipe would, and keeps nothing. */
    public String trial() throws SourceAway {
        return reading.trial(key, LINES);
    }

    /** The same, and no further than that. */
    public Map<String, String> settingsOfTrial() {
        Map<String, String> all = new LinkedHashMap<>(reading.settings(false));
        all.put("max_block_size", Integer.toString(LINES));
        all.put("input_format_parallel_parsing", "0");
        return all;
    }

    /** How the database is to read it. */
    public Map<String, String> settings() {
        return reading.settings(false);
    }
}
