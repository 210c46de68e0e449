package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.files.StagedLoad.Outcome;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads files, each as one block whose token follows from the file: it is written in the ledger before and ticked off
 * after, so that what a crash left half done is done again under the same token. What cannot be one block, or has lines
 * that cannot be read, goes by way of a table of its own. Safe for many threads.
 */
final class FileLoad {
    private final Link link;
    private final Destination destination;
    private final FileReading reading;
    private final StagedLoad staged;

    FileLoad(Link link, Destination destination, FileReading reading, StagedLoad staged) {
        this.link = link;
        this.destination = destination;
        this.reading = reading;
        this.staged = staged;
    }

    /**
     * Loads one, which the ledger has as {@code earlier} if it was begun; returns a sentence about what of it could not
     * be read, null if all of it could.
     */
    @Nullable
    String load(Found file, String part, @Nullable Span earlier) throws Trouble, InterruptedException {
        Span wanted = new Span(part, 0, 1, earlier == null ? file.etag() : earlier.identity());
        Optional<String> refusal =
                link.ask(About.CLAIM, Span.tree(List.of(wanted))).refusal();
        // Another worker may have been told of it too, and have claimed another version a moment before.
        Span whole = earlier == null || refusal.isPresent()
                ? link.ranges(List.of(part)).orElse(Map.of()).get(part)
                : wanted;
        if (whole != null && whole.from() > 0) {
            return null;
        }
        if (whole == null || refusal.isPresent()) {
            // Passed over, it would be missing where files are loaded only once.
            throw new Yield(refusal.orElse("The ledger does not say how far " + part + " is."));
        }
        boolean first = earlier == null && whole.identity().equals(wanted.identity());
        boolean begun = !first && staged.isBegun(part);
        Outcome outcome;
        try (Destination.Use _ = destination.use()) {
            outcome = reading.isLarge(file.size()) || begun || !insert(file, part + "@" + whole.identity())
                    ? stage(file, whole, first, begun)
                    : Outcome.DONE;
        }
        List<Span> lines = new ArrayList<>(List.of(whole));
        lines.addAll(outcome.lines());
        // Refused where another worker was faster: it inserted under the same token.
        if (link.ask(About.DONE, Span.tree(lines)).refusal().isEmpty()) {
            staged.drop(outcome);
        }
        return outcome.wrong();
    }

    private Outcome stage(Found file, Span whole, boolean first, boolean begun) throws Trouble, InterruptedException {
        if (first) {
            staged.begin(whole.part());
        }
        String token = whole.part() + "@" + whole.identity();
        return staged.load(file, whole.part(), whole.identity(), token, first || begun ? "" : whole.identity());
    }

    /** Whether all of it is there; none of it is otherwise, because of its size or its content. */
    private boolean insert(Found file, String token) throws Trouble, InterruptedException {
        try {
            Destination.Written written = destination.insert(
                    reading.insert(file.key()), reading.settingsOfOneBlock(file.size()), token, null);
            link.count(new Amounts(written.rows(), file.size(), written.rows(), written.bytes(), 0, 1), -1);
            return true;
        } catch (BadData _) {
            return false;
        }
    }

    /** Loads one again that could not be read; {@code kept} is the token of what still cannot be. */
    @Nullable
    String again(Found file, String part, String kept) throws Trouble, InterruptedException {
        Outcome outcome;
        try (Destination.Use _ = destination.use()) {
            staged.begin(part);
            outcome = staged.load(file, part, file.etag(), kept, "");
        }
        if (link.ask(About.DONE, Span.tree(outcome.lines())).refusal().isEmpty()) {
            staged.drop(outcome);
        }
        return outcome.wrong();
    }
}
