package io.pilothouse.console.query;

import java.util.regex.Pattern;

/** A statement without what stands in quotes, in comments or in parentheses: enough to see what sort of one it is. */
public final class SqlOutline {
    private static final Pattern QUERY =
            Pattern.compile("\\s*+(?:\\(|(?:SELECT|WITH|FROM)\\b)", Pattern.CASE_INSENSITIVE);
    private static final Pattern ORDER = Pattern.compile("\\bORDER\\s+BY\\b", Pattern.CASE_INSENSITIVE);
    /** The database takes the rows of each part of these; {@code * EXCEPT (x)} leaves out columns. */
    private static final Pattern PARTS =
            Pattern.compile("\\b(?:UNION|INTERSECT)\\b|(?<![*\\s])\\s++EXCEPT\\b", Pattern.CASE_INSENSITIVE);

    private final String text;

    private SqlOutline(String text) {
        this.text = text;
    }

    public static SqlOutline of(String sql) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        int at = 0;
        while (at < sql.length()) {
            char next = sql.charAt(at);
            int end = quietEnd(sql, at);
            if (end > at) {
                text.append(' ');
                at = end;
                continue;
            }
            if (next == ')') {
                depth = Math.max(0, depth - 1);
            } else if (depth == 0) {
                text.append(next);
            }
            if (next == '(') {
                depth++;
            }
            at++;
        }
        return new SqlOutline(text.toString());
    }

    /** Where the quotes or the comment end that begin here; the same place where neither does. */
    private static int quietEnd(String sql, int at) {
        char next = sql.charAt(at);
        if (next == '\'' || next == '"' || next == '`') {
            return quotedEnd(sql, at + 1, next);
        }
        if (sql.startsWith("--", at)) {
            return after(sql, "\n", at);
        }
        return sql.startsWith("/*", at) ? after(sql, "*/", at) : at;
    }

    private static int quotedEnd(String sql, int from, char quote) {
        for (int at = from; at < sql.length(); at++) {
            if (sql.charAt(at) == '\\') {
                at++;
            } else if (sql.charAt(at) == quote) {
                return at + 1;
            }
        }
        return sql.length();
    }

    private static int after(String sql, String end, int at) {
        int found = sql.indexOf(end, at);
        return found < 0 ? sql.length() : found + end.length();
    }

    /** It reads rows and changes nothing, so that it can be run once more for other rows of the whole. */
    public boolean isPaged() {
        return QUERY.matcher(text).lookingAt() && !PARTS.matcher(text).find();
    }

    /** Its own ORDER BY says in which order rows come; that of a part of it does not. */
    public boolean isOrdered() {
        return ORDER.matcher(text).find();
    }
}
