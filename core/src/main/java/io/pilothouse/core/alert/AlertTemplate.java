package io.pilothouse.core.alert;

import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in which {@code {{names}}} are replaced by values; there is no logic. An unknown name becomes empty; the
 * result is cut at a maximum length, because values repeat.
 */
public record AlertTemplate(String text) {
    private static final Pattern NAME = Pattern.compile("\\{\\{\\s*([A-Za-z0-9_]{1,64})\\s*}}");

    /** {@code escape} escapes each value for the format around it. */
    public String fill(Map<String, String> values, UnaryOperator<String> escape, int longest) {
        Matcher matcher = NAME.matcher(text);
        StringBuilder filled = new StringBuilder();
        int start = 0;
        while (matcher.find() && filled.length() <= longest) {
            filled.append(text, start, matcher.start());
            filled.append(escape.apply(values.getOrDefault(matcher.group(1), "")));
            start = matcher.end();
        }
        filled.append(text, start, text.length());
        return cut(filled.toString(), longest);
    }

    /** At most this many characters, and no half of a surrogate pair at the end. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end);
    }
}
