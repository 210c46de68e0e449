package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.files.BadLines.BadLine;
import io.pilothouse.pipes.worker.files.ObjectListing.Found;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.ErrorTable.Unread;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    FileLoad(Link link, Destination destination, FileReading reading) {
        this.link = link;
        this.destination = destination;
        this.reading = reading;
        this.errors = new ErrorTable(destination);
    }

    /** Loads one; returns a sentence about what of it could not be read, null if all of it could. */
    @Nullable
    String load(Found file, String part, String identity) throws Trouble, InterruptedException {
        Span whole = new Span(part, 0, 1, identity);
        if (link.ask(About.CLAIM, Span.tree(List.of(whole))).refusal().isPresent()) {
            return null;
        }
        String token = part + "@" + identity;
        String wrong = null;
        try (Destination.Use _ = destination.use()) {
            try {
                insert(file, token, false);
            } catch (BadData reason) {
                wrong = reading.byLine()
                        ? loadGoodLines(file, part, token)
                        : wholeIsBad(part, token, reason.sentence());
            }
        }
        // Refused where another worker was faster: it inserted under the same token.
        link.ask(About.DONE, Span.tree(List.of(whole)));
        return wrong;
    }

    private void insert(Found file, String token, boolean leaveOutBadLines) throws Trouble, InterruptedException {
        Destination.Written written =
                destination.insert(reading.insert(file.key()), reading.settings(leaveOutBadLines), token, null);
        link.count(new Amounts(written.rows(), file.size(), written.rows(), written.bytes(), 0, 1), -1);
    }

    /** What was inserted before the first bad line is cut into blocks the same way again, and dropped. */
    private @Nullable String loadGoodLines(Found file, String part, String token) throws Trouble, InterruptedException {
        List<BadLine> bad = new BadLines(destination, reading).find(file.key());
        try {
            insert(file, token, true);
        } catch (BadData reason) {
            return wholeIsBad(part, token, reason.sentence());
        }
        keep(part, token, bad);
        return bad.isEmpty()
                ? null
                : bad.size() + " lines of " + part + " cannot be read: "
                        + bad.getFirst().reason();
    }

    private String wholeIsBad(String part, String token, String reason) throws Trouble, InterruptedException {
        keep(part, token, List.of(new BadLine("", reason)));
        return part + " cannot be read: " + reason;
    }

    private void keep(String part, String token, List<BadLine> bad) throws Trouble, InterruptedException {
        if (bad.isEmpty()) {
            return;
        }
        errors.keep(
                token,
                bad.stream()
                        .map(line -> new Unread(part, line.reason(), line.raw().getBytes(StandardCharsets.ISO_8859_1)))
                        .toList());
        link.count(new Amounts(bad.size(), 0, 0, 0, bad.size(), 0), -1);
    }
}
