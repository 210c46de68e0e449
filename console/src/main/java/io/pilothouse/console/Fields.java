package io.pilothouse.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The fields of a form or of a query, each given once; one that is absent reads as empty. */
record Fields(Map<String, String> values) {
    Fields {
        values = Map.copyOf(values);
    }

    static Fields of(String encoded) {
        Map<String, String> values = new HashMap<>();
        for (String pair : encoded.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.putIfAbsent(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
            }
        }
        return new Fields(values);
    }

    static Fields of(byte[] body) {
        return of(new String(body, StandardCharsets.UTF_8));
    }

    /** What is malformed reads as it was sent. */
    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }

    String text(String name) {
        return values.getOrDefault(name, "").strip();
    }

    /** As it was typed, for secrets. */
    String exact(String name) {
        return values.getOrDefault(name, "");
    }
}
