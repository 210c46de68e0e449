package io.pilothouse.server.config;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One setting: its name in a file, as a flag and in the environment, its default, and how its text is read. {@code
 * metavar} stands for the value in the help; empty for a switch without one.
 */
public record Option<T>(
        String key,
        String metavar,
        @Nullable String fallback,
        Reader<T> reader,
        Kind kind,
        Set<String> commands,
        String help) {

    static final String ENVIRONMENT_PREFIX = "PILOTHOUSE_";

    /** Turns the text of a setting into its value. */
    @FunctionalInterface
    interface Reader<T> {
        T read(String text) throws BadValue;
    }

    /** Where a setting may come from, and whether its text may be shown. */
    enum Kind {
        /** From anywhere. */
        PLAIN,
        /** The setting that locates the file, so it cannot come from there. */
        FINDS_FILE,
        /** For unattended first starts: no flag, because flags show in every list of processes. */
        UNATTENDED,
        /** Like {@link #UNATTENDED}, and never shown in a message. */
        SECRET
    }

    boolean isFlag() {
        return kind == Kind.PLAIN || kind == Kind.FINDS_FILE;
    }

    boolean isInFile() {
        return kind != Kind.FINDS_FILE;
    }

    boolean isSecret() {
        return kind == Kind.SECRET;
    }

    boolean isSwitch() {
        return metavar.isEmpty();
    }

    public String flag() {
        return "--" + key;
    }

    public String variable() {
        return ENVIRONMENT_PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
