package io.pilothouse.core.alert;

import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with {@code {{names}}} in it that are replaced by values, and no logic. A name that is not known becomes nothing;
 * what comes out is cut at a length, because values repeat.
 */
public record AlertTemplate(String text) {
    private static final Pattern NAME = Pattern.compile("\\{\\{\\s*([A-Za-z0-9_]{1,64})\\s*}}");

    /** {@code escape} fits each value to the format around it. */
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

    /** At most so many characters, and no half of a surrogate pair at the end. */
    static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end);
    }
}
