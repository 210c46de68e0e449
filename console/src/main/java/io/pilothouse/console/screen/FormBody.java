package io.pilothouse.console.screen;

import io.pilothouse.console.screen.Screen.Column;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The body of a request as what was typed makes it. What cannot be right is sent as it was typed: the API says why. */
public final class FormBody {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}(\\.\\d{1,9})?");

    private FormBody() {}

    /** Null where a form sends none. What is left empty is left out. */
    public static @Nullable String of(Form form, Map<String, String> typed) {
        if (form.inputs().isEmpty()) {
            return null;
        }
        Tree.Members body = Tree.Members.NONE;
        for (Input input : form.inputs()) {
            if (input.sort() == Input.Sort.REMOVABLE && !typed.containsKey(input.name())) {
                // A field that was not shown takes nothing away.
                continue;
            }
            String text = typed.getOrDefault(input.name(), "").strip();
            if (input.sort() == Input.Sort.BODY) {
                return text;
            }
            Tree value = value(input, text, typed);
            if (value != null) {
                body = with(body, input.path(), value);
            }
        }
        return text(body);
    }

    public static String text(Tree value) {
        return new String(JsonWriter.document(out -> TreeJson.write(out, value)), StandardCharsets.UTF_8);
    }

    private static @Nullable Tree value(Input input, String text, Map<String, String> typed) {
        return switch (input.sort()) {
            case REMOVABLE -> text.isEmpty() ? new Tree.Nothing() : new Tree.Text(text);
            case FLAG -> new Tree.Flag(!text.isEmpty());
            case FIXED -> new Tree.Text(input.value());
            case MANY -> chosen(input.path() + ":", typed);
            case LINES -> text.isEmpty() ? null : Tree.Items.texts(lines(text));
            case ADDRESSES -> text.isEmpty() ? null : addresses(text);
            case NUMBER ->
                text.isEmpty()
                        ? null
                        : NUMBER.matcher(text).matches()
                                ? new Tree.Figure(Double.parseDouble(text))
                                : new Tree.Text(text);
            case JSON -> text.isEmpty() ? null : json(text);
            case PATH -> null;
            case TEXT, SECRET, CHOICE, BODY -> text.isEmpty() ? null : new Tree.Text(text);
        };
    }

    private static Tree chosen(String prefix, Map<String, String> typed) {
        return Tree.Items.texts(new TreeMap<>(typed)
                .keySet().stream()
                        .filter(name -> name.startsWith(prefix))
                        .map(name -> name.substring(prefix.length()))
                        .toList());
    }

    private static List<String> lines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static Tree addresses(String text) {
        List<Tree> entries = new ArrayList<>();
        for (String line : lines(text)) {
            String[] parts = line.split("\\s+", 2);
            Tree.Members entry = Tree.Members.NONE.with("source", new Tree.Text(parts[0]));
            entries.add(parts.length == 1 ? entry : entry.with("description", new Tree.Text(parts[1])));
        }
        return new Tree.Items(entries);
    }

    private static Tree json(String text) {
        try {
            Tree.Members read =
                    JsonReader.readObject(("{\"value\":" + text + "}").getBytes(StandardCharsets.UTF_8), new Faults());
            Tree value = read.find("value").orElse(null);
            return value == null || read.values().size() > 1 ? new Tree.Text(text) : value;
        } catch (Refused malformed) {
            return new Tree.Text(text);
        }
    }

    private static Tree.Members with(Tree.Members body, String path, Tree value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return body.with(path, value);
        }
        String first = path.substring(0, dot);
        Tree.Members inner = body.members(first).orElse(Tree.Members.NONE);
        return body.with(first, with(inner, path.substring(dot + 1), value));
    }

    /** The value at a path with dots; null where there is none. Of a list, the member of each item. */
    public static @Nullable Tree at(Tree value, String path) {
        if (path.isEmpty()) {
            return value;
        }
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        String rest = dot < 0 ? "" : path.substring(dot + 1);
        return switch (value) {
            case Tree.Members members -> {
                Tree next = members.find(first).orElse(null);
                yield next == null ? null : at(next, rest);
            }
            case Tree.Items items -> {
                List<Tree> found = new ArrayList<>();
                for (Tree item : items.values()) {
                    Tree each = at(item, path);
                    if (each != null) {
                        found.add(each);
                    }
                }
                yield new Tree.Items(found);
            }
            case Tree.Text _, Tree.Figure _, Tree.Flag _, Tree.Nothing _ -> null;
        };
    }

    /** A value as people read it. */
    public static String shown(@Nullable Tree value, Column.Sort sort) {
        return switch (value) {
            case null -> "";
            case Tree.Nothing _ -> "";
            case Tree.Text text -> text.value();
            case Tree.Flag flag -> flag.value() ? "yes" : "no";
            case Tree.Figure _ -> text(value);
            case Tree.Items items
            when sort != Column.Sort.JSON ->
                String.join(
                        ", ",
                        items.values().stream().map(each -> shown(each, sort)).toList());
            case Tree.Items _, Tree.Members _ -> text(value);
        };
    }
}
