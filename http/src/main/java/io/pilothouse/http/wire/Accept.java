package io.pilothouse.http.wire;

import java.util.List;
import java.util.Locale;

/** Interprets the Accept header. */
final class Accept {
    private Accept() {}

    /** Whether problem+json is accepted and ordinary JSON is not; without the header everything is accepted. */
    static boolean onlyProblemJson(List<String> lines) {
        boolean problem = false;
        boolean json = false;
        for (String line : lines) {
            for (String range : line.toLowerCase(Locale.ROOT).split(",", -1)) {
                String type = range.split(";", 2)[0].strip();
                if (refused(range)) {
                    continue;
                }
                problem |= type.equals("application/problem+json");
                json |= type.equals("application/json") || type.equals("application/*") || type.equals("*/*");
            }
        }
        return problem && !json;
    }

    private static boolean refused(String range) {
        for (String parameter : range.split(";", -1)) {
            if (parameter.strip().matches("q=0(\\.0{0,3})?")) {
                return true;
            }
        }
        return false;
    }
}
