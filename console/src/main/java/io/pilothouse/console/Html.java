package io.pilothouse.console;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Markup, written piece by piece. Every text and every attribute is escaped, so that what people typed is never markup.
 * It is well-formed XML too, so that tests can read it with what the JDK has.
 */
final class Html {
    private static final int USUAL_LENGTH = 16_384;

    private final StringBuilder text = new StringBuilder(USUAL_LENGTH);

    /** The beginning of an element: its name, and the names and values of its attributes by turns. */
    record Tag(String name, List<@Nullable String> attributes) {}

    /** An attribute whose value is null is left out. */
    static Tag tag(String name, @Nullable String... attributes) {
        return new Tag(name, Arrays.asList(attributes));
    }

    /** An element with what the content writes. */
    Html in(Tag tag, Runnable content) {
        open(tag).append('>');
        content.run();
        text.append("</").append(tag.name()).append('>');
        return this;
    }

    /** An element with a text. */
    Html in(Tag tag, @Nullable String content) {
        return in(tag, () -> text(content));
    }

    Html in(String name, Runnable content) {
        return in(tag(name), content);
    }

    Html in(String name, @Nullable String content) {
        return in(tag(name), content);
    }

    /** An element that never has content, such as a field of a form. */
    Html one(Tag tag) {
        open(tag).append("/>");
        return this;
    }

    Html text(@Nullable String content) {
        escape(content == null ? "" : content);
        return this;
    }

    /** A moment: the page turns it into the time of the reader's zone, and shows the exact one on hover. */
    Html moment(Instant moment) {
        String exact = moment.toString();
        return in(tag("time", "datetime", exact, "title", exact), shown(moment));
    }

    private static String shown(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ')
                .replace("Z", " UTC");
    }

    private StringBuilder open(Tag tag) {
        text.append('<').append(tag.name());
        List<@Nullable String> attributes = tag.attributes();
        for (int at = 0; at + 1 < attributes.size(); at += 2) {
            String value = attributes.get(at + 1);
            if (value != null) {
                text.append(' ').append(attributes.get(at)).append("=\"");
                escape(value);
                text.append('"');
            }
        }
        return text;
    }

    private void escape(String content) {
        for (int at = 0; at < content.length(); at++) {
            char c = content.charAt(at);
            switch (c) {
                case '&' -> text.append("&amp;");
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '"' -> text.append("&quot;");
                case '\'' -> text.append("&#39;");
                case '\n', '\t', '\r' -> text.append(c);
                default -> text.append(c < ' ' || (Character.isSurrogate(c) && !paired(content, at)) ? '\uFFFD' : c);
            }
        }
    }

    private static boolean paired(String content, int at) {
        char c = content.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 < content.length() && Character.isLowSurrogate(content.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(content.charAt(at - 1));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
