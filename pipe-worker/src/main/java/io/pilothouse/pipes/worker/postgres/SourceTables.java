package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.postgres.SourceTable.Column;
import io.pilothouse.pipes.worker.postgres.SourceTable.Leaf;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks up in the catalogue of the source what the tables of the mappings are like. */
final class SourceTables {
    private static final String FIND = """
            SELECT c.oid::bigint, c.relkind::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND c.relname = ?""";
    private static final String COLUMNS = """
            SELECT a.attname, a.attnotnull, a.attgenerated::text <> '', t.typname, CASE WHEN d.oid IS NULL
              THEN a.atttypmod ELSE d.typtypmod END, e.typname
            FROM pg_attribute a
            LEFT JOIN pg_type d ON d.oid = a.atttypid AND d.typtype = 'd'
            JOIN pg_type t ON t.oid = coalesce(d.typbasetype, a.atttypid)
            LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
            WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum""";
    private static final String KEY = """
            SELECT a.attname FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY AS k(n, place)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n
            WHERE i.indrelid = ? AND (i.indisprimary OR i.indisreplident AND NOT EXISTS (
              SELECT FROM pg_index p WHERE p.indrelid = i.indrelid AND p.indisprimary)) ORDER BY k.place""";
    private static final String LEAVES = """
            SELECT n.nspname, c.relname, pg_relation_filenode(c.oid)::bigint,
              pg_relation_size(c.oid) / current_setting('block_size')::int, c.reltuples / greatest(c.relpages, 1)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, (SELECT ?::bigint::oid::regclass AS root) r
            WHERE c.relkind = 'r' AND (c.oid = r.root
              OR c.oid IN (SELECT p.relid FROM pg_partition_tree(r.root) p WHERE p.isleaf)) ORDER BY c.oid""";

    private final Connection connection;
    private final boolean nullable;
    private final boolean generated;

    /** {@code generated} is whether columns that are computed from others can be read. */
    SourceTables(Connection connection, Tree.Members settings, boolean generated) {
        this.connection = connection;
        this.nullable = settings.flag("allowNullableColumns");
        this.generated = generated;
    }

    List<SourceTable> read(List<TableMapping> mappings) throws SQLException, Owner {
        List<SourceTable> tables = new ArrayList<>();
        for (TableMapping mapping : mappings) {
            tables.add(read(mapping));
        }
        return List.copyOf(tables);
    }

    private SourceTable read(TableMapping mapping) throws SQLException, Owner {
        long oid = find(mapping);
        List<String> key = key(mapping, oid);
        List<Column> columns = columns(mapping, oid, key);
        for (String name : key) {
            if (columns.stream().noneMatch(column -> column.name().equals(name))) {
                throw new Owner("The table " + mapping.source() + " is to be sorted by " + name
                        + ", which it has not, or which is excluded.");
            }
        }
        return new SourceTable(mapping, oid, columns, key, leaves(oid));
    }

    private long find(TableMapping mapping) throws SQLException, Owner {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, mapping.schema());
            statement.setString(2, mapping.table());
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new Owner("The source has no table " + mapping.source() + ".");
                }
                String kind = rows.getString(2);
                if (!kind.equals("r") && !kind.equals("p")) {
                    throw new Owner(mapping.source() + " is not a table; views cannot be read.");
                }
                return rows.getLong(1);
            }
        }
    }

    private List<String> key(TableMapping mapping, long oid) throws SQLException, Owner {
        if (!mapping.sortingKeys().isEmpty()) {
            return mapping.sortingKeys();
        }
        List<String> key = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(KEY)) {
            statement.setLong(1, oid);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    key.add(rows.getString(1));
                }
            }
        }
        if (key.isEmpty() && mapping.engine().equals("ReplacingMergeTree")) {
            throw new Owner(
                    "The table " + mapping.source() + " has no primary key, and without one a"
                            + " ReplacingMergeTree would keep a single row: give it sortingKeys, or MergeTree as its tableEngine.");
        }
        return List.copyOf(key);
    }

    private List<Column> columns(TableMapping mapping, long oid, List<String> key) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setLong(1, oid);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    boolean mayBeNull = nullable && !rows.getBoolean(2) && !key.contains(name);
                    boolean read = generated || !rows.getBoolean(3);
                    if (read && !mapping.excluded().contains(name)) {
                        ColumnType type = ColumnType.of(rows.getString(4), rows.getInt(5), rows.getString(6));
                        columns.add(new Column(name, type, mayBeNull));
                    }
                }
            }
        }
        return List.copyOf(columns);
    }

    private List<Leaf> leaves(long oid) throws SQLException {
        List<Leaf> leaves = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LEAVES)) {
            statement.setLong(1, oid);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    leaves.add(new Leaf(
                            rows.getString(1), rows.getString(2), rows.getLong(3), rows.getLong(4), rows.getDouble(5)));
                }
            }
        }
        return List.copyOf(leaves);
    }
}
