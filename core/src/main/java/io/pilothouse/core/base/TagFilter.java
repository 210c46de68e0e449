package io.pilothouse.core.base;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One {@code filter=tag:K} or {@code filter=tag:K=V} of a list; several must all hold. */
public record TagFilter(String key, @Nullable String value) {
    private static final String PREFIX = "tag:";

    /** Reads the query's filters; one of another shape is a fault, because ignoring it would answer too much. */
    public static List<TagFilter> read(List<String> filters, Faults faults) {
        return filters.stream().map(filter -> read(filter, faults)).toList();
    }

    private static TagFilter read(String filter, Faults faults) {
        String rest = filter.startsWith(PREFIX) ? filter.substring(PREFIX.length()) : "";
        int equals = rest.indexOf('=');
        String key = equals < 0 ? rest : rest.substring(0, equals);
        if (key.isEmpty()) {
            faults.add("filter", "must be tag:<key> or tag:<key>=<value>");
        }
        return new TagFilter(key, equals < 0 ? null : rest.substring(equals + 1));
    }

    public boolean matches(List<Tag> tags) {
        return tags.stream()
                .anyMatch(tag -> tag.key().equals(key)
                        && (value == null || value.equals(tag.value() == null ? "" : tag.value())));
    }
}
