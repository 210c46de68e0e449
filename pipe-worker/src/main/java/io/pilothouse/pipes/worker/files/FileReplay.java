package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.ErrorPortion.Kept;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.files.BadLines.BadLine;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Replay;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of files again that could not be read, and files of which nothing could. Lines come from the error table,
 * and a file as it is now: under the token of its first time, so that rows that had arrived by then do not come twice.
 * For one thread.
 */
final class FileReplay {
    private final Link link;
    private final Assignment assignment;
    private final Destination destination;
    private final FileReading reading;
    private final FileLoad load;
    private final FileStore store;
    private final UnreadFiles unread;
    private @Nullable String wrong;

    FileReplay(
            Link link,
            Assignment assignment,
            Destination destination,
            FileReading reading,
            FileLoad load,
            FileStore store,
            UnreadFiles unread) {
        this.link = link;
        this.assignment = assignment;
        this.destination = destination;
        this.reading = reading;
        this.load = load;
        this.store = store;
        this.unread = unread;
    }

    /** What kept lines of one file have in common. */
    private record Lines(String part, long size, Optional<String> heading) {}

    /** A sentence about what could not be read again last. */
    Optional<String> wrong() {
        return Optional.ofNullable(wrong);
    }

    void read(ErrorPortion portion) throws Trouble, InterruptedException {
        ask(About.CLAIM, portion.span());
        Map<String, List<Kept>> batches = batches(Replay.token(assignment, portion), portion.rows());
        for (Map.Entry<String, List<Kept>> batch : batches.entrySet()) {
            Kept first = batch.getValue().getFirst();
            if (isWholeFile(first)) {
                file(first, batch.getKey());
            } else {
                lines(
                        lines(first),
                        batch.getValue().stream()
                                .map(row -> new String(row.raw(), StandardCharsets.ISO_8859_1))
                                .toList(),
                        batch.getKey());
            }
        }
        ask(About.DONE, portion.span());
    }

    /**
     * What is read again together, by the token under which that is done. A token is the same whatever else is in the
     * portion: other rows may have expired since it was used first.
     */
    static Map<String, List<Kept>> batches(String portion, List<Kept> rows) {
        Map<String, List<Kept>> batches = new LinkedHashMap<>();
        for (Kept row : rows) {
            String token = portion + ":" + row.source() + (isWholeFile(row) ? "" : ":" + hash(lines(row)));
            batches.computeIfAbsent(token, _ -> new ArrayList<>()).add(row);
        }
        return batches;
    }

    private static UUID hash(Lines lines) {
        return UUID.nameUUIDFromBytes(lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void ask(About about, Span span) throws Yield, InterruptedException {
        Optional<String> refusal = link.ask(about, Span.tree(List.of(span))).refusal();
        if (refusal.isPresent()) {
            throw new Yield(refusal.get());
        }
    }

    private static boolean isWholeFile(Kept row) {
        return row.field(ErrorPortion.ETAG).isPresent()
                || (row.fields64().isEmpty() && row.raw64().isEmpty());
    }

    private static Lines lines(Kept row) {
        return new Lines(
                row.source(),
                row.field(ErrorPortion.SIZE)
                        .map(size -> Long.parseLong(new String(size, StandardCharsets.UTF_8)))
                        .orElse(0L),
                row.field(ErrorPortion.HEADING).map(heading -> new String(heading, StandardCharsets.ISO_8859_1)));
    }

    private void file(Kept row, String kept) throws Trouble, InterruptedException {
        String part = row.source();
        Optional<Found> file = store.find(part);
        if (file.isPresent()) {
            String again = load.again(file.get(), part, kept);
            wrong = again == null ? wrong : again;
        } else {
            Found gone = new Found(
                    part, row.field(ErrorPortion.ETAG).map(FileReplay::text).orElse(""), 0);
            wrong = unread.whole(gone, part, kept, "The file is not there any more.");
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void lines(Lines of, List<String> lines, String token) throws Trouble, InterruptedException {
        String heading = reading.hasHeading() ? of.heading().orElse(null) : null;
        if (!reading.byLine()) {
            keep(of, token, all(lines, "A file of " + reading.format() + " has no lines."));
        } else if (reading.hasHeading() && heading == null) {
            keep(of, token, all(lines, "The names of the columns were not kept with the line."));
        } else {
            insert(of, heading, lines, token);
        }
    }

    private void keep(Lines of, String token, List<BadLine> bad) throws Trouble, InterruptedException {
        if (!bad.isEmpty()) {
            unread.lines(of.part(), token, of.size(), of.heading().orElse(null), bad);
            wrong = UnreadFiles.sentence(of.part(), bad);
        }
    }

    private static List<BadLine> all(List<String> lines, String reason) {
        return lines.stream().map(line -> new BadLine(line, reason)).toList();
    }

    /** Inserts those that can be read and keeps the others, those first: they must not be in neither table. */
    private void insert(Lines of, @Nullable String heading, List<String> lines, String token)
            throws Trouble, InterruptedException {
        try {
            send(of, heading, lines, token);
        } catch (BadData _) {
            List<BadLine> bad = new BadLines(destination, reading).among(heading, lines);
            List<String> good = new ArrayList<>(lines);
            bad.forEach(line -> good.remove(line.raw()));
            keep(of, token, bad);
            try {
                send(of, heading, good, token);
            } catch (BadData reason) {
                keep(of, token + "/refused", all(good, reason.sentence()));
            }
        }
    }

    private void send(Lines of, @Nullable String heading, List<String> lines, String token)
            throws Trouble, InterruptedException {
        if (lines.isEmpty()) {
            return;
        }
        Destination.Written written = destination.insert(
                reading.insertLines(of.part(), of.size()),
                reading.settings(false),
                token,
                out -> out.write(BadLines.body(heading, lines)));
        link.count(new Amounts(lines.size(), 0, written.rows(), written.bytes(), 0, 0), -1);
    }
}
