package io.pilothouse.server;

import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file in the data folder that says to programs how to reach this one, and with which key; for its owner's eyes
 * only.
 */
final class CredentialsFile {
    private static final Logger LOG = System.getLogger(CredentialsFile.class.getName());
    private static final String BASE_URL = "base_url";
    private static final String ALERTS_URL = "alerts_url";
    private static final String QUERY_URL = "query_url";

    private final Path file;

    CredentialsFile(Path file) {
        this.file = file;
    }

    Path path() {
        return file;
    }

    boolean exists() {
        return Files.exists(file);
    }

    void write(Urls urls, FirstAccess access) throws StartRefused {
        // Every value is made of characters that JSON takes as they are.
        String document = """
                {
                  "base_url": "%s",
                  "alerts_url": "%s",
                  "query_url": "%s",
                  "organization_id": "%s",
                  "key_id": "%s",
                  "key_secret": "%s",
                  "token": "%s"
                }
                """.formatted(
                        urls.base(),
                        urls.alerts(),
                        urls.query(),
                        access.organizationId(),
                        access.keyId(),
                        access.keySecret(),
                        access.token());
        try {
            PrivateFile.write(file, document.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new StartRefused("The file " + Home.shown(file) + " cannot be written", e);
        }
    }

    /** Lets the file of an earlier start say where this one listens; a missing file is left alone. */
    void pointTo(Urls urls) {
        if (!exists()) {
            return;
        }
        try {
            String before = Files.readString(file);
            String after = with(with(before, BASE_URL, urls.base()), ALERTS_URL, urls.alerts());
            after = before.contains(QUERY_URL) ? with(after, QUERY_URL, urls.query()) : withQueries(after, urls);
            if (!after.equals(before)) {
                PrivateFile.write(file, after.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The file " + Home.shown(file) + " does not say where this start listens", e);
        }
    }

    /** One text of the file; empty where the file is gone, or is not what was written. */
    Optional<String> find(String name) {
        try {
            Matcher text = value(name).matcher(Files.readString(file));
            return text.find() ? Optional.of(text.group("text")) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A file that was written before there were query endpoints. */
    private static String withQueries(String document, Urls urls) {
        return document.replaceFirst(
                "(?m)^(\\s*)(\"" + ALERTS_URL + "\".*)$",
                "$1$2\n$1\"" + QUERY_URL + "\": \"" + Matcher.quoteReplacement(urls.query()) + "\",");
    }

    private static String with(String document, String name, String value) {
        return value(name).matcher(document).replaceFirst("$1" + Matcher.quoteReplacement(value) + "$3");
    }

    private static Pattern value(String name) {
        return Pattern.compile("(\"" + name + "\"\\s*:\\s*\")(?<text>[^\"]*)(\")");
    }
}
