package io.pilothouse.http.emulator;

import io.pilothouse.core.base.Tree;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a person types after {@code ./pilothouse emulator} to ask for an operation, and the request that it becomes. */
public record CommandLine(String word, String purpose, Tree.Members always, List<Argument> arguments) {
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final double NANOS = 1e9;
    private static final double MAX_SECONDS = 1e9;

    /** Where in the request an argument goes. */
    public enum Type {
        /** A parameter in the path. */
        PATH,
        /** A member of the body that is a text. */
        TEXT,
        /** A member of the body that is a number. */
        NUMBER,
        /** A member of the body that is a number of seconds, typed with a unit. */
        SECONDS,
        /** The whole body, from a file. */
        FILE
    }

    /** A word after the command; one that is shown in brackets may be left out. */
    public record Argument(String name, String shown, Type type) {
        boolean optional() {
            return shown.startsWith("[");
        }
    }

    /** What is asked for: the path with its parameters, the body's members, and the file that is the body instead. */
    public record Asked(String path, Tree.Members body, List<String> files) {}

    /** An argument that cannot be read; says what it must be. */
    public static final class Misread extends Exception {
        private static final long serialVersionUID = 1L;

        Misread(String sentence) {
            super(sentence);
        }
    }

    static CommandLine of(String word, String purpose) {
        return new CommandLine(word, purpose, Tree.Members.NONE, List.of());
    }

    /** The same with a member that the body always has, unless an argument says otherwise. */
    CommandLine with(String name, Tree value) {
        return new CommandLine(word, purpose, always.with(name, value), arguments);
    }

    /** The same with one more word after it. */
    CommandLine takes(String name, String shown, Type type) {
        List<Argument> more = new ArrayList<>(arguments);
        more.add(new Argument(name, shown, type));
        return new CommandLine(word, purpose, always, List.copyOf(more));
    }

    /** How the words after it are shown in the help. */
    public List<String> shown() {
        return arguments.stream().map(Argument::shown).toList();
    }

    /** The request that these words become. */
    public Asked asked(String path, List<String> typed) throws Misread {
        String target = path;
        Tree.Members body = always;
        List<String> files = new ArrayList<>();
        for (int i = 0; i < typed.size(); i++) {
            Argument argument = arguments.get(i);
            String text = typed.get(i);
            switch (argument.type()) {
                case PATH -> target = target.replace("{" + argument.name() + "}", inPath(argument, text));
                case TEXT -> body = body.with(argument.name(), new Tree.Text(text));
                case NUMBER -> body = body.with(argument.name(), new Tree.Figure(number(argument, text)));
                case SECONDS -> body = body.with(argument.name(), new Tree.Figure(seconds(argument, text)));
                case FILE -> files.add(text);
            }
        }
        return new Asked(target, body, files);
    }

    /**
     * The words that ask for this request, the other way round; empty where none do. A file's name is for people to fill
     * in.
     */
    Optional<List<String>> typed(Map<String, String> inPath, Tree.Members body) {
        Set<String> unsaid = new HashSet<>(body.values().keySet());
        for (Map.Entry<String, Tree> each : always.values().entrySet()) {
            Tree given = body.values().get(each.getKey());
            if (given == null) {
                return Optional.empty();
            }
            if (given.equals(each.getValue())) {
                unsaid.remove(each.getKey());
            }
        }
        List<String> words = new ArrayList<>(List.of(word));
        boolean leftOut = false;
        for (Argument argument : arguments) {
            if (argument.type() == Type.FILE) {
                unsaid.clear();
            }
            String said = said(argument, inPath, body).orElse(null);
            if (said == null ? !argument.optional() : leftOut || said.startsWith("-")) {
                return Optional.empty();
            }
            leftOut = said == null;
            if (said != null) {
                words.add(said);
                unsaid.remove(argument.name());
            }
        }
        return unsaid.isEmpty() ? Optional.of(List.copyOf(words)) : Optional.empty();
    }

    private static Optional<String> said(Argument argument, Map<String, String> inPath, Tree.Members body) {
        return switch (argument.type()) {
            case PATH -> Optional.ofNullable(inPath.get(argument.name()));
            case TEXT -> body.text(argument.name());
            case NUMBER -> body.number(argument.name()).map(CommandLine::plain);
            case SECONDS ->
                body.number(argument.name())
                        .filter(seconds -> seconds < MAX_SECONDS && seconds == Math.rint(seconds))
                        .map(seconds -> plain(seconds) + "s");
            case FILE -> Optional.of(argument.shown());
        };
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private static String inPath(Argument argument, String text) throws Misread {
        if (!fitsInPath(text)) {
            throw new Misread(argument.shown() + " is made of letters, digits, dots, dashes and underscores");
        }
        return text;
    }

    static boolean fitsInPath(String text) {
        return text.matches("[A-Za-z0-9._~-]{1,100}");
    }

    private static double number(Argument argument, String text) throws Misread {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // Said below.
        }
        throw new Misread(argument.shown() + " must be a number");
    }

    private static double seconds(Argument argument, String text) throws Misread {
        Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new Misread(argument.shown() + " must be a whole number with a unit: ms, s, m, h or d");
        }
        Duration unit = UNITS.getOrDefault(matcher.group(2), Duration.ZERO);
        return Double.parseDouble(matcher.group(1)) * unit.toNanos() / NANOS;
    }
}
