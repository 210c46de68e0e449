package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.BesideTable;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.files.BadLines.BadLine;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Destination.Written;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.DestinationAway;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads a file by way of a table of its own. Once that holds one version of the file, and all of it, the ledger notes so,
 * and from then on the file itself is not looked at any more: whatever is killed, the same blocks are moved under the
 * same tokens. Safe for many threads.
 */
final class StagedLoad {
    /** How often a file that is overwritten again and again is begun again before others have their turn. */
    private static final int MAX_TRIES = 3;

    private static final String ONE_BLOCK = "/block@";
    private static final String BLOCKS = "/blocks@";

    private final Link link;
    private final Destination destination;
    private final FileReading reading;
    private final FileStore store;
    private final UnreadFiles unread;

    /** The lines of the ledger to tick off, the table that is not needed then, and what could not be read. */
    record Outcome(List<Span> lines, String table, @Nullable String wrong) {
        /** There was no such table. */
        static final Outcome DONE = new Outcome(List.of(), "", null);
    }

    /** A table with one version of a file. */
    private record Stage(
            String table,
            boolean constrained,
            Found version,
            Written written,
            @Nullable String heading,
            List<BadLine> bad) {}

    StagedLoad(Link link, Destination destination, FileReading reading, FileStore store, UnreadFiles unread) {
        this.link = link;
        this.destination = destination;
        this.reading = reading;
        this.store = store;
        this.unread = unread;
    }

    /** Whether the ledger has the file as one that goes this way: none of it is in the target in any other. */
    boolean isBegun(String part) throws Yield, InterruptedException {
        return find(part).isPresent();
    }

    private Optional<Span> find(String part) throws Yield, InterruptedException {
        Map<String, Span> ranges = link.ranges(List.of(Span.STAGED + part))
                .orElseThrow(() -> new Yield("The ledger does not say how far " + part + " is."));
        return Optional.ofNullable(ranges.get(Span.STAGED + part));
    }

    /** Notes that the file goes this way. */
    void begin(String part) throws Yield, InterruptedException {
        ask(About.BEGIN, new Span(Span.STAGED + part, 0, 0, ""));
    }

    private void ask(About about, Span span) throws Yield, InterruptedException {
        Optional<String> refusal = link.ask(about, Span.tree(List.of(span))).refusal();
        if (refusal.isPresent()) {
            throw new Yield(refusal.get());
        }
    }

    /**
     * Has the target take all of it, the first version that is wholly there, under the tokens of the version {@code
     * named}. {@code maybe} is the version that the target may have had as one block under this token already; empty if
     * it has none.
     */
    Outcome load(Found file, String part, String named, String kept, String maybe)
            throws Trouble, InterruptedException {
        Span line = find(part).orElse(new Span(Span.STAGED + part, 0, 0, ""));
        if (line.isPending()) {
            return move(file, part, line, kept, null);
        }
        try {
            return take(part, line, named, kept, maybe);
        } catch (BadData reason) {
            // As a whole: nothing of it can be read, or the target is against it.
            return new Outcome(List.of(), "", unread.whole(file, part, kept + "/whole", reason.sentence()));
        }
    }

    private Outcome take(String part, Span line, String named, String kept, String maybe)
            throws Trouble, InterruptedException {
        Stage stage = staged(part);
        boolean isLarge =
                FileReading.isLarge(stage.written().rows(), stage.written().bytes());
        Span sealed = new Span(
                line.part(), line.from(), line.from() + 1, stage.table() + (isLarge ? BLOCKS : ONE_BLOCK) + named);
        String wrong;
        try {
            wrong = complete(part, stage, isLarge, kept, maybe);
        } catch (Trouble reason) {
            drop(stage.table());
            throw reason;
        }
        // Where the ledger was away for a moment, it has the line or not: the file is not done, and the table stays.
        ask(About.CLAIM, sealed);
        Span now = find(part).orElse(line);
        if (!now.identity().equals(sealed.identity())) {
            // Another worker was told of the file too, and has sealed another table.
            drop(stage.table());
        }
        return now.isPending() ? move(stage.version(), part, now, kept, wrong) : new Outcome(List.of(), "", wrong);
    }

    /** Whether the target may have it all; a sentence about lines that could not be read. */
    private @Nullable String complete(String part, Stage stage, boolean isLarge, String kept, String maybe)
            throws Trouble, InterruptedException {
        if (isLarge && !maybe.isEmpty() && !maybe.equals(stage.version().etag())) {
            throw new BadData(
                    "It was overwritten by a larger one at the moment at which the worker or the database ended"
                            + " that loaded it. Its first version is in the table or not, and the larger one is not.");
        }
        if (stage.constrained()) {
            destination.prepareTrial(destination.target().table());
            destination.insert(reading.attempt(stage.table()), Map.of(), "", null);
        }
        if (stage.bad().isEmpty()) {
            return null;
        }
        // First: after a crash nobody looks for them again. Those of another version are others.
        unread.lines(part, kept + "@" + stage.version().etag(), stage.version().size(), stage.heading(), stage.bad());
        return UnreadFiles.sentence(part, stage.bad());
    }

    /** All of one version, in a table of its own. */
    private Stage staged(String part) throws Trouble, InterruptedException {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Found before = version(part);
            Stage stage = filled(before);
            boolean whole = false;
            try {
                whole = version(part).equals(before);
            } finally {
                if (!whole) {
                    drop(stage.table());
                }
            }
            if (whole) {
                return stage;
            }
        }
        throw new SourceAway("The file " + part + " is overwritten again and again while it is read.");
    }

    private Found version(String part) throws Trouble {
        return store.find(part).orElseThrow(() -> new SourceAway("The file " + part + " is not there any more."));
    }

    private Stage filled(Found version) throws Trouble, InterruptedException {
        Link.Reply whole = open(version);
        String table = whole.body().text(Words.TABLE).orElseThrow();
        try {
            return new Stage(table, isConstrained(whole), version, fill(version, table, false), null, List.of());
        } catch (BadData reason) {
            if (!reading.byLine()) {
                throw reason;
            }
        }
        BadLines search = new BadLines(destination, reading);
        List<BadLine> bad = List.copyOf(search.find(version.key()));
        Link.Reply good = open(version);
        String rest = good.body().text(Words.TABLE).orElseThrow();
        Written written = fill(version, rest, true);
        return new Stage(rest, isConstrained(good), version, written, search.heading(), bad);
    }

    private static boolean isConstrained(Link.Reply opened) {
        return opened.body().flag(Words.CONSTRAINED);
    }

    private Link.Reply open(Found version) throws DestinationAway, InterruptedException {
        Link.Reply reply =
                link.ask(About.STAGE, new Tree.Members(Map.of(Words.PART, new Tree.Text(store.part(version)))));
        if (reply.refusal().isPresent()) {
            throw new DestinationAway(reply.refusal().get());
        }
        return reply;
    }

    /** A table in which a part of the file is would stay on the disk, and the next try has one of its own. */
    private Written fill(Found version, String table, boolean leaveOutBadLines) throws Trouble, InterruptedException {
        try {
            return destination.insert(
                    reading.stage(version.key(), table), reading.settings(version.size(), leaveOutBadLines), "", null);
        } catch (Trouble reason) {
            drop(table);
            throw reason;
        }
    }

    /**
     * Each block is there as a whole or not at all, and has a token of its own, of the version that was named when the
     * table was sealed: the file may be another one by now.
     */
    private Outcome move(Found file, String part, Span sealed, String kept, @Nullable String wrong)
            throws Trouble, InterruptedException {
        String identity = sealed.identity();
        String table = identity.substring(0, identity.indexOf('/'));
        boolean isLarge = identity.startsWith(BLOCKS, table.length());
        String named = identity.substring(table.length() + (isLarge ? BLOCKS : ONE_BLOCK).length());
        try {
            move(file, table, isLarge, part + "@" + named);
            return new Outcome(List.of(sealed), table, wrong);
        } catch (BadData reason) {
            // A view breaks off, or something of the target that a trial does not show.
            return new Outcome(List.of(sealed), table, unread.whole(file, part, kept + "/refused", reason.sentence()));
        } catch (DestinationAway reason) {
            if (!reason.isMissing() || !reason.sentence().contains(BesideTable.STAGED)) {
                throw reason;
            }
            // Nobody makes it again: waiting for it would keep the pipe back for good.
            String dropped = "The table " + BesideTable.STAGED + "." + table
                    + ", which held it, was dropped by somebody. What had been moved by then is in the target.";
            return new Outcome(List.of(sealed), table, unread.whole(file, part, kept + "/dropped", dropped));
        }
    }

    private void move(Found file, String table, boolean isLarge, String token) throws Trouble, InterruptedException {
        Map<String, String> settings = reading.asOneBlock(reading.settings(false));
        long rows = 0;
        long bytes = 0;
        for (String block : isLarge ? blocks(table) : List.of("")) {
            Written written = destination.insert(
                    reading.move(table, block), settings, isLarge ? token + "/" + block : token, null);
            rows += written.rows();
            bytes += written.bytes();
        }
        link.count(new Amounts(rows, file.size(), rows, bytes, 0, 1), -1);
    }

    private List<String> blocks(String table) throws Trouble, InterruptedException {
        List<String> blocks = new ArrayList<>();
        try (Destination.Use _ = destination.use();
                BufferedReader lines = new BufferedReader(new InputStreamReader(
                        destination.select(FileReading.blocks(table), Map.of()), StandardCharsets.UTF_8))) {
            String block = lines.readLine();
            while (block != null) {
                blocks.add(block);
                block = lines.readLine();
            }
            return blocks;
        } catch (IOException gone) {
            throw new DestinationAway("The database broke off: " + gone.getMessage());
        }
    }

    /** All of it is in the target, or none of it is wanted. */
    void drop(Outcome outcome) throws InterruptedException {
        if (!outcome.table().isEmpty()) {
            drop(outcome.table());
        }
    }

    /** One that cannot be dropped now goes when the pipe starts the next time. */
    private void drop(String table) throws InterruptedException {
        link.ask(About.UNSTAGE, new Tree.Members(Map.of(Words.TABLE, new Tree.Text(table))));
    }
}
