package io.pilothouse.pipes.worker.files;

import java.util.regex.Pattern;

/**
 * A pattern for the keys of files: {@code ?} is one character and {@code *} any number of them within a folder,
 * {@code **} across folders; {@code {a,b}} is one of these, and {@code {1..12}} a number in between.
 */
record FileGlob(String prefix, Pattern pattern, boolean plain) {
    private static final String SPECIAL = "?*{";
    private static final int MAX_NUMBERS = 10_000;

    static FileGlob of(String text) {
        int first = 0;
        while (first < text.length() && SPECIAL.indexOf(text.charAt(first)) < 0) {
            first++;
        }
        return new FileGlob(text.substring(0, first), Pattern.compile(regex(text)), first == text.length());
    }

    boolean matches(String key) {
        return pattern.matcher(key).matches();
    }

    private static String regex(String text) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '*' && text.startsWith("**", at)) {
                regex.append(".*");
                at += 2;
            } else if (c == '*') {
                regex.append("[^/]*");
                at++;
            } else if (c == '?') {
                regex.append("[^/]");
                at++;
            } else if (c == '{' && text.indexOf('}', at) > 0) {
                int end = text.indexOf('}', at);
                regex.append(alternatives(text.substring(at + 1, end)));
                at = end + 1;
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
                at++;
            }
        }
        return regex.toString();
    }

    private static String alternatives(String inside) {
        String[] ends = inside.split("\\.\\.", -1);
        if (ends.length == 2 && ends[0].matches("\\d{1,9}") && ends[1].matches("\\d{1,9}")) {
            return numbers(ends[0], ends[1]);
        }
        StringBuilder regex = new StringBuilder("(?:");
        String[] words = inside.split(",", -1);
        for (int i = 0; i < words.length; i++) {
            regex.append(i == 0 ? "" : "|").append(regex(words[i]));
        }
        return regex.append(')').toString();
    }

    private static String numbers(String from, String to) {
        int low = Integer.parseInt(from);
        int high = Math.min(Integer.parseInt(to), low + MAX_NUMBERS);
        boolean padded = from.length() > 1 && from.startsWith("0");
        StringBuilder regex = new StringBuilder("(?:");
        for (int number = low; number <= high; number++) {
            String digits = Integer.toString(number);
            regex.append(number == low ? "" : "|")
                    .append(padded ? "0".repeat(Math.max(0, from.length() - digits.length())) : "")
                    .append(digits);
        }
        return regex.append(')').toString();
    }
}
