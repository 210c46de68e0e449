package io.pilothouse.core.base;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of an object that is kept as a tree: its type and its limit as data. {@code secret} fields go to the vault
 * and are never returned; a field that is not {@code mutable} keeps the value it was created with.
 */
public record FieldShape(
        String name,
        Type type,
        @Nullable Rule rule,
        List<FieldShape> members,
        @Nullable Tree byDefault,
        boolean required,
        boolean secret,
        boolean mutable) {

    /** No text of a source or a destination is longer than a certificate chain. */
    private static final TextRule TEXT = TextRule.any(65_536);

    /** A moment as text. */
    public static final PatternRule MINUTE =
            PatternRule.of("([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})?", "must be YYYY-MM-DDTHH:MM, in UTC");

    /** Of every list, whatever is in it. */
    public static final SizeRule LIST = SizeRule.atMost(10_000);

    /** The type of a field. */
    public enum Type {
        TEXT,
        NUMBER,
        MOMENT,
        FLAG,
        TEXTS,
        NUMBERS,
        OBJECT,
        OBJECTS
    }

    public static FieldShape text(String name) {
        return new FieldShape(name, Type.TEXT, TEXT, List.of(), null, false, false, false);
    }

    public static FieldShape text(String name, TextRule rule) {
        return new FieldShape(name, Type.TEXT, rule, List.of(), null, false, false, false);
    }

    public static FieldShape word(String name, String... words) {
        return word(name, WordRule.of(words));
    }

    public static FieldShape word(String name, WordRule words) {
        return new FieldShape(name, Type.TEXT, words, List.of(), null, false, false, false);
    }

    /** A text of one form, such as a URL. */
    public static FieldShape form(String name, PatternRule form) {
        return new FieldShape(name, Type.TEXT, form, List.of(), null, false, false, false);
    }

    public static FieldShape number(String name, NumberRule rule) {
        return new FieldShape(name, Type.NUMBER, rule, List.of(), null, false, false, false);
    }

    /** Seconds since 1970 within these bounds, or a {@link #MINUTE}; kept as it was given. */
    public static FieldShape moment(String name, NumberRule seconds) {
        return new FieldShape(name, Type.MOMENT, seconds, List.of(), null, false, false, false);
    }

    public static FieldShape flag(String name) {
        return new FieldShape(name, Type.FLAG, null, List.of(), new Tree.Flag(false), false, false, false);
    }

    public static FieldShape texts(String name) {
        return new FieldShape(name, Type.TEXTS, null, List.of(), new Tree.Items(List.of()), false, false, false);
    }

    /** A list of texts, each of which keeps the rule. */
    public static FieldShape texts(String name, Rule.OfText rule) {
        return new FieldShape(name, Type.TEXTS, rule, List.of(), new Tree.Items(List.of()), false, false, false);
    }

    /** A list of numbers, each of which keeps the rule. */
    public static FieldShape numbers(String name, NumberRule rule) {
        return new FieldShape(name, Type.NUMBERS, rule, List.of(), new Tree.Items(List.of()), false, false, false);
    }

    public static FieldShape object(String name, FieldShape... members) {
        return new FieldShape(name, Type.OBJECT, null, List.of(members), null, false, false, false);
    }

    public static FieldShape objects(String name, FieldShape... members) {
        return new FieldShape(
                name, Type.OBJECTS, null, List.of(members), new Tree.Items(List.of()), false, false, false);
    }

    /** A list of objects that has a ceiling of its own. */
    public static FieldShape objects(String name, SizeRule size, FieldShape... members) {
        return new FieldShape(
                name, Type.OBJECTS, size, List.of(members), new Tree.Items(List.of()), false, false, false);
    }

    /** How long a list may be. */
    public SizeRule size() {
        return rule instanceof SizeRule own ? own : LIST;
    }

    public FieldShape needed() {
        return new FieldShape(name, type, rule, members, byDefault, true, secret, mutable);
    }

    public FieldShape hidden() {
        return new FieldShape(name, type, rule, members, null, required, true, mutable);
    }

    public FieldShape changeable() {
        return new FieldShape(name, type, rule, members, byDefault, required, secret, true);
    }

    /** It is there only when it was given, whatever its type. */
    public FieldShape orAbsent() {
        return new FieldShape(name, type, rule, members, null, required, secret, mutable);
    }

    public FieldShape orElse(Tree value) {
        return new FieldShape(name, type, rule, members, value, required, secret, mutable);
    }

    public FieldShape orElse(String value) {
        return orElse(new Tree.Text(value));
    }

    public FieldShape orElse(double value) {
        return orElse(new Tree.Figure(value));
    }
}
