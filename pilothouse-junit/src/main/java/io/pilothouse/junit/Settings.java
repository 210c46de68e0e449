package io.pilothouse.junit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How a run of tests wants its server: parameters of JUnit, from {@code junit-platform.properties} or as system
 * properties.
 *
 * @param sameProcess whether the server is a part of the process of the tests, and not a child of it
 * @param program what to run as a child: a folder with {@code pilothouse} in it, that script, or the program's jar;
 *     without it the server of the class path
 * @param prepare whether the server of the class path is prepared, once, so that it starts in less than half the time
 * @param more arguments of {@code up} that come after those of the extension
 * @param environment the variables of this process that are not settings of a server
 */
record Settings(
        boolean sameProcess,
        Optional<Path> program,
        boolean prepare,
        Duration startLimit,
        List<String> more,
        Map<String, String> environment) {
    static final String RUN = "pilothouse.run";
    static final String PROGRAM = "pilothouse.program";
    static final String PREPARE = "pilothouse.prepare";
    static final String START_LIMIT = "pilothouse.start-limit";
    static final String OPTIONS = "pilothouse.options";

    private static final String CHILD = "child";
    private static final String SAME_PROCESS = "same-process";
    private static final String USUAL_START_LIMIT_SECONDS = "300";
    private static final String ENVIRONMENT_PREFIX = "PILOTHOUSE_";
    private static final List<String> OF_THE_SCRIPT =
            List.of(ENVIRONMENT_PREFIX + "JAVA_HOME", ENVIRONMENT_PREFIX + "JAVA_OPTS");

    static Settings of(Function<String, Optional<String>> parameters, Map<String, String> environment) {
        Map<String, String> ours = new TreeMap<>(environment);
        ours.keySet()
                .removeIf(variable -> variable.startsWith(ENVIRONMENT_PREFIX) && !OF_THE_SCRIPT.contains(variable));
        return new Settings(
                choice(RUN, parameters.apply(RUN).orElse(CHILD), CHILD, SAME_PROCESS),
                parameters.apply(PROGRAM).filter(text -> !text.isBlank()).map(Path::of),
                // A build server that begins with nothing would pay for it in every run, and never be paid back.
                choice(
                        PREPARE,
                        parameters.apply(PREPARE).orElse(environment.containsKey("CI") ? "false" : "true"),
                        "false",
                        "true"),
                seconds(parameters.apply(START_LIMIT).orElse(USUAL_START_LIMIT_SECONDS)),
                parameters
                        .apply(OPTIONS)
                        .map(text -> Arrays.stream(text.strip().split("\\s+", -1))
                                .filter(word -> !word.isEmpty())
                                .toList())
                        .orElse(List.of()),
                Map.copyOf(ours));
    }

    private static boolean choice(String name, String text, String one, String other) {
        if (!text.equals(one) && !text.equals(other)) {
            throw new PilothouseException(name + " is \"" + text + "\", and may be " + one + " or " + other);
        }
        return text.equals(other);
    }

    private static Duration seconds(String text) {
        try {
            int seconds = Integer.parseInt(text);
            if (seconds > 0) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException e) {
            throw new PilothouseException(START_LIMIT + " is \"" + text + "\", and is a number of seconds", e);
        }
        throw new PilothouseException(START_LIMIT + " is \"" + text + "\", and is a number of seconds");
    }
}
