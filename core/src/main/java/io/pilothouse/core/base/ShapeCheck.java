package io.pilothouse.core.base;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tree by its shape: takes the fields it names, ignores the rest, fills in defaults, and reports every fault.
 * What is secret is kept apart, so that it can never be returned by mistake.
 */
public final class ShapeCheck {
    private static final Set<FieldShape.Type> LISTS =
            EnumSet.of(FieldShape.Type.TEXTS, FieldShape.Type.NUMBERS, FieldShape.Type.OBJECTS);

    private final Faults faults;

    public ShapeCheck(Faults faults) {
        this.faults = faults;
    }

    /** The shown fields and the secret ones, apart. */
    public record Parts(Tree.Members open, Tree.Members secret) {}

    /** Reads an object that is being created. */
    public Parts create(String path, List<FieldShape> shape, Tree.Members given) {
        return read(path, shape, given);
    }

    /** Reads the fields that are given only, over what is there, and refuses a new value for one that cannot change. */
    public Parts change(String path, List<FieldShape> shape, Tree.Members given, Tree.Members current) {
        Map<String, Tree> open = new LinkedHashMap<>(current.values());
        Map<String, Tree> secret = new LinkedHashMap<>();
        for (FieldShape field : shape) {
            Tree value = given.values().get(field.name());
            String at = at(path, field);
            if (value == null || value instanceof Tree.Nothing || (blank(field, value) && !field.mutable())) {
                continue;
            }
            if (field.required() && !field.secret() && value instanceof Tree.Text(String text) && text.isBlank()) {
                faults.add(at, "is required");
                continue;
            }
            Tree before = current.values().get(field.name());
            Tree next = blank(field, value) ? field.byDefault() : changed(at, field, value, before, secret);
            if (field.secret()) {
                putIfThere(secret, field.name(), next);
            } else if (!field.mutable() && field.type() != FieldShape.Type.OBJECT && !Objects.equals(next, before)) {
                faults.add(at, "cannot be changed: make another one instead");
            } else if (next == null) {
                open.remove(field.name());
            } else {
                open.put(field.name(), next);
            }
        }
        return new Parts(new Tree.Members(open), new Tree.Members(secret));
    }

    /** Checks what is given by itself, whatever it is to change: types, lengths and ranges. */
    public void alone(String path, List<FieldShape> shape, Tree.Members given) {
        for (FieldShape field : shape) {
            Tree value = given.values().get(field.name());
            if (value == null || blank(field, value)) {
                continue;
            }
            String at = at(path, field);
            if (nested(field) && value instanceof Tree.Members members) {
                alone(at, field.members(), members);
            } else {
                one(at, field, value, new LinkedHashMap<>());
            }
        }
    }

    private static String at(String path, FieldShape field) {
        return path.isEmpty() ? field.name() : path + "." + field.name();
    }

    /** Whether it means "not set": an empty list does so in the place of a list alone. */
    private static boolean blank(FieldShape field, Tree value) {
        return value.blank() && (!(value instanceof Tree.Items) || LISTS.contains(field.type()));
    }

    private static boolean nested(FieldShape field) {
        return field.type() == FieldShape.Type.OBJECT && !field.secret();
    }

    private @Nullable Tree changed(
            String at, FieldShape field, Tree value, @Nullable Tree before, Map<String, Tree> secretsAround) {
        if (!nested(field) || !(value instanceof Tree.Members members)) {
            return one(at, field, value, secretsAround);
        }
        Tree.Members around = before instanceof Tree.Members known ? known : Tree.Members.NONE;
        Parts parts = change(at, field.members(), members, around);
        putIfThere(secretsAround, field.name(), parts.secret().values().isEmpty() ? null : parts.secret());
        return parts.open();
    }

    private static void putIfThere(Map<String, Tree> values, String name, @Nullable Tree value) {
        if (value != null) {
            values.put(name, value);
        }
    }

    private Parts read(String path, List<FieldShape> shape, Tree.Members given) {
        Map<String, Tree> open = new LinkedHashMap<>();
        Map<String, Tree> secret = new LinkedHashMap<>();
        for (FieldShape field : shape) {
            Tree value = given.values().get(field.name());
            String at = at(path, field);
            boolean absent = value == null || blank(field, value);
            boolean missing = absent || (value instanceof Tree.Text(String text) && text.isBlank());
            // An object whose members have defaults is there even when it was not sent.
            Tree taken = absent && field.byDefault() instanceof Tree.Members empty ? empty : value;
            if (missing && field.required()) {
                faults.add(at, "is required");
            }
            Tree kept = taken == null || blank(field, taken) ? field.byDefault() : one(at, field, taken, secret);
            putIfThere(field.secret() ? secret : open, field.name(), kept);
        }
        return new Parts(new Tree.Members(open), new Tree.Members(secret));
    }

    private @Nullable Tree one(String at, FieldShape field, Tree value, Map<String, Tree> secretsAround) {
        return switch (field.type()) {
            case TEXT -> text(at, field, value);
            case NUMBER -> number(at, field, value);
            case MOMENT -> moment(at, field, value);
            case FLAG -> value instanceof Tree.Flag ? value : wrong(at, "must be true or false");
            case TEXTS -> texts(at, field, value);
            case NUMBERS -> numbers(at, field, value);
            case OBJECT -> object(at, field, value, secretsAround);
            case OBJECTS -> objects(at, field, value);
        };
    }

    private @Nullable Tree text(String at, FieldShape field, Tree value) {
        if (!(value instanceof Tree.Text(String text))) {
            return wrong(at, "must be a string");
        }
        if (field.rule() instanceof Rule.OfText rule) {
            rule.check(at, text, faults);
        }
        return value;
    }

    private @Nullable Tree number(String at, FieldShape field, Tree value) {
        if (!(value instanceof Tree.Figure figure)) {
            return wrong(at, "must be a number");
        }
        if (Double.isInfinite(figure.value())) {
            return wrong(at, "is too large a number");
        }
        if (field.rule() instanceof NumberRule rule) {
            rule.check(at, figure.value(), faults);
        }
        return value;
    }

    private @Nullable Tree moment(String at, FieldShape field, Tree value) {
        if (value instanceof Tree.Text(String text)) {
            FieldShape.MINUTE.check(at, text, faults);
            return value;
        }
        return value instanceof Tree.Figure ? number(at, field, value) : wrong(at, "must be a number or a string");
    }

    private @Nullable Tree texts(String at, FieldShape field, Tree value) {
        List<Tree> items = items(at, field, value);
        for (int i = 0; i < items.size(); i++) {
            String place = at + "[" + i + "]";
            if (!(items.get(i) instanceof Tree.Text(String text)) || text.isBlank()) {
                faults.add(place, "must be a string that is not blank");
            } else if (field.rule() instanceof Rule.OfText rule) {
                rule.check(place, text, faults);
            }
        }
        return value instanceof Tree.Items ? value : null;
    }

    private @Nullable Tree numbers(String at, FieldShape field, Tree value) {
        List<Tree> items = items(at, field, value);
        for (int i = 0; i < items.size(); i++) {
            number(at + "[" + i + "]", field, items.get(i));
        }
        return value instanceof Tree.Items ? value : null;
    }

    private @Nullable Tree object(String at, FieldShape field, Tree value, Map<String, Tree> secretsAround) {
        if (!(value instanceof Tree.Members members)) {
            return wrong(at, "must be an object");
        }
        Parts parts = read(at, field.members(), members);
        if (field.secret()) {
            return parts.open();
        }
        if (!parts.secret().values().isEmpty()) {
            secretsAround.put(field.name(), parts.secret());
        }
        return parts.open();
    }

    private @Nullable Tree objects(String at, FieldShape field, Tree value) {
        List<Tree> read = new ArrayList<>();
        List<Tree> items = items(at, field, value);
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i) instanceof Tree.Members members) {
                read.add(read(at + "[" + i + "]", field.members(), members).open());
            } else {
                faults.addUnreadable(at + "[" + i + "]", "must be an object");
                read.add(Tree.Members.NONE);
            }
        }
        return value instanceof Tree.Items ? new Tree.Items(read) : null;
    }

    private List<Tree> items(String at, FieldShape field, Tree value) {
        if (!(value instanceof Tree.Items(List<Tree> items))) {
            faults.add(at, "must be an array");
            return List.of();
        }
        return field.size().check(at, items.size(), faults) ? items : List.of();
    }

    private @Nullable Tree wrong(String at, String message) {
        faults.add(at, message);
        return null;
    }
}
