package io.pilothouse.pipes.worker.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the messages of PostgreSQL's own plug-in {@code pgoutput}, version 1; pure. */
final class PgOutput {
    /** Its times are microseconds since then. */
    private static final long YEAR_2000_MILLIS = 946_684_800_000L;

    private static final int MICROS_IN_A_MILLI = 1000;

    private static final char BEGIN = 'B';
    private static final char COMMIT = 'C';
    private static final char RELATION = 'R';
    private static final char INSERT = 'I';
    private static final char UPDATE = 'U';
    private static final char DELETE = 'D';
    private static final char TRUNCATE = 'T';
    private static final char OLD_ROW = 'O';
    private static final char OLD_KEY = 'K';
    private static final char NULL = 'n';
    private static final char UNCHANGED = 'u';

    private PgOutput() {}

    /** One value of a row. */
    sealed interface Cell {
        record Text(String value) implements Cell {}

        record Nothing() implements Cell {}

        /** A large value that the change left as it was, and which is not sent. */
        record Unchanged() implements Cell {}
    }

    /** One message. */
    sealed interface Message {
        /** A transaction begins, and was committed at this position and at this time. */
        record Begin(long committedAt, long committedMillis) implements Message {}

        record Commit(long end) implements Message {}

        /** What the rows of a table look like from here on. */
        record Relation(int id, String schema, String table, List<String> columns, List<String> identity)
                implements Message {}

        record Insert(int relation, List<Cell> row) implements Message {}

        /** {@code old} is there where the key changed, or where the table sends whole rows. */
        record Update(int relation, @Nullable List<Cell> old, List<Cell> row) implements Message {}

        record Delete(int relation, List<Cell> old) implements Message {}

        record Truncate(List<Integer> relations) implements Message {}

        /** Something that changes no row. */
        record Other() implements Message {}
    }

    static Message read(ByteBuffer from) {
        return switch (from.get()) {
            case BEGIN -> new Message.Begin(from.getLong(), YEAR_2000_MILLIS + from.getLong() / MICROS_IN_A_MILLI);
            case COMMIT -> {
                from.get();
                from.getLong();
                yield new Message.Commit(from.getLong());
            }
            case RELATION -> relation(from);
            case INSERT -> {
                int relation = from.getInt();
                from.get();
                yield new Message.Insert(relation, row(from));
            }
            case UPDATE -> update(from);
            case DELETE -> {
                int relation = from.getInt();
                from.get();
                yield new Message.Delete(relation, row(from));
            }
            case TRUNCATE -> {
                int count = from.getInt();
                from.get();
                List<Integer> relations = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    relations.add(from.getInt());
                }
                yield new Message.Truncate(relations);
            }
            default -> new Message.Other();
        };
    }

    private static Message relation(ByteBuffer from) {
        int id = from.getInt();
        String schema = text(from);
        String table = text(from);
        from.get();
        int count = from.getShort();
        List<String> columns = new ArrayList<>();
        List<String> identity = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean key = from.get() == 1;
            String name = text(from);
            from.getInt();
            from.getInt();
            columns.add(name);
            if (key) {
                identity.add(name);
            }
        }
        return new Message.Relation(id, schema, table, columns, identity);
    }

    private static Message update(ByteBuffer from) {
        int relation = from.getInt();
        byte sort = from.get();
        List<Cell> old = null;
        if (sort == OLD_ROW || sort == OLD_KEY) {
            old = row(from);
            from.get();
        }
        return new Message.Update(relation, old, row(from));
    }

    private static List<Cell> row(ByteBuffer from) {
        int count = from.getShort();
        List<Cell> row = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            row.add(
                    switch (from.get()) {
                        case NULL -> new Cell.Nothing();
                        case UNCHANGED -> new Cell.Unchanged();
                        default -> {
                            byte[] bytes = new byte[from.getInt()];
                            from.get(bytes);
                            yield new Cell.Text(new String(bytes, StandardCharsets.UTF_8));
                        }
                    });
        }
        return row;
    }

    /** Ended by a zero. */
    private static String text(ByteBuffer from) {
        int begin = from.position();
        int end = begin;
        while (from.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - begin];
        from.get(bytes);
        from.get();
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
