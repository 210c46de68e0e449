package io.pilothouse.http.wire;

import java.util.List;
import java.util.Locale;

/** Whether a body is declared as JSON in UTF-8, the only media type accepted. */
final class ContentType {
    private ContentType() {}

    static boolean isJson(List<String> lines) {
        if (lines.size() != 1) {
            return false;
        }
        String line = lines.getFirst();
        if (line.equals("application/json")) {
            return true;
        }
        String[] parts = line.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals("application/json")) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("charset=") && !isUtf8(parameter.substring("charset=".length()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUtf8(String charset) {
        return charset.equals("utf-8")
                || charset.equals("utf8")
                || charset.equals("\"utf-8\"")
                || charset.equals("\"utf8\"");
    }
}
