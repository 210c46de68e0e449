package io.pilothouse.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL server of a test class's own, with an empty schema for every store. */
final class Postgres implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final AtomicInteger schemas = new AtomicInteger();

    Postgres() throws IOException {
        server = EmbeddedPostgres.builder().start();
    }

    /** The address of an unused schema. */
    String emptySchema() throws SQLException {
        String schema = "store_" + schemas.incrementAndGet();
        execute("CREATE SCHEMA " + schema);
        return server.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs something while another session has this done and not committed. */
    void whileHeld(String sql, Runnable work) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(sql);
            work.run();
            connection.rollback();
        }
    }

    /** Waits until a question has this number for an answer. */
    void awaitNumber(long awaited, String question) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            while (number(statement, question) != awaited) {
                if (System.nanoTime() - end > 0) {
                    throw new AssertionError("Not within a minute: " + question);
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static long number(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getLong(1);
        }
    }

    static PostgresStore open(String url) {
        return PostgresStore.open(url, "postgres", "", Threads.PLATFORM, StoreMetrics.NONE);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
