package io.pilothouse.console;

import io.pilothouse.console.screen.Form;
import io.pilothouse.console.screen.FormBody;
import io.pilothouse.console.screen.Input;
import io.pilothouse.console.screen.Screen;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One look at a screen: what its templates stand for, and what the API answered; each thing is asked for once. */
final class ScreenLook {
    private static final Pattern NAME = Pattern.compile("\\{([A-Za-z.]+)}");
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._@+:-]{0,200}");
    private static final String ROW = "row";

    private final Visit visit;
    private final ConsoleApi api;
    private final Screen screen;
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, ConsoleApi.Outcome> answers;

    /** {@code row} is the line that a form belongs to; empty for one of the page. */
    ScreenLook(Visit visit, ConsoleApi api, Screen screen, String row) {
        this(visit, api, screen, row, new HashMap<>());
    }

    private ScreenLook(
            Visit visit, ConsoleApi api, Screen screen, String row, Map<String, ConsoleApi.Outcome> answers) {
        this.visit = visit;
        this.api = api;
        this.screen = screen;
        this.answers = answers;
        if (!ID.matcher(row).matches() || row.startsWith(".")) {
            throw Refused.notFound("Line");
        }
        String[] names = screen.path().split("/", -1);
        String[] parts = visit.exchange().path().split("/", -1);
        for (int at = 0; at < Math.min(names.length, parts.length); at++) {
            if (names[at].startsWith("{")) {
                values.put(names[at].substring(1, names[at].length() - 1), parts[at]);
            }
        }
        values.put("organization", visit.organizationPath());
        values.put(ROW, row);
    }

    /** The same for a line of the page. */
    ScreenLook at(String row) {
        return new ScreenLook(visit, api, screen, row, answers);
    }

    static String rowOf(Tree.Members item) {
        for (String member : List.of("id", "userId", "name")) {
            String id = item.text(member).orElse("");
            if (!id.isEmpty()) {
                return id;
            }
        }
        return "";
    }

    Visit visit() {
        return visit;
    }

    String row() {
        return String.valueOf(values.get(ROW));
    }

    ConsoleApi.Outcome read(String template) {
        return answers.computeIfAbsent(filled(template, Tree.Members.NONE), path -> api.read(visit, path));
    }

    /** What the page is about; nothing in particular is always there. */
    ConsoleApi.Outcome required() {
        return screen.main().isEmpty() ? new ConsoleApi.Outcome(200, Tree.Members.NONE) : read(screen.main());
    }

    /** A template with what its names stand for: a part of the path, or else a member of this thing. */
    String filled(String template, Tree thing) {
        return NAME.matcher(template).replaceAll(match -> {
            String known = values.get(match.group(1));
            return Matcher.quoteReplacement(
                    known == null
                            ? FormBody.shown(FormBody.at(thing, match.group(1)), Screen.Column.Sort.TEXT)
                            : known);
        });
    }

    /** The request that a form sends with these fields. */
    ApiCall call(Form form, Map<String, String> typed) {
        List<Input> inputs = form.inputs().stream()
                .map(input -> input.sort() == Input.Sort.FIXED
                        ? Input.fixed(input.path(), filled(input.value(), Tree.Members.NONE))
                        : input)
                .toList();
        Form exact = Form.of(form.name(), form.label(), form.verb(), form.api(), inputs.toArray(Input[]::new));
        Tree.Members inPath = Tree.Members.NONE;
        for (Input input : form.inputs()) {
            if (input.sort() == Input.Sort.PATH) {
                String text = typed.getOrDefault(input.name(), "").strip();
                inPath = inPath.with(input.name(), new Tree.Text(URLEncoder.encode(text, StandardCharsets.UTF_8)));
            }
        }
        return new ApiCall(form.verb(), filled(form.api(), inPath), FormBody.of(exact, typed));
    }

    /** What the fields of a form hold before anybody types. */
    Map<String, String> before(Form form) {
        Map<String, String> fields = new LinkedHashMap<>();
        boolean unread = !form.from().isEmpty() && read(form.from()).refused();
        Tree from =
                form.from().isEmpty() ? Tree.Members.NONE : read(form.from()).result();
        for (Input input : form.inputs()) {
            if (unread && input.sort() == Input.Sort.REMOVABLE) {
                continue;
            }
            Tree found = input.filled().isEmpty() ? null : FormBody.at(from, input.filled());
            if (input.sort() == Input.Sort.MANY) {
                List<Tree> chosen = found instanceof Tree.Items items ? items.values() : List.of();
                chosen.forEach(
                        each -> fields.put(input.name() + ":" + FormBody.shown(each, Screen.Column.Sort.TEXT), "true"));
            } else if (input.sort() == Input.Sort.LINES && found instanceof Tree.Items items) {
                fields.put(
                        input.name(),
                        items.values().stream()
                                .map(each -> FormBody.shown(each, Screen.Column.Sort.TEXT))
                                .collect(Collectors.joining("\n")));
            } else if (found == null) {
                fields.put(input.name(), input.value());
            } else if (found instanceof Tree.Flag flag) {
                fields.put(input.name(), flag.value() ? "true" : "");
            } else {
                Screen.Column.Sort sort =
                        input.sort() == Input.Sort.JSON ? Screen.Column.Sort.JSON : Screen.Column.Sort.TEXT;
                fields.put(input.name(), FormBody.shown(found, sort));
            }
        }
        return fields;
    }
}
