package io.pilothouse.store;

import io.pilothouse.core.port.SealedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes a whole store from a data folder into PostgreSQL, or back, while no program runs on either. All of it is one
 * transaction: what arrives is read back and compared row by row, and kept only if nothing differs.
 */
public final class StoreTransfer {
    private static final int PAGE = 500;

    private final Sql from;
    private final Sql to;
    private final boolean sealedKeys;
    private final Progress progress;
    private final List<Shape> shapes = new ArrayList<>();

    /** What was taken along. */
    public record Moved(int tables, long rows) {}

    /** Hears, page by page, how many of all rows are copied and compared. */
    @FunctionalInterface
    public interface Progress {
        void copied(long rows, long all);
    }

    /** A table: its columns, those of its key among them, and which of its rows belong to the store's content. */
    private record Shape(String table, List<String> columns, List<String> key, String content) {
        private String select() {
            return "SELECT " + String.join(", ", columns) + " FROM " + table + " WHERE " + content;
        }

        private String page(boolean first) {
            return select() + (first ? "" : " AND (" + String.join(", ", key) + ") > (" + marks(key) + ")")
                    + " ORDER BY " + String.join(", ", key) + " LIMIT " + PAGE;
        }

        private String one() {
            return select()
                    + key.stream().map(column -> " AND " + column + " = ?").collect(Collectors.joining());
        }

        private String insert() {
            return "INSERT INTO " + table + " (" + String.join(", ", columns) + ") VALUES (" + marks(columns) + ")";
        }

        private String count() {
            return "SELECT COUNT(*) FROM " + table + " WHERE " + content;
        }

        private static String marks(List<String> columns) {
            return columns.stream().map(_ -> "?").collect(Collectors.joining(", "));
        }

        private Object[] keyOf(List<@Nullable Object> row) {
            return key.stream()
                    .map(column -> Objects.requireNonNull(row.get(columns.indexOf(column))))
                    .toArray();
        }
    }

    /** {@code sealedKeys}: whether the keys that the store has itself go along. */
    private StoreTransfer(Sql from, Sql to, boolean sealedKeys, Progress progress) {
        this.from = from;
        this.to = to;
        this.sealedKeys = sealedKeys;
        this.progress = progress;
    }

    /**
     * Takes the store in this folder into a database.
     *
     * @throws StoreRefused with a sentence if one of them is in use or unusable, or if the database holds something
     */
    public static Moved intoPostgres(Path folder, String url, String user, String password, Progress progress) {
        SqliteStore.requireIsIn(folder);
        return between(folder, url, user, password, true, progress);
    }

    /** The same, the other way; keys that are sealed in the store stay there. */
    public static Moved outOfPostgres(Path folder, String url, String user, String password, Progress progress) {
        return between(folder, url, user, password, false, progress);
    }

    private static Moved between(
            Path folder, String url, String user, String password, boolean intoPostgres, Progress progress) {
        try (DataFolder taken = DataFolder.take(folder);
                Sql file = SqliteStore.openFile(taken);
                Sql server = PostgresOpening.connectToCopy(url, user, password)) {
            StoreTransfer transfer = intoPostgres
                    ? new StoreTransfer(file, server, true, progress)
                    : new StoreTransfer(server, file, false, progress);
            return transfer.run();
        } catch (SQLException e) {
            throw new StoreRefused("The store cannot be copied: " + e.getMessage() + ".", e);
        }
    }

    /**
     * Copies a store that programs work on, as it is at one moment, into the file of a folder that is taken; true if it
     * has its keys itself.
     */
    static boolean copyOfOneMoment(DataFolder work, String url, String user, String password)
            throws IOException, SQLException {
        Path file = work.path().resolve(SqliteStore.FILE);
        Files.deleteIfExists(file);
        boolean sealed;
        try (Sql target = SqliteStore.openFile(work);
                Sql server = PostgresOpening.connectToRead(url, user, password)) {
            new StoreTransfer(server, target, true, (_, _) -> {}).run();
            sealed = !target.list(Transaction.CHECK, row -> row.getString(1), Transaction.rowOf(SealedKey.SECRET))
                    .isEmpty();
        }
        StoreCopies.check(file);
        StoreCopies.sync(file);
        return sealed;
    }

    private Moved run() throws SQLException {
        from.once("BEGIN");
        to.once("BEGIN");
        for (String table : Migrations.ofThisProgram().tables()) {
            shapes.add(shape(table));
        }
        long all = rows(from);
        if (all == 0) {
            throw new StoreRefused("The store that is to be copied holds nothing.");
        }
        if (rows(to) > 0) {
            throw new StoreRefused(
                    "The store that would be written holds something already: a copy needs an empty one.");
        }
        long rows = 0;
        for (Shape shape : shapes) {
            rows += copy(shape, rows, all);
        }
        to.once("COMMIT");
        from.once("ROLLBACK");
        return new Moved(shapes.size(), rows);
    }

    private long copy(Shape shape, long before, long all) throws SQLException {
        long copied = 0;
        List<List<@Nullable Object>> page = rows(from, shape, shape.page(true));
        while (!page.isEmpty()) {
            for (List<@Nullable Object> row : page) {
                to.change(shape.insert(), row.toArray());
                if (!rows(to, shape, shape.one(), shape.keyOf(row)).equals(List.of(row))) {
                    throw differs(shape);
                }
            }
            copied += page.size();
            progress.copied(before + copied, all);
            page = rows(from, shape, shape.page(false), shape.keyOf(page.getLast()));
        }
        if (count(from, shape) != copied || count(to, shape) != copied) {
            throw differs(shape);
        }
        return copied;
    }

    private static StoreRefused differs(Shape shape) {
        return new StoreRefused("What arrived in " + shape.table() + " is not what was sent, so nothing was kept.");
    }

    private long rows(Sql sql) throws SQLException {
        long rows = 0;
        for (Shape shape : shapes) {
            rows += count(sql, shape);
        }
        return rows;
    }

    private static long count(Sql sql, Shape shape) throws SQLException {
        return sql.list(shape.count(), row -> row.getLong(1)).getFirst();
    }

    private static List<List<@Nullable Object>> rows(Sql sql, Shape shape, String text, @Nullable Object... values)
            throws SQLException {
        return sql.list(text, row -> values(row, shape.columns().size()), values);
    }

    /** The columns of a row, from the first on: texts, whole numbers and nulls. */
    static List<@Nullable Object> values(ResultSet row, int columns) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
            // The drivers disagree about how wide a whole number is.
            Object value = row.getObject(column);
            values.add(value instanceof Number number ? (Object) number.longValue() : value);
        }
        return values;
    }

    private Shape shape(String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (PreparedStatement none = from.connection().prepareStatement("SELECT * FROM " + table + " LIMIT 0");
                ResultSet rows = none.executeQuery()) {
            ResultSetMetaData described = rows.getMetaData();
            for (int column = 1; column <= described.getColumnCount(); column++) {
                columns.add(described.getColumnName(column));
            }
        }
        Map<Integer, String> key = new TreeMap<>();
        try (ResultSet rows = from.connection()
                .getMetaData()
                .getPrimaryKeys(null, from.connection().getSchema(), table)) {
            while (rows.next()) {
                key.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
            }
        }
        return new Shape(table, columns, List.copyOf(key.values()), content(table));
    }

    private String content(String table) {
        return switch (table) {
            case "vault_checks" -> checks();
            // Counts of a minute that is over by the time of the copy's first start.
            case "allowances" -> "1 = 0";
            default -> "1 = 1";
        };
    }

    /** Checks of keys, and keys where they are wanted, belong to the content; marks of a process and its disk do not. */
    private String checks() {
        String checks = "id <= " + Transaction.OF_SECRETS;
        return sealedKeys
                ? Arrays.stream(SealedKey.values())
                        .map(key -> " OR id = " + Transaction.rowOf(key))
                        .collect(Collectors.joining("", "(" + checks, ")"))
                : checks;
    }
}
