package io.pilothouse.http.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Strict parsing of the Authorization header: one line, the expected scheme, spaces, one token. */
final class AuthorizationField {
    private AuthorizationField() {}

    /** The text after the scheme; null for anything but exactly one well-formed header of that scheme. */
    static @Nullable String token(Exchange exchange, String scheme) {
        List<String> lines = exchange.field(RequestField.AUTHORIZATION);
        if (lines.size() != 1) {
            return null;
        }
        String line = lines.getFirst();
        int length = scheme.length();
        if (line.length() <= length + 1
                || line.charAt(length) != ' '
                || !line.regionMatches(true, 0, scheme, 0, length)) {
            return null;
        }
        int start = length + 1;
        while (start < line.length() && line.charAt(start) == ' ') {
            start++;
        }
        String token = line.substring(start);
        for (int i = 0; i < token.length(); i++) {
            if (token.charAt(i) <= ' ' || token.charAt(i) > '~') {
                return null;
            }
        }
        return token;
    }
}
