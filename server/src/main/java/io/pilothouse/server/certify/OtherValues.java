package io.pilothouse.server.certify;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.List;

/** Other values that a variable might take, guessed from the one it has and from what its validation names. */
final class OtherValues {
    private static final int AT_MOST = 4;
    private static final String SUFFIX = "-2";

    private OtherValues() {}

    /**
     * The guesses, the likeliest first: what the validation lists, the other truth, a number doubled and one more or
     * less, a text with something after it. None for a list, an object or a null.
     *
     * @param allowed what the module's validation lists, as it stands there
     */
    static List<Tree> of(Tree value, List<String> allowed) {
        List<Tree> guesses = new ArrayList<>();
        switch (value) {
            case Tree.Flag flag -> guesses.add(new Tree.Flag(!flag.value()));
            case Tree.Figure figure -> {
                for (String each : allowed) {
                    if (each.matches("-?[0-9]{1,15}(\\.[0-9]{1,9})?")) {
                        guesses.add(new Tree.Figure(Double.parseDouble(each)));
                    }
                }
                if (allowed.isEmpty()) {
                    double now = figure.value();
                    guesses.addAll(
                            List.of(new Tree.Figure(now * 2), new Tree.Figure(now + 1), new Tree.Figure(now - 1)));
                }
            }
            case Tree.Text text -> {
                allowed.forEach(each -> guesses.add(new Tree.Text(each)));
                if (allowed.isEmpty() && !text.value().isBlank()) {
                    guesses.add(new Tree.Text(text.value() + SUFFIX));
                }
            }
            case Tree.Items _, Tree.Members _, Tree.Nothing _ -> {}
        }
        return guesses.stream()
                .filter(guess -> !guess.equals(value))
                .distinct()
                .limit(AT_MOST)
                .toList();
    }
}
