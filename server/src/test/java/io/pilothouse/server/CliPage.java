package io.pilothouse.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** docs/cli.md: its words stay, and under each command in it stands what that prints. */
final class CliPage {
    private static final String CONSOLE = "```console";
    private static final String PROMPT = "$ ";
    private static final String FILE = PROMPT + "cat ";
    private static final Pattern NOT_YET = Pattern.compile("`([a-z -]+)`(?=[^|]*\\|)");
    private static final Pattern COMMAND = Pattern.compile("\\$ cloud ((?:[a-z][a-z-]* ?)+)");

    /** What differs from run to run, and the word or the number that stands for it. */
    private static final Map<Pattern, String> MASKS = new LinkedHashMap<>();

    private static final Pattern ID =
            Pattern.compile("\\b[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\\b");
    private static final Pattern HOST = Pattern.compile("\\b[0-9a-f]{16}(?=\\.[a-z])");

    static {
        MASKS.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+(?:Z|\\+00:00)"), "2026-11-22T18:00:00Z");
        MASKS.put(Pattern.compile("(?i)((?:password|secret|key ID): )\\S+"), "$1…");
        MASKS.put(Pattern.compile("((?:keySuffix|isActiveNow): )\\S+"), "$1…");
        MASKS.put(Pattern.compile("vpce-[0-9a-f]{17}\\b"), "vpce-0123456789abcdef0");
    }

    private final List<String> lines;
    private final Map<String, String> ids = new LinkedHashMap<>();
    private String running = "";
    private int shown;

    CliPage(String text) {
        this.lines = List.of(text.split("\n", -1));
    }

    /** What a command prints. */
    @FunctionalInterface
    interface Shell {
        String run(String command) throws IOException, InterruptedException;
    }

    /** The page with what the commands print now; lines after {@code cat} are the file. */
    String filledBy(Shell shell) throws IOException, InterruptedException {
        List<String> filled = new ArrayList<>();
        boolean console = false;
        boolean printed = false;
        for (String line : lines) {
            if (line.startsWith("```")) {
                console = line.equals(CONSOLE);
                printed = false;
            }
            if (console && line.startsWith(PROMPT)) {
                filled.add(line);
                printed = !line.startsWith(FILE);
                running = line;
                shown = 0;
                String text = printed ? shell.run(line.substring(PROMPT.length())) : "";
                // It is there while an entry of the schedule holds: in some hours of some days.
                filled.addAll(CliTable.aligned(text.lines()
                        .filter(each -> !each.startsWith("activeEntryId: "))
                        .map(this::masked)
                        .toList()));
            } else if (!printed) {
                filled.add(line);
            }
        }
        return String.join("\n", filled);
    }

    private String masked(String line) {
        String text = line;
        for (Map.Entry<Pattern, String> mask : MASKS.entrySet()) {
            text = mask.getKey().matcher(text).replaceAll(mask.getValue());
        }
        text = ID.matcher(text)
                .replaceAll(id -> ids.computeIfAbsent(id.group(), _ -> named() + "-4000-8000-000000000000"));
        return HOST.matcher(text)
                .replaceAll(host -> ids.computeIfAbsent(host.group(), _ -> named().replace("-", "") + "0000"))
                .stripTrailing();
    }

    /** After the command that shows it first, so that a new command changes no other line of the page. */
    private String named() {
        return String.format(Locale.ROOT, "%08x-%04d", running.hashCode(), ++shown);
    }

    /** The lines to paste before any other. */
    String start() {
        int from = lines.indexOf("```sh") + 1;
        return String.join(
                        "\n",
                        lines.subList(
                                from, from + lines.subList(from, lines.size()).indexOf("```"))) + "\n";
    }

    /** Whether the page shows that this command is refused. */
    boolean refused(String command) {
        int at = lines.indexOf(PROMPT + command);
        return at + 1 < lines.size() && lines.get(at + 1).startsWith("Error");
    }

    /** The files that the page shows, by their names. */
    Map<String, String> files() {
        Map<String, String> files = new LinkedHashMap<>();
        for (int at = 0; at + 1 < lines.size(); at++) {
            if (lines.get(at).startsWith(FILE)) {
                files.put(lines.get(at).substring(FILE.length()), lines.get(at + 1) + "\n");
            }
        }
        return files;
    }

    /** The commands that it drives or that it says are missing; one of those stands for all below it. */
    List<String> uncovered(List<String> commands) {
        String text = String.join("\n", lines);
        TreeSet<String> driven = COMMAND.matcher(text)
                .results()
                .map(found -> found.group(1).strip())
                .collect(Collectors.toCollection(TreeSet::new));
        List<String> missing = NOT_YET.matcher(text.substring(text.indexOf("## Not here yet")))
                .results()
                .map(found -> found.group(1))
                .toList();
        List<String> left = new ArrayList<>();
        for (String command : commands) {
            boolean shown = driven.stream().anyMatch(line -> (line + " ").startsWith(command + " "));
            long said = missing.stream()
                    .filter(name -> (command + " ").startsWith(name + " "))
                    .count();
            if (shown == (said > 0)) {
                left.add(command + (shown ? " is shown and said to be missing" : " is not on the page"));
            }
        }
        missing.stream()
                .filter(name -> commands.stream().noneMatch(command -> (command + " ").startsWith(name + " ")))
                .forEach(name -> left.add(name + " is no command"));
        return left;
    }
}
