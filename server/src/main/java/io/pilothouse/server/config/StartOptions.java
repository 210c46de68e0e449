package io.pilothouse.server.config;

import java.nio.file.Path;
import java.util.Set;

/** The settings for another program that starts this one. */
public final class StartOptions {
    private static final Set<String> UP = Set.of("up");

    public static final Option<Path> READY_FILE = new Option<>(
            "ready-file",
            "FILE",
            null,
            Values::path,
            Option.Kind.PLAIN,
            UP,
            "a file that is there while the program is up: JSON with its addresses and the first key");
    public static final Option<Boolean> UNTIL_INPUT_ENDS = new Option<>(
            "until-input-ends",
            "",
            "false",
            Values::truth,
            Option.Kind.PLAIN,
            UP,
            "stop when standard input ends, as it does with the program that holds its other end");

    private StartOptions() {}
}
