package io.pilothouse.core.base;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Trees out of Java's own maps, lists, texts, numbers and flags. */
public final class Trees {
    private Trees() {}

    public static Tree of(@Nullable Object value) {
        return switch (value) {
            case null -> new Tree.Nothing();
            case Tree tree -> tree;
            case String text -> new Tree.Text(text);
            case Boolean flag -> new Tree.Flag(flag);
            case Number number -> new Tree.Figure(number.doubleValue());
            case List<?> list -> new Tree.Items(list.stream().map(Trees::of).toList());
            case Map<?, ?> map -> members(map);
            default -> throw new IllegalArgumentException("No tree is made of " + value);
        };
    }

    public static Tree.Members members(Map<?, ?> map) {
        Map<String, Tree> members = new LinkedHashMap<>();
        map.forEach((name, member) -> members.put(String.valueOf(name), of(member)));
        return new Tree.Members(members);
    }

    public static Tree.Items items(Object... values) {
        return new Tree.Items(Arrays.stream(values).map(Trees::of).toList());
    }

    /** This map with one more member, or another value for one. */
    public static Map<String, Object> with(Map<String, Object> map, String name, Object value) {
        Map<String, Object> next = new LinkedHashMap<>(map);
        next.put(name, value);
        return next;
    }

    public static Map<String, Object> without(Map<String, Object> map, String name) {
        Map<String, Object> next = new LinkedHashMap<>(map);
        next.remove(name);
        return next;
    }
}
