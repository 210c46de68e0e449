package io.pilothouse.plane.local;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes small XML files; every value is escaped, so that none can become markup. */
final class XmlText {
    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    XmlText open(String name) {
        line("<" + name + ">");
        open.push(name);
        return this;
    }

    XmlText close() {
        String name = open.pop();
        return line("</" + name + ">");
    }

    XmlText value(String name, Object value) {
        return line("<" + name + ">" + escape(value.toString()) + "</" + name + ">");
    }

    XmlText empty(String name) {
        return line("<" + name + "/>");
    }

    /** An element whose text the database takes from its environment. */
    XmlText fromEnvironment(String name, String variable) {
        return line("<" + name + " from_env=\"" + escape(variable) + "\"/>");
    }

    String end() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("The element " + open.peek() + " is still open.");
        }
        return text.toString();
    }

    private XmlText line(String content) {
        text.append("    ".repeat(open.size())).append(content).append('\n');
        return this;
    }

    private static String escape(String value) {
        StringBuilder escaped = new StringBuilder(value.length());
        value.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&apos;");
                default -> {
                    // XML has no way to write the other control characters, not even escaped.
                    if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF) {
                        throw new IllegalArgumentException("A value holds a character that XML cannot hold.");
                    }
                    escaped.appendCodePoint(c);
                }
            }
        });
        return escaped.toString();
    }
}
