package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Destination.Written;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.ErrorTable.Unread;
import io.pilothouse.pipes.worker.outside.Halving;
import io.pilothouse.pipes.worker.outside.Halving.Refused;
import io.pilothouse.pipes.worker.outside.Halving.Trial;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.postgres.SourceTable.Intake;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Inserts rows under one token, whatever is wrong with some of them. Those that cannot be read are found by trials that
 * keep nothing, and left out; so are those that the table itself is against, by a constraint for example. What is not
 * taken is kept in the error table. Safe for many threads.
 */
final class RowLoad {
    /** One range or batch is one block of the insert, whatever is in it: a repeated one is dropped whole or not at all. */
    private static final Map<String, String> ONE_BLOCK = Map.of(
            "min_insert_block_size_rows", "100000000",
            "min_insert_block_size_bytes", "10000000000",
            "input_format_tsv_detect_header", "0");

    private static final int ROWS_AT_ONCE = 1000;
    private static final int BYTES_AT_ONCE = 1 << 20;
    /** A table that is against more rows of one insert than these does not fit its source. */
    private static final int MAX_REFUSED = 1000;
    /** Refused rows are in memory until they are kept. */
    private static final long MAX_UNKEPT_BYTES = 4 << 20;

    private final Link link;
    private final Destination destination;
    private final String pipe;
    private volatile String wrong = "";

    /** Lines of tabulated text, each a row, that can be gone through more than once, and then come in the same order. */
    interface Rows extends Destination.Body {
        Lines lines() throws IOException;
    }

    /** One walk through them. */
    interface Lines extends AutoCloseable {
        /** The next one with its end; null after the last. */
        byte @Nullable [] next() throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** One row, and which of them it is. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Row(long number, byte[] line) {}

    RowLoad(Link link, Destination destination, String pipe) {
        this.link = link;
        this.destination = destination;
        this.pipe = pipe;
    }

    /** A sentence about the rows that the database did not take last; empty if it took all. */
    String wrong() {
        return wrong;
    }

    /** Inserts them all but those that the database does not take; returns what it took. */
    Written insert(Intake intake, String token, Rows rows) throws Trouble, InterruptedException {
        try {
            return destination.insert(intake.insert(), ONE_BLOCK, token, rows);
        } catch (BadData _) {
            try {
                return insertSome(intake, token, rows);
            } catch (IOException gone) {
                throw new Trouble.SourceAway("The source broke off: " + gone.getMessage());
            }
        }
    }

    private Written insertSome(Intake intake, String token, Rows rows)
            throws Trouble, IOException, InterruptedException {
        // Kept first: after a crash and a mended table all rows would be good, and be dropped as a repeated insert.
        Set<Long> without = search(intake, token + "/errors", rows, Set.of(), some -> send(intake.trial(), "", some));
        try {
            return send(intake, token, rows, without);
        } catch (BadData _) {
            // Each can be read and all together cannot: the table itself is against some of them.
            destination.prepareTrial(intake.side());
            without.addAll(search(intake, token + "/refused", rows, without, some -> send(intake.attempt(), "", some)));
        }
        try {
            return send(intake, token, rows, without);
        } catch (BadData _) {
            return sendPieces(intake, token, rows, without);
        }
    }

    private Written send(Intake intake, String token, Rows rows, Set<Long> without)
            throws Trouble, InterruptedException {
        return destination.insert(intake.insert(), ONE_BLOCK, token, out -> write(rows, without, out));
    }

    /** A view breaks off, or something of the table that a trial does not show: what can go does, piece by piece. */
    private Written sendPieces(Intake intake, String token, Rows rows, Set<Long> without)
            throws Trouble, IOException, InterruptedException {
        List<Written> pieces = new ArrayList<>();
        search(
                intake,
                token + "/broken",
                rows,
                without,
                some -> pieces.add(send(intake.insert(), token(token, some), some)));
        return new Written(
                pieces.stream().mapToLong(Written::rows).sum(),
                pieces.stream().mapToLong(Written::bytes).sum());
    }

    /** Tries them all but {@code without}, and keeps those that fail; returns their numbers. */
    private Set<Long> search(Intake intake, String token, Rows rows, Set<Long> without, Trial<Row> trial)
            throws Trouble, IOException, InterruptedException {
        Set<Long> found = new HashSet<>();
        List<Refused<Row>> unkept = new ArrayList<>();
        try (Lines lines = rows.lines()) {
            List<Row> some = some(lines, 0);
            while (!some.isEmpty()) {
                long next = some.getLast().number() + 1;
                some.removeIf(row -> without.contains(row.number()));
                if (!some.isEmpty()) {
                    unkept.addAll(Halving.among(some, trial));
                    requireFew(intake, found.size(), unkept);
                }
                if (unkept.stream().mapToLong(row -> row.piece().line().length).sum() > MAX_UNKEPT_BYTES) {
                    keep(intake, token, unkept, found);
                }
                some = some(lines, next);
            }
        }
        keep(intake, token, unkept, found);
        return found;
    }

    private static void requireFew(Intake intake, int kept, List<Refused<Row>> unkept) throws Trouble.Owner {
        if (kept + unkept.size() > MAX_REFUSED) {
            throw new Trouble.Owner("The database refuses more than " + MAX_REFUSED + " rows of " + intake.source()
                    + " in one insert: " + unkept.getLast().reason());
        }
    }

    /** The next few; empty after the last. */
    private static List<Row> some(Lines lines, long first) throws IOException {
        List<Row> some = new ArrayList<>();
        int bytes = 0;
        while (some.size() < ROWS_AT_ONCE && bytes < BYTES_AT_ONCE) {
            byte[] line = lines.next();
            if (line == null) {
                return some;
            }
            some.add(new Row(first + some.size(), line));
            bytes += line.length;
        }
        return some;
    }

    private Written send(String sql, String token, List<Row> rows) throws Trouble, InterruptedException {
        return destination.insert(sql, ONE_BLOCK, token, out -> {
            for (Row row : rows) {
                out.write(row.line());
            }
        });
    }

    private static void write(Rows rows, Set<Long> without, OutputStream out) throws IOException {
        try (Lines lines = rows.lines()) {
            long number = 0;
            byte[] line = lines.next();
            while (line != null) {
                if (!without.contains(number)) {
                    out.write(line);
                }
                number++;
                line = lines.next();
            }
        }
    }

    /** After a crash the same range may have other rows: then the token is another one, and none of them is dropped. */
    private static String token(String whole, List<Row> rows) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        rows.forEach(row -> content.writeBytes(row.line()));
        return whole + "#" + rows.getFirst().number() + "-" + UUID.nameUUIDFromBytes(content.toByteArray());
    }

    /** Moves them into the error table, and their numbers to those that were found. */
    private void keep(Intake intake, String token, List<Refused<Row>> refused, Set<Long> found)
            throws Trouble, InterruptedException {
        if (refused.isEmpty()) {
            return;
        }
        String reason = refused.getLast().reason();
        Tree.Members table = new Tree.Members(Map.of(Words.TABLE, new Tree.Text(intake.target())));
        Link.Reply reply = link.ask(About.ERROR_TABLE, table);
        if (reply.refusal().isPresent()) {
            throw new Trouble.DestinationAway(reply.refusal().get());
        }
        List<Unread> unread = refused.stream()
                .map(row -> intake.unread(row.piece().line(), row.reason()))
                .toList();
        new ErrorTable(destination, intake.target(), pipe)
                .keep(token(token, refused.stream().map(Refused::piece).toList()), unread);
        link.count(new Amounts(0, 0, 0, 0, unread.size(), 0), -1);
        refused.forEach(row -> found.add(row.piece().number()));
        refused.clear();
        wrong = found.size() + " rows of " + intake.source() + " are not in the table " + intake.target() + ": "
                + reason;
    }
}
