package io.pilothouse.pipes;

/** Names and texts as SQL writes them. */
final class Sql {
    private Sql() {}

    static String name(String name) {
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`";
    }

    static String text(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
