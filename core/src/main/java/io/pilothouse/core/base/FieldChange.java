package io.pilothouse.core.base;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field that a change made another, as clients see it: its path, with dots between the names, and its value before
 * and after; null where it was not shown. Of a list there are the items that differ, or all where only their order
 * does.
 */
public record FieldChange(
        String path, @Nullable Tree before, @Nullable Tree after) {
    static final int MAX_FIELDS = 50;
    static final int MAX_LENGTH = 500;
    static final String CUT = "…";
    private static final Tree BLANKED = new Tree.Text("***");
    private static final Pattern SECRET =
            Pattern.compile("password|secret|token|credential|private_?key|access_?key|account_?key|account_?file"
                    + "|connection_?string|authorization|header|hash");
    /** A login within an address, as in {@code mongodb://reader:password@host}; the first colon ends the name. */
    private static final Pattern LOGIN = Pattern.compile("://[^/?#\\s@:]*+:[^/?#\\s]*@");
    /** The line has it as its subject. */
    private static final String OWN_ID = "id";

    private static final Set<String> OF_NO_INTEREST = Set.of("updatedat", "updated_at");

    /** What differs; the first {@link #MAX_FIELDS} fields, and one more that says how many are left out. */
    public static List<FieldChange> between(Tree.Members before, Tree.Members after) {
        List<FieldChange> found = new ArrayList<>();
        compare("", before, after, found);
        if (found.size() <= MAX_FIELDS) {
            return List.copyOf(found);
        }
        List<FieldChange> first = new ArrayList<>(found.subList(0, MAX_FIELDS));
        first.add(new FieldChange(CUT, null, more(found.size() - MAX_FIELDS)));
        return List.copyOf(first);
    }

    /** What is said of a thing that is new: the rest of it shows until a change says what it was before. */
    public static List<FieldChange> made(String field, String value) {
        return List.of(new FieldChange(field, null, kept(new Tree.Text(value))));
    }

    /** What is said of a thing that goes with another one. */
    public static List<FieldChange> gone(String field, String value) {
        return List.of(new FieldChange(field, kept(new Tree.Text(value)), null));
    }

    /** The same without what must not be shown to those who may read the thing. */
    public static Tree.Members withoutSecrets(Tree.Members shown) {
        return (Tree.Members) blanked(shown);
    }

    /** Whether there is an address in it with a password. */
    public static boolean hasLogin(String text) {
        return LOGIN.matcher(text).find();
    }

    private static void compare(String path, Tree.Members before, Tree.Members after, List<FieldChange> found) {
        Set<String> names = new LinkedHashSet<>(before.values().keySet());
        names.addAll(after.values().keySet());
        for (String name : names) {
            Tree was = before.values().get(name);
            Tree is = after.values().get(name);
            if (!Objects.equals(was, is)) {
                compare(path.isEmpty() ? name : path + "." + name, name.toLowerCase(Locale.ROOT), was, is, found);
            }
        }
    }

    private static void compare(
            String path, String name, @Nullable Tree was, @Nullable Tree is, List<FieldChange> found) {
        if (OF_NO_INTEREST.contains(name) || path.equals(OWN_ID)) {
            return;
        }
        if (isSecret(name)) {
            found.add(new FieldChange(path, was == null ? null : BLANKED, is == null ? null : BLANKED));
        } else if (was instanceof Tree.Members || is instanceof Tree.Members) {
            compare(path, members(was), members(is), found);
        } else if (was instanceof Tree.Items one && is instanceof Tree.Items other) {
            Tree.Items gone = without(one, other);
            Tree.Items come = without(other, one);
            boolean sameItems = gone.blank() && come.blank();
            found.add(new FieldChange(path, kept(sameItems ? one : gone), kept(sameItems ? other : come)));
        } else {
            found.add(new FieldChange(path, kept(was), kept(is)));
        }
    }

    private static Tree.Members members(@Nullable Tree value) {
        return value instanceof Tree.Members members ? members : Tree.Members.NONE;
    }

    /** By hash, as access lists may be long. */
    private static Tree.Items without(Tree.Items some, Tree.Items others) {
        Set<Tree> there = new HashSet<>(others.values());
        return new Tree.Items(
                some.values().stream().filter(item -> !there.contains(item)).toList());
    }

    private static @Nullable Tree kept(@Nullable Tree value) {
        if (value instanceof Tree.Items items) {
            return first(items.values());
        }
        return value instanceof Tree.Text(String text) && text.length() > MAX_LENGTH
                ? new Tree.Text(cut(text) + CUT)
                : value;
    }

    /** No half of a pair of characters stays. */
    private static String cut(String text) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH);
    }

    /** As many items as there is room for, and how many are left out. */
    private static Tree first(List<Tree> items) {
        List<Tree> first = new ArrayList<>();
        int length = 0;
        for (Tree item : items) {
            Tree shown = blanked(item);
            length += length(shown);
            if (length > MAX_LENGTH) {
                first.add(more(items.size() - first.size()));
                break;
            }
            first.add(shown);
        }
        return new Tree.Items(first);
    }

    private static int length(Tree value) {
        return switch (value) {
            case Tree.Text(String text) -> text.length();
            case Tree.Members members ->
                members.values().entrySet().stream()
                        .mapToInt(each -> each.getKey().length() + length(each.getValue()))
                        .sum();
            case Tree.Items items ->
                items.values().stream().mapToInt(FieldChange::length).sum();
            case Tree.Figure _ -> 1;
            case Tree.Flag _ -> 1;
            case Tree.Nothing _ -> 1;
        };
    }

    private static Tree more(int number) {
        return new Tree.Text(CUT + " " + number + " more");
    }

    private static boolean isSecret(String name) {
        return SECRET.matcher(name).find();
    }

    private static Tree blanked(Tree value) {
        return switch (value) {
            case Tree.Members members -> {
                Map<String, Tree> values = new LinkedHashMap<>();
                members.values()
                        .forEach((name, each) ->
                                values.put(name, isSecret(name.toLowerCase(Locale.ROOT)) ? BLANKED : blanked(each)));
                yield new Tree.Members(values);
            }
            case Tree.Items items ->
                new Tree.Items(items.values().stream().map(FieldChange::blanked).toList());
            case Tree.Text(String text) -> hasLogin(text) ? BLANKED : value;
            case Tree.Figure _ -> value;
            case Tree.Flag _ -> value;
            case Tree.Nothing _ -> value;
        };
    }
}
