package io.pilothouse.console;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.service.Service;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The services that somebody wants to see; {@code after} is the place where the search before ended, and {@code skip}
 * how many of what is found from there on earlier pages have shown.
 */
record FleetQuery(String name, String state, Sort sort, String after, int skip) {
    /** The order of the services that one search finds. */
    enum Sort {
        CREATED,
        NAME,
        STATE,
        MEMORY;

        Comparator<Service> order() {
            return switch (this) {
                case CREATED -> Comparator.comparing(Service::createdAt);
                case NAME -> Comparator.comparing(service -> service.name().toLowerCase(Locale.ROOT));
                case STATE -> Comparator.comparing(Service::state);
                case MEMORY ->
                    Comparator.comparingInt(service -> -service.scalingNow().maxReplicaMemoryGb());
            };
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static Sort of(String word) {
            for (Sort sort : values()) {
                if (sort.word().equals(word)) {
                    return sort;
                }
            }
            return CREATED;
        }
    }

    static FleetQuery of(Fields query) {
        return new FleetQuery(
                query.text("name"),
                query.text("state"),
                Sort.of(query.text("sort")),
                query.text("after"),
                number(query.text("skip")));
    }

    /** What is no number skips nothing. */
    private static int number(String text) {
        return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 0;
    }

    /** Whether a search looks at more than it shows. */
    boolean searches() {
        return filters() || sort != Sort.CREATED;
    }

    boolean filters() {
        return !name.isEmpty() || !state.isEmpty();
    }

    boolean matches(Service service) {
        return (state.isEmpty() || service.state().word().equals(state))
                && service.name().toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
    }

    /** This query from its beginning, as an address ends with it. */
    String begun() {
        return text("", 0);
    }

    /** The page of the same search that comes after as many. */
    String skipping(int next) {
        return text(after, next);
    }

    private String text(String from, int skipped) {
        StringJoiner text = new StringJoiner("&", "?", "").setEmptyValue("");
        add(text, "name", name);
        add(text, "state", state);
        add(text, "sort", sort == Sort.CREATED ? "" : sort.word());
        add(text, "after", from);
        add(text, "skip", skipped == 0 ? "" : Integer.toString(skipped));
        return text.toString();
    }

    private static void add(StringJoiner text, String field, String value) {
        if (!value.isEmpty()) {
            text.add(field + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }

    /** This query from where a page ended. */
    String text(Table.Cursor from) {
        return text(from.createdAt() + "_" + from.id(), 0);
    }

    Table.@Nullable Cursor cursor() {
        if (after.isEmpty()) {
            return null;
        }
        Table.Cursor place = place(after);
        if (place == null) {
            throw Refused.badRequest("after", "is no place in the list: begin again");
        }
        return place;
    }

    private static Table.@Nullable Cursor place(String text) {
        int bar = text.indexOf('_');
        try {
            return new Table.Cursor(
                    Instant.parse(text.substring(0, Math.max(0, bar))), UUID.fromString(text.substring(bar + 1)));
        } catch (DateTimeException | IllegalArgumentException notAPlace) {
            return null;
        }
    }
}
