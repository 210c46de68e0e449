package io.pilothouse.core.base;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of an object that is kept as a tree: its type and limits as data. {@code secret} fields go to the vault and
 * are never returned; a field that is not {@code mutable} keeps the value it was created with.
 */
public record FieldShape(
        String name,
        Type type,
        List<String> words,
        @Nullable NumberRule rule,
        List<FieldShape> members,
        @Nullable Tree byDefault,
        boolean required,
        boolean secret,
        boolean mutable) {

    /** The type of a field. */
    public enum Type {
        TEXT,
        NUMBER,
        FLAG,
        TEXTS,
        OBJECT,
        OBJECTS
    }

    public static FieldShape text(String name) {
        return new FieldShape(name, Type.TEXT, List.of(), null, List.of(), null, false, false, false);
    }

    public static FieldShape word(String name, String... words) {
        return new FieldShape(name, Type.TEXT, List.of(words), null, List.of(), null, false, false, false);
    }

    public static FieldShape number(String name, NumberRule rule) {
        return new FieldShape(name, Type.NUMBER, List.of(), rule, List.of(), null, false, false, false);
    }

    public static FieldShape flag(String name) {
        return new FieldShape(name, Type.FLAG, List.of(), null, List.of(), new Tree.Flag(false), false, false, false);
    }

    public static FieldShape texts(String name) {
        return new FieldShape(
                name, Type.TEXTS, List.of(), null, List.of(), new Tree.Items(List.of()), false, false, false);
    }

    public static FieldShape object(String name, FieldShape... members) {
        return new FieldShape(name, Type.OBJECT, List.of(), null, List.of(members), null, false, false, false);
    }

    public static FieldShape objects(String name, FieldShape... members) {
        return new FieldShape(
                name, Type.OBJECTS, List.of(), null, List.of(members), new Tree.Items(List.of()), false, false, false);
    }

    public FieldShape needed() {
        return new FieldShape(name, type, words, rule, members, byDefault, true, secret, mutable);
    }

    public FieldShape hidden() {
        return new FieldShape(name, type, words, rule, members, null, required, true, mutable);
    }

    public FieldShape changeable() {
        return new FieldShape(name, type, words, rule, members, byDefault, required, secret, true);
    }

    public FieldShape orElse(Tree value) {
        return new FieldShape(name, type, words, rule, members, value, required, secret, mutable);
    }

    public FieldShape orElse(String value) {
        return orElse(new Tree.Text(value));
    }

    public FieldShape orElse(double value) {
        return orElse(new Tree.Figure(value));
    }
}
