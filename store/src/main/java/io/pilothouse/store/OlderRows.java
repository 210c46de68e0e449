package io.pilothouse.store;

import io.pilothouse.core.base.Stored;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.privateendpoint.PrivateEndpointUse;
import io.pilothouse.core.service.Service;
import java.sql.SQLException;
import java.util.List;

/**
 * Gives rows that are older than a column or a table what it was brought for: once, in the transaction that brings it.
 */
final class OlderRows {
    private static final int PAGE = 500;

    private OlderRows() {}

    private interface Work<T> {
        void on(T row) throws SQLException;
    }

    static void label(Sql sql) throws SQLException {
        label(sql, DocumentStatements.of(Service.KIND));
        label(sql, DocumentStatements.of(Pipe.KIND));
    }

    private static <T extends Stored> void label(Sql sql, DocumentStatements<T> statements) throws SQLException {
        each(
                sql,
                statements,
                row -> sql.change(
                        statements.label,
                        statements.rows.label().apply(row),
                        row.id().toString()));
    }

    /** Fills the index of which services have which private endpoints. */
    static void indexPrivateEndpoints(Sql sql) throws SQLException {
        DocumentStatements<PrivateEndpointUse> uses = DocumentStatements.of(PrivateEndpointUse.KIND);
        each(sql, DocumentStatements.of(Service.KIND), service -> {
            for (String endpointId : service.access().privateEndpointIds()) {
                PrivateEndpointUse use = PrivateEndpointUse.of(service, endpointId, service.createdAt());
                sql.change(
                        uses.insert, uses.inserted(use, uses.rows.write(use, 1).document()));
            }
        });
    }

    private static <T extends Stored> void each(Sql sql, DocumentStatements<T> statements, Work<T> work)
            throws SQLException {
        String last = "";
        List<T> page = page(sql, statements, last);
        while (!page.isEmpty()) {
            for (T row : page) {
                last = row.id().toString();
                work.on(row);
            }
            page = page(sql, statements, last);
        }
    }

    private static <T extends Stored> List<T> page(Sql sql, DocumentStatements<T> statements, String after)
            throws SQLException {
        return sql.list(statements.all, statements::read, after, PAGE);
    }
}
