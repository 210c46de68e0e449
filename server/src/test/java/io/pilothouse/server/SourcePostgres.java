package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real PostgreSQL on this machine that pipes read from. */
final class SourcePostgres implements AutoCloseable {
    static final String SECRET = "a-source-secret-nobody-shall-see";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedPostgres server;

    SourcePostgres() throws IOException, SQLException {
        this("logical");
    }

    SourcePostgres(String walLevel) throws IOException, SQLException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", walLevel)
                .setServerConfig("max_replication_slots", "10")
                .setServerConfig("max_wal_senders", "10")
                .start();
        execute("CREATE ROLE piper LOGIN SUPERUSER PASSWORD '" + SECRET + "'");
    }

    Connection open() throws SQLException {
        return server.getPostgresDatabase().getConnection();
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Rows as lines, cells with a tabulator between them. */
    String query(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            ResultSetMetaData columns = rows.getMetaData();
            List<String> lines = new ArrayList<>();
            while (rows.next()) {
                List<String> cells = new ArrayList<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    cells.add(rows.getString(i));
                }
                lines.add(String.join("\t", cells));
            }
            return String.join("\n", lines);
        }
    }

    /** Asks until this is the answer. */
    void awaitAnswer(String sql, String wanted) throws InterruptedException, SQLException {
        Instant deadline = Instant.now().plus(PATIENCE);
        String answer = query(sql);
        while (!answer.equals(wanted)) {
            assertThat(Instant.now()).as(answer).isBefore(deadline);
            TimeUnit.MILLISECONDS.sleep(50);
            answer = query(sql);
        }
    }

    int port() {
        return server.getPort();
    }

    /** A pipe of these mappings; {@code settings} and {@code mappings} are members and items of JSON. */
    String pipe(String settings, String mappings) {
        return """
            {"name": "Tables", "source": {"postgres": {"host": "127.0.0.1", "port": %s, "database": "postgres",
              "disableTls": true, "credentials": {"username": "piper", "password": "%s"},
              "settings": {%s}, "tableMappings": [%s]}},
             "destination": {"database": "default"}}""".formatted(port(), SECRET, settings, mappings);
    }

    static String mapping(String table, String target, String more) {
        return """
            {"sourceSchemaName": "public", "sourceTable": "%s", "targetTable": "%s"%s}""".formatted(table, target, more.isEmpty() ? "" : ", " + more);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
