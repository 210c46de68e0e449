package io.pilothouse.server.config;

import io.pilothouse.server.log.Escaped;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects settings for one command from its flags, then the environment, then a file: the first to name one wins. All
 * mistakes are collected, so that they can be corrected together; those of the command line are kept separate.
 */
public final class ConfigSources {
    /** Variables with our prefix that are meant for the script which starts this program. */
    private static final List<String> SCRIPT_VARIABLES =
            List.of(Option.ENVIRONMENT_PREFIX + "JAVA_HOME", Option.ENVIRONMENT_PREFIX + "JAVA_OPTS");

    private final String command;
    private final List<String> misuses = new ArrayList<>();
    private final List<String> mistakes = new ArrayList<>();

    private ConfigSources(String command) {
        this.command = command;
    }

    /** The result: a configuration that is valid only if there is no sentence about a mistake. */
    public record Outcome(Config config, List<String> misuses, List<String> mistakes) {}

    public static Outcome read(String command, List<String> arguments, Map<String, String> environment) {
        ConfigSources sources = new ConfigSources(command);
        Map<Option<?>, Config.SourcedText> given = sources.flags(arguments);
        sources.variables(environment).forEach(given::putIfAbsent);
        Config.SourcedText file = given.get(Options.CONFIG);
        if (file != null) {
            sources.file(file).forEach(given::putIfAbsent);
        }
        Config config = Config.of(given, sources.mistakes);
        return new Outcome(config, List.copyOf(sources.misuses), List.copyOf(sources.mistakes));
    }

    private Map<Option<?>, Config.SourcedText> flags(List<String> arguments) {
        Map<Option<?>, Config.SourcedText> found = new HashMap<>();
        int at = 0;
        while (at < arguments.size()) {
            String argument = arguments.get(at);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            String value = equals < 0 ? null : argument.substring(equals + 1);
            String next = at + 1 < arguments.size() ? arguments.get(at + 1) : null;
            boolean takesNext = flag(name, value, next, found);
            at += takesNext ? 2 : 1;
        }
        return found;
    }

    /** Takes one flag; returns whether the argument after it was its value. */
    private boolean flag(
            String name, @Nullable String value, @Nullable String next, Map<Option<?>, Config.SourcedText> found) {
        Optional<Option<?>> known = name.startsWith("--") ? Options.findByKey(name.substring(2)) : Optional.empty();
        if (known.isEmpty() || !known.get().commands().contains(command)) {
            misuses.add(Escaped.text(name) + " is no option of " + command);
            // The argument after an unknown flag is most likely its value, not a second mistake.
            return value == null && name.startsWith("--") && next != null && !next.startsWith("--");
        }
        Option<?> option = known.get();
        if (!option.isFlag()) {
            misuses.add(option.flag() + " is not taken as a flag, because flags show in lists of processes: use "
                    + option.variable());
            return value == null && next != null && !next.startsWith("--");
        }
        boolean takesNext = value == null && !option.isSwitch() && next != null && !next.startsWith("--");
        String text = takesNext ? next : value == null && option.isSwitch() ? "true" : value;
        if (text == null) {
            misuses.add(option.flag() + " needs a value: " + option.flag() + " " + option.metavar());
        } else if (found.put(option, new Config.SourcedText(text, option.flag())) != null) {
            misuses.add(option.flag() + " is given twice");
        }
        return takesNext;
    }

    private Map<Option<?>, Config.SourcedText> variables(Map<String, String> environment) {
        Map<Option<?>, Config.SourcedText> found = new HashMap<>();
        new TreeMap<>(environment).forEach((variable, text) -> {
            if (!variable.startsWith(Option.ENVIRONMENT_PREFIX) || SCRIPT_VARIABLES.contains(variable)) {
                return;
            }
            Optional<Option<?>> option = Options.findByVariable(variable);
            if (option.isEmpty()) {
                mistakes.add("The environment variable " + Escaped.text(variable) + " is no setting");
            } else if (!text.isEmpty()) {
                // An empty variable is how compose files and shells say "not set".
                found.put(option.get(), new Config.SourcedText(text, variable));
            }
        });
        return found;
    }

    private Map<Option<?>, Config.SourcedText> file(Config.SourcedText named) {
        try {
            return lines(named.text(), Files.readAllLines(Values.path(named.text()), StandardCharsets.UTF_8));
        } catch (BadValue e) {
            // Reported with the other values.
            return Map.of();
        } catch (CharacterCodingException e) {
            mistakes.add("The config file " + Escaped.text(named.text()) + " is not UTF-8 text");
        } catch (IOException e) {
            String why = Files.exists(Path.of(named.text())) ? " cannot be read" : " does not exist";
            mistakes.add("The config file " + Escaped.text(named.text()) + why);
        }
        return Map.of();
    }

    private Map<Option<?>, Config.SourcedText> lines(String file, List<String> lines) {
        Map<Option<?>, Config.SourcedText> found = new LinkedHashMap<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = Escaped.text(file) + " line " + (at + 1);
            int equals = line.indexOf('=');
            if (equals < 1) {
                mistakes.add(place + " is not of the form key = value");
                continue;
            }
            String key = line.substring(0, equals).strip();
            Optional<Option<?>> option = Options.findByKey(key).filter(Option::isInFile);
            if (option.isEmpty()) {
                mistakes.add(place + ": " + Escaped.text(key) + " is no setting");
                continue;
            }
            String text = line.substring(equals + 1).strip();
            Config.SourcedText setting = new Config.SourcedText(text, place + ": " + key);
            if (found.putIfAbsent(option.get(), setting) != null) {
                mistakes.add(place + ": " + key + " is given twice");
            }
        }
        return found;
    }
}
