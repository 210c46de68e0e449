package io.pilothouse.console.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of a long result. {@code from} is how many rows come before it, and {@code before} is where the pages before it
 * began, because pages of long rows are shorter than others.
 */
public record RowPage(long from, List<Long> before) {
    public static final RowPage FIRST = new RowPage(0, List.of());

    private static final Pattern COUNT = Pattern.compile("\\d{1,15}");
    private static final Pattern COUNTS = Pattern.compile("\\d{1,15}( \\d{1,15})*+");

    public RowPage {
        before = List.copyOf(before);
    }

    /** As a form says it; what is not a page is the first one. */
    public static RowPage of(String from, String before) {
        if (!COUNT.matcher(from).matches() || !COUNTS.matcher(before).matches()) {
            return FIRST;
        }
        return new RowPage(
                Long.parseLong(from),
                Arrays.stream(before.split(" ", -1)).map(Long::parseLong).toList());
    }

    public RowPage next(int shown) {
        List<Long> all = new ArrayList<>(before);
        all.add(from);
        return new RowPage(from + shown, all);
    }

    public Optional<RowPage> previous() {
        return before.isEmpty()
                ? Optional.empty()
                : Optional.of(new RowPage(before.getLast(), before.subList(0, before.size() - 1)));
    }

    public String beforeText() {
        return before.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }
}
