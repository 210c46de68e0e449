package io.pilothouse.plane.local;

import io.pilothouse.core.setting.SettingTable;
import io.pilothouse.plane.local.disk.Folders;
import io.pilothouse.plane.local.setting.SettingRows;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings that the ClickHouse of this machine has, as its first running database says; kept in a file, so that
 * they are known after a restart too, when every service may sleep. Safe for many threads.
 */
public final class LocalSettings implements Supplier<Optional<SettingTable>> {
    private static final Logger LOG = System.getLogger(LocalSettings.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Pattern WORDS = Pattern.compile("Must be one of \\[(.*?)]");
    private static final String NO_WORD = "?";

    private final LocalDatabases databases;
    private final Path file;
    private volatile @Nullable Known known;

    private record Known(String version, SettingTable table) {}

    public LocalSettings(LocalDatabases databases, Path file) {
        this.databases = databases;
        this.file = file;
        databases.installs().newest().version().ifPresent(this::recall);
    }

    @Override
    public Optional<SettingTable> get() {
        return Optional.ofNullable(known).map(Known::table);
    }

    /** Asks a database that runs, unless one of its version was asked before. */
    void learn(UUID id, String version) {
        if (!knows(version)) {
            ask(id, version);
        }
    }

    private boolean knows(String version) {
        Known now = known;
        return now != null && now.version().equals(version);
    }

    private synchronized void ask(UUID id, String version) {
        if (knows(version)) {
            return;
        }
        try {
            SettingRows rows = SettingRows.parse(answer(id, SettingRows.question(answer(id, SettingRows.COLUMNS))));
            for (SettingRows.Row row : rows.ofUncheckedTypes()) {
                rows = rows.withWords(row.type(), words(id, row.name()));
            }
            Folders.replace(file, version + "\n" + rows.text(), "rw-------");
            known = new Known(version, table(rows));
        } catch (DatabaseFailure | IOException failure) {
            // The next look at a database tries again.
            LOG.log(Level.WARNING, "The settings of ClickHouse could not be read", failure);
        }
    }

    private SettingTable table(SettingRows rows) {
        return SettingTable.of(
                rows.shapes(),
                databases.bundled()
                        ? "The bundled ClickHouse restarts to take this up, if it runs: open connections are closed."
                        : null);
    }

    private void recall(String version) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            if (text.startsWith(version + "\n")) {
                known = new Known(version, table(SettingRows.parse(text.substring(version.length() + 1))));
            }
        } catch (NoSuchFileException never) {
            // No database has run here yet.
        } catch (IOException damaged) {
            LOG.log(Level.WARNING, "The file of settings cannot be read; it is written again", damaged);
        }
    }

    private String answer(UUID id, String question) throws DatabaseFailure {
        return switch (databases.ask(id, question, PATIENCE)) {
            case DatabaseClient.Answer.Text(String text) -> text;
            case DatabaseClient.Answer.Refusal(int _, String sentence) -> throw new DatabaseFailure(sentence);
            case DatabaseClient.Answer.Silence(String reason) -> throw new DatabaseFailure(reason);
        };
    }

    /** The database lists the words of a setting to those who give it another one; none if it does not. */
    private List<String> words(UUID id, String name) throws DatabaseFailure {
        DatabaseClient.Answer answer =
                databases.ask(id, "SELECT 1 SETTINGS " + name + " = '" + NO_WORD + "'", PATIENCE);
        if (answer instanceof DatabaseClient.Answer.Refusal(int _, String sentence)) {
            Matcher list = WORDS.matcher(sentence);
            if (list.find()) {
                return Pattern.compile("'([^']*)'")
                        .matcher(list.group(1))
                        .results()
                        .map(word -> word.group(1))
                        .toList();
            }
        }
        return List.of();
    }
}
