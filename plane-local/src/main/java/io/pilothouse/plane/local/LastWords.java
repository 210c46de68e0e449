package io.pilothouse.plane.local;

import io.pilothouse.plane.local.bundled.BundledMain;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds in a database's logs why it ended, as one sentence that gives away no query and no secret. */
final class LastWords {
    private static final int TAIL_BYTES = 32_768;
    private static final int MAX_SENTENCE_LENGTH = 240;
    private static final int SIGNALS_FROM = 128;
    private static final Pattern EXCEPTION =
            Pattern.compile("(?:Code: \\d+[.,]|<Error> Application:) *((?:e\\.displayText\\(\\) = )?DB::.*)");
    private static final Pattern CLASS_NAME = Pattern.compile("^(?:e\\.displayText\\(\\) = )?DB::\\w*Exception: ");
    // The text after it quotes a query, or is useful to developers only.
    private static final Pattern REST = Pattern.compile(
            "(?s):? ?(?:, e\\.what\\(\\)|\\(in query|[Ii]n scope|,? ?Stack trace|\\(version|: While ).*");
    private static final Pattern LONG_HEX = Pattern.compile("[0-9a-fA-F]{32,}");

    private final ServiceFolder folder;

    LastWords(ServiceFolder folder) {
        this.folder = folder;
    }

    boolean stoppedAsAsked() {
        return tail(folder.console()).stream().anyMatch(BundledMain.STOPPED_AS_ASKED::equals);
    }

    /** The reason of the end; the status is known only of a process that this control plane started itself. */
    String sentence(OptionalInt status) {
        String how = status.isPresent() ? ended(status.getAsInt()) : "The database ended by itself";
        return reason().map(reason -> how + ": " + reason).orElse(how + ".");
    }

    private static String ended(int status) {
        return status > SIGNALS_FROM
                ? "The database was ended by signal " + (status - SIGNALS_FROM)
                : "The database ended by itself with status " + status;
    }

    private Optional<String> reason() {
        Optional<String> said = lastException(tail(folder.console()));
        if (said.isPresent()) {
            return said;
        }
        // Below these marks it logs the mistakes of its users' queries, which ended nothing.
        return lastException(tail(folder.errorLog()).stream()
                .filter(line -> line.contains("<Fatal>")
                        || line.contains("<Critical>")
                        || line.contains("<Error> Application:"))
                .toList());
    }

    private static Optional<String> lastException(List<String> lines) {
        return lines.reversed().stream()
                .map(EXCEPTION::matcher)
                .filter(Matcher::find)
                .map(matcher -> sentenceOf(matcher.group(1)))
                .findFirst();
    }

    /**
     * Makes a database's message fit to be shown: without queries, without anything that could be a hash, and short.
     */
    static String sentenceOf(String words) {
        String text = CLASS_NAME.matcher(words.strip()).replaceFirst("");
        text = REST.matcher(text)
                .replaceFirst("")
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        text = LONG_HEX.matcher(text).replaceAll("...");
        String cut = text.length() <= MAX_SENTENCE_LENGTH ? text : text.substring(0, MAX_SENTENCE_LENGTH) + "...";
        return cut.endsWith(".") ? cut : cut + ".";
    }

    private static List<String> tail(Path file) {
        // Opening a pipe, which the database's user may have put there, would wait for ever.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (SeekableByteChannel log = Files.newByteChannel(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            log.position(Math.max(0, log.size() - TAIL_BYTES));
            byte[] bytes = Channels.newInputStream(log).readNBytes(TAIL_BYTES);
            return new String(bytes, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException failure) {
            // Without a readable log the reason is unknown; that it ended is known all the same.
            return List.of();
        }
    }
}
