package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.files.BadLines.BadLine;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.ErrorTable.Unread;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Loads files, each by one insert whose token follows from the file: it is written in the ledger before and ticked off
 * after, so that what a crash left half done is done again under the same token. Safe for many threads.
 */
final class FileLoad {
    private final Link link;
    private final Destination destination;
    private final FileReading reading;
    private final ErrorTable errors;

    FileLoad(Link link, Destination destination, FileReading reading, ErrorTable errors) {
        this.link = link;
        this.destination = destination;
        this.reading = reading;
        this.errors = errors;
    }

    /** Loads one; returns a sentence about what of it could not be read, null if all of it could. */
    @Nullable
    String load(Found file, String part, String identity) throws Trouble, InterruptedException {
        Span whole = new Span(part, 0, 1, identity);
        if (link.ask(About.CLAIM, Span.tree(List.of(whole))).refusal().isPresent()) {
            return null;
        }
        String token = part + "@" + identity;
        String wrong = read(file, part, token, token);
        // Refused where another worker was faster: it inserted under the same token.
        link.ask(About.DONE, Span.tree(List.of(whole)));
        return wrong;
    }

    /** The same without the ledger; {@code kept} is the token of what cannot be read. */
    @Nullable
    String read(Found file, String part, String token, String kept) throws Trouble, InterruptedException {
        try (Destination.Use _ = destination.use()) {
            try {
                insert(file, token, false);
                return null;
            } catch (BadData reason) {
                return reading.byLine()
                        ? loadGoodLines(file, part, token, kept)
                        : wholeIsBad(file, part, kept, reason.sentence());
            }
        }
    }

    private void insert(Found file, String token, boolean leaveOutBadLines) throws Trouble, InterruptedException {
        Destination.Written written =
                destination.insert(reading.insert(file.key()), reading.settings(leaveOutBadLines), token, null);
        link.count(new Amounts(written.rows(), file.size(), written.rows(), written.bytes(), 0, 1), -1);
    }

    /** What was inserted before the first bad line is cut into blocks the same way again, and dropped. */
    private @Nullable String loadGoodLines(Found file, String part, String token, String kept)
            throws Trouble, InterruptedException {
        BadLines search = new BadLines(destination, reading);
        List<BadLine> bad = search.find(file.key());
        // First: after a crash and a mended pipe all lines would be good, and be dropped as a repeated insert.
        keepLines(part, kept, file.size(), search.heading(), bad);
        try {
            insert(file, token, true);
        } catch (BadData reason) {
            return wholeIsBad(file, part, kept + "/whole", reason.sentence());
        }
        return bad.isEmpty() ? null : sentence(part, bad);
    }

    static String sentence(String part, List<BadLine> bad) {
        return bad.size() + " lines of " + part + " cannot be read: "
                + bad.getFirst().reason();
    }

    String wholeIsBad(Found file, String part, String kept, String reason) throws Trouble, InterruptedException {
        keep(
                kept,
                List.of(new Unread(
                        part,
                        reason,
                        new byte[0],
                        Map.of(ErrorPortion.ETAG, file.etag().getBytes(StandardCharsets.UTF_8)))));
        return part + " cannot be read: " + reason;
    }

    void keepLines(String part, String kept, long size, @Nullable String heading, List<BadLine> bad)
            throws Trouble, InterruptedException {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put(ErrorPortion.SIZE, Long.toString(size).getBytes(StandardCharsets.UTF_8));
        if (heading != null) {
            fields.put(ErrorPortion.HEADING, heading.getBytes(StandardCharsets.ISO_8859_1));
        }
        keep(
                kept,
                bad.stream()
                        .map(line -> new Unread(
                                part, line.reason(), line.raw().getBytes(StandardCharsets.ISO_8859_1), fields))
                        .toList());
    }

    private void keep(String token, List<Unread> unread) throws Trouble, InterruptedException {
        if (unread.isEmpty()) {
            return;
        }
        errors.keep(token, unread);
        link.count(new Amounts(unread.size(), 0, 0, 0, unread.size(), 0), -1);
    }
}
