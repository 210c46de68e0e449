package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Takes the secrets of a run out of what is shown. */
final class Masked {
    private static final int SHORTEST = 4;
    private static final String SHOWN = "(hidden)";

    private final Set<String> secrets = new LinkedHashSet<>();

    /** As it is, as JSON writes it, and where it has lines, each of these: what is shown has one line at a time. */
    void add(String secret) {
        hide(secret);
        String quoted = new String(
                JsonWriter.document(out -> TreeJson.write(out, new Tree.Text(secret))), StandardCharsets.UTF_8);
        hide(quoted.substring(1, quoted.length() - 1));
        secret.lines().map(String::strip).forEach(this::hide);
    }

    /** A text too short to be one stays: taking it out would spoil every line. */
    private void hide(String secret) {
        if (secret.length() >= SHORTEST) {
            secrets.add(secret);
        }
    }

    /** Adds all of a value that is secret as a whole. */
    void addAll(Tree value) {
        switch (value) {
            case Tree.Text text -> add(text.value());
            case Tree.Items items -> items.values().forEach(this::addAll);
            case Tree.Members members -> members.values().values().forEach(this::addAll);
            case Tree.Figure _, Tree.Flag _, Tree.Nothing _ -> {}
        }
    }

    /** Adds what the marks beside a value call secret: marks are true, or have the shape of what they mark. */
    void addMarked(Tree value, Tree marks) {
        switch (marks) {
            case Tree.Flag flag -> {
                if (flag.value()) {
                    addAll(value);
                }
            }
            case Tree.Members members -> {
                if (value instanceof Tree.Members values) {
                    members.values()
                            .forEach((name, mark) -> values.find(name).ifPresent(marked -> addMarked(marked, mark)));
                }
            }
            case Tree.Items items -> {
                if (value instanceof Tree.Items(List<Tree> values)) {
                    for (int i = 0; i < Math.min(values.size(), items.values().size()); i++) {
                        addMarked(values.get(i), items.values().get(i));
                    }
                }
            }
            case Tree.Text _, Tree.Figure _, Tree.Nothing _ -> {}
        }
    }

    String text(String shown) {
        String masked = shown;
        // The longest first: one may be a part of another.
        for (String secret : secrets.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            masked = masked.replace(secret, SHOWN);
        }
        return masked;
    }
}
