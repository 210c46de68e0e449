package io.pilothouse.console.terraform;

import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Values as Terraform writes them. Nothing of a text is an expression. */
final class Hcl {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
    private static final String STEP = "  ";

    private final StringBuilder text = new StringBuilder();
    private final UnaryOperator<String> names;

    private Hcl(UnaryOperator<String> names) {
        this.names = names;
    }

    /** With the members in snake case, as the provider has them. */
    static String of(Tree value) {
        return new Hcl(Hcl::snake).write(value, STEP).text.toString();
    }

    /** With the members as they are. */
    static String exact(Tree value) {
        return new Hcl(name -> name).write(value, STEP).text.toString();
    }

    static String snake(String name) {
        return HUMP.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
    }

    static String quoted(String text) {
        String escaped = text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t")
                .replace("${", "$${")
                .replace("%{", "%%{");
        return '"' + escaped + '"';
    }

    private Hcl write(Tree value, String indent) {
        switch (value) {
            case Tree.Text(String content) -> text.append(quoted(content));
            case Tree.Figure _ ->
                text.append(new String(JsonWriter.document(out -> TreeJson.write(out, value)), StandardCharsets.UTF_8));
            case Tree.Flag(boolean flag) -> text.append(flag);
            case Tree.Nothing _ -> text.append("null");
            case Tree.Items items -> items(items, indent);
            case Tree.Members members -> members(members, indent);
        }
        return this;
    }

    private void items(Tree.Items items, String indent) {
        text.append('[');
        String between = "";
        for (Tree item : items.values()) {
            text.append(between);
            write(item, indent);
            between = ", ";
        }
        text.append(']');
    }

    private void members(Tree.Members members, String indent) {
        if (members.values().isEmpty()) {
            text.append("{}");
            return;
        }
        String inner = indent + STEP;
        text.append("{\n");
        for (Map.Entry<String, Tree> member : members.values().entrySet()) {
            String name = names.apply(member.getKey());
            text.append(inner)
                    .append(NAME.matcher(name).matches() ? name : quoted(name))
                    .append(" = ");
            write(member.getValue(), inner);
            text.append('\n');
        }
        text.append(indent).append('}');
    }
}
