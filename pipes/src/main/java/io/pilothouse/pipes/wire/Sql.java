package io.pilothouse.pipes.wire;

/** Names and texts as SQL writes them. */
public final class Sql {
    private Sql() {}

    public static String name(String name) {
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`";
    }

    public static String text(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
