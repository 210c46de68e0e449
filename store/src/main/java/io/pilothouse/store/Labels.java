package io.pilothouse.store;

import io.pilothouse.core.domain.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Gives labels to rows that are older than labels are: once, in the transaction that brings the column. */
final class Labels {
    private static final int PAGE = 500;

    private Labels() {}

    static void fill(Sql sql) throws SQLException {
        fill(sql, DocumentStatements.SERVICES);
        fill(sql, DocumentStatements.PIPES);
    }

    private static <T extends Stored> void fill(Sql sql, DocumentStatements<T> statements) throws SQLException {
        String last = "";
        List<T> page = page(sql, statements, last);
        while (!page.isEmpty()) {
            for (T row : page) {
                last = row.id().toString();
                sql.change(statements.label, statements.rows.label(row), last);
            }
            page = page(sql, statements, last);
        }
    }

    private static <T extends Stored> List<T> page(Sql sql, DocumentStatements<T> statements, String after)
            throws SQLException {
        return sql.list(statements.all, (ResultSet row) -> statements.rows.read(row), after, PAGE);
    }
}
