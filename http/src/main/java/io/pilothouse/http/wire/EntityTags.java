package io.pilothouse.http.wire;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entity tags: ours are hashes of the bytes that are shown, and so always strong. Those of a request may be weak,
 * several, or {@code *}.
 */
public final class EntityTags {
    private static final String ANY = "*";
    private static final int BYTES = 16;
    private static final int DIGITS = 2 * BYTES;

    private EntityTags() {}

    /** The tag of what is shown as this JSON: other bytes, another tag. */
    public static String of(byte[] json) {
        return HexFormat.of().formatHex(SecretHash.sha256(json), 0, BYTES);
    }

    public static String quote(String tag) {
        return '"' + tag + '"';
    }

    /**
     * Whether If-None-Match names this tag, so that 304 is enough; weak tags count here. An unreadable field
     * names none, because a whole answer does no harm.
     */
    public static boolean noneMatchNames(List<String> lines, String tag) {
        String quoted = quote(tag);
        List<Tag> tags = read(lines);
        return tags != null && tags.stream().anyMatch(named -> named.quoted.equals(ANY) || named.quoted.equals(quoted));
    }

    /**
     * The demand of If-Match on a thing that is shown like this; a weak tag is given a form that no current tag has,
     * because it never matches here.
     */
    public static <T> Precondition<T> precondition(List<String> lines, JsonWriter.ItemWriter<T> writer) {
        List<String> tags = new ArrayList<>();
        List<Tag> read = read(lines);
        if (read == null) {
            // A condition that cannot be parsed must not count as met.
            throw Refused.badRequest(RequestField.IF_MATCH.wireName(), "must be * or entity tags in double quotes");
        }
        for (Tag named : read) {
            boolean literal = named.quoted.equals(ANY);
            boolean current = !named.weak && !named.quoted.equals(quote(ANY));
            tags.add(literal ? ANY : current ? lasting(named.quoted) : named.quoted);
        }
        return new Precondition<>(
                tags,
                thing -> of(JsonWriter.document(out -> writer.write(out, thing))),
                thing -> JsonReader.readObject(JsonWriter.document(out -> writer.write(out, thing)), new Faults()));
    }

    /** The part of a tag that changes collide with: all of it, or its first half where some of what is shown moves often. */
    private static String lasting(String quoted) {
        String tag = quoted.substring(1, quoted.length() - 1);
        return tag.length() == 2 * DIGITS ? tag.substring(0, DIGITS) : tag;
    }

    /** One tag of a header: {@code *}, or its quoted text. */
    private record Tag(String quoted, boolean weak) {}

    /** Null for what is no list of tags. */
    private static @Nullable List<Tag> read(List<String> lines) {
        List<Tag> tags = new ArrayList<>();
        for (String line : lines) {
            int at = skipBlanks(line, 0);
            while (at < line.length()) {
                int end = endOfTag(line, at);
                if (end < 0) {
                    return null;
                }
                boolean weak = line.startsWith("W/", at);
                tags.add(new Tag(line.substring(weak ? at + 2 : at, end), weak));
                at = skipBlanks(line, end);
                if (at < line.length() && line.charAt(at) != ',') {
                    return null;
                }
                at = skipBlanks(line, Math.min(at + 1, line.length()));
            }
        }
        return tags.isEmpty() && !lines.isEmpty() ? null : tags;
    }

    /** Negative for what is no tag. */
    private static int endOfTag(String line, int start) {
        if (line.startsWith(ANY, start)) {
            return start + 1;
        }
        int open = line.startsWith("W/", start) ? start + 2 : start;
        int close = open < line.length() && line.charAt(open) == '"' ? line.indexOf('"', open + 1) : -1;
        return close < 0 ? -1 : close + 1;
    }

    private static int skipBlanks(String line, int start) {
        int at = start;
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }
}
