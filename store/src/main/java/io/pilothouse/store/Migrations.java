package io.pilothouse.store;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.SecretHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The steps by which a store came to its present form, applied in order and never edited afterwards: a step's text is
 * held to the checksum it was applied with. An up-to-date store costs one small query.
 */
final class Migrations {
    private static final String LABELS = "V003__alerts.sql";
    private static final String USES = "V004__backups.sql";
    static final List<String> FILES = List.of(
            "V001__first_tables.sql",
            "V002__pipes.sql",
            LABELS,
            USES,
            "V005__service_ports.sql",
            "V006__service_parts.sql",
            "V007__organization_items.sql",
            "V008__pipe_ranges.sql",
            "V009__usage.sql",
            "V010__backup_buckets.sql",
            "V011__hosts.sql",
            "V012__moments.sql",
            "V013__allowances_and_sessions.sql");

    private static final String APPLIED = "SELECT version, name, checksum FROM migrations ORDER BY version";
    private static final String COUNT = "SELECT COUNT(*) FROM migrations";
    private static final String TABLE = """
        CREATE TABLE IF NOT EXISTS migrations (
            version INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            checksum TEXT NOT NULL,
            applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)\
        """;
    private static final String RECORD = "INSERT INTO migrations (version, name, checksum) VALUES (?, ?, ?)";
    private static final Pattern END_OF_STATEMENT = Pattern.compile(";\\s*(?:\\n|$)");
    private static final Pattern MADE_TABLE = Pattern.compile("CREATE TABLE (\\w+)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$");

    private final List<Step> steps;

    /** One numbered file. */
    record Step(int version, String name, String text) {
        String checksum() {
            return HexFormat.of().formatHex(SecretHash.sha256(text));
        }

        List<String> statements() {
            return END_OF_STATEMENT
                    .splitAsStream(COMMENT.matcher(text).replaceAll(""))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        }
    }

    private record Applied(int version, String name, String checksum) {}

    Migrations(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    static Migrations ofThisProgram() {
        return new Migrations(FILES.stream().map(Migrations::step).toList());
    }

    /** The steps that are missing; refuses a store whose past is not this program's. */
    List<Step> missing(Sql sql, Dialect dialect) throws SQLException {
        return missing(applied(sql, dialect));
    }

    /** The number of the last step that was applied, whichever program did it; 0 for a store without any. */
    static int form(Sql sql, Dialect dialect) throws SQLException {
        List<Applied> applied = applied(sql, dialect);
        return applied.isEmpty() ? 0 : applied.getLast().version();
    }

    private static List<Applied> applied(Sql sql, Dialect dialect) throws SQLException {
        try {
            return applied(sql);
        } catch (SQLException e) {
            if (!dialect.isMissingTable(e)) {
                throw e;
            }
            return List.of();
        }
    }

    /** Every table that the steps make, in the order in which they do. */
    List<String> tables() {
        return steps.stream()
                .flatMap(step -> step.statements().stream())
                .map(MADE_TABLE::matcher)
                .filter(Matcher::lookingAt)
                .map(made -> made.group(1))
                .toList();
    }

    /** The form that this program gives a store. */
    int newestForm() {
        return steps.size();
    }

    /** Applies what is missing; the caller commits, and ensures that no other process migrates at the same time. */
    void apply(Sql sql) throws SQLException {
        sql.once(TABLE);
        for (Step step : missing(applied(sql))) {
            for (String statement : step.statements()) {
                sql.once(statement);
            }
            if (step.name().equals(LABELS)) {
                OlderRows.label(sql);
            }
            if (step.name().equals(USES)) {
                OlderRows.indexPrivateEndpoints(sql);
            }
            sql.change(RECORD, step.version(), step.name(), step.checksum());
        }
    }

    /** A read that touches the store, and no more. */
    static boolean arePresent(Tables tables) {
        return ((Transaction) tables).number(COUNT) > 0;
    }

    private static List<Applied> applied(Sql sql) throws SQLException {
        return sql.list(APPLIED, row -> new Applied(row.getInt(1), row.getString(2), row.getString(3)));
    }

    private List<Step> missing(List<Applied> applied) {
        if (applied.size() > steps.size()) {
            throw newer(applied.getLast().version());
        }
        for (int i = 0; i < applied.size(); i++) {
            Applied was = applied.get(i);
            Step step = steps.get(i);
            if (was.version() != step.version() || !was.checksum().equals(step.checksum())) {
                throw new StoreRefused("The store was migrated with another " + step.name()
                        + " than this program has: start the version that wrote it, or restore a backup.");
            }
        }
        return steps.subList(applied.size(), steps.size());
    }

    /** Refuses a store with this form if a newer program gave it that. */
    void requireKnown(int form) {
        if (form > newestForm()) {
            throw newer(form);
        }
    }

    private StoreRefused newer(int form) {
        return new StoreRefused("The store was written by a newer Pilothouse (its form is " + form
                + ", this program knows " + newestForm() + "): start that version again, or go back to the copy from"
                + " before with ./pilothouse store revert, or restore a backup to an empty folder.");
    }

    private static Step step(String file) {
        try (InputStream text = Migrations.class.getResourceAsStream("migrations/" + file)) {
            if (text == null) {
                throw new IllegalStateException("The program lacks its migration " + file);
            }
            // A checkout may have turned the line ends; the checksum must not.
            String lines = new String(text.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
            return new Step(Integer.parseInt(file.substring(1, 4)), file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
