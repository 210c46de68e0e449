package io.pilothouse.gateway;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The addresses below a database that clients may ask for. SQL goes to {@code /} and the health check is {@code /ping};
 * all else there are pages, which a database shows to everybody without a password, so only named ones are let through.
 */
public final class GatewayPages {
    /** Whatever the database has. */
    public static final GatewayPages ALL = new GatewayPages(Set.of("all"));

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,63}");
    private static final Set<String> ALWAYS = Set.of("/", "/ping");

    private final Set<String> names;

    private GatewayPages(Set<String> names) {
        this.names = names;
    }

    /** Reads {@code none}, {@code all}, or names of pages with commas between; empty if it is none of these. */
    public static Optional<GatewayPages> parse(String text) {
        List<String> words =
                List.of(text.split(",", -1)).stream().map(String::strip).toList();
        boolean alone = words.size() == 1;
        if (alone && words.getFirst().equals("none")) {
            return Optional.of(new GatewayPages(Set.of()));
        }
        boolean proper = words.stream()
                .allMatch(word -> NAME.matcher(word).matches()
                        && (alone || !Set.of("none", "all").contains(word)));
        return proper ? Optional.of(new GatewayPages(Set.copyOf(words))) : Optional.empty();
    }

    /** Whether a request's path, as it was written, may pass: a page's own, and what lies below it. */
    boolean allow(String path) {
        if (ALWAYS.contains(path) || names.contains("all")) {
            return true;
        }
        int end = path.indexOf('/', 1);
        String first = path.substring(Math.min(1, path.length()), end < 0 ? path.length() : end);
        // The scripts of all pages are in one folder, and hold nothing of a service.
        return path.startsWith("/") && (names.contains(first) || (end > 0 && first.equals("js") && !names.isEmpty()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GatewayPages pages && pages.names.equals(names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return "GatewayPages" + names;
    }
}
