package io.pilothouse.core.base;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The caller's belief about a thing: entity tags of which one must be current, or nothing.
 * {@code tagOf} makes the tag of a thing from the shown form of it, which is worth its price only when tags were given.
 * {@code shownAs} is that form, so that what a change made of the thing can be said as clients see it.
 */
public record Precondition<T>(List<String> tags, Function<T, String> tagOf, Function<T, Tree.Members> shownAs) {
    public Precondition {
        tags = List.copyOf(tags);
    }

    /** Holds for any thing. */
    public static <T> Precondition<T> none() {
        return new Precondition<>(List.of(), thing -> "", _ -> Tree.Members.NONE);
    }

    /** Refuses when tags were given and none is that of the thing as it is now; {@code *} stands for any that exists. */
    public void require(Supplier<T> current) {
        if (!tags.isEmpty() && !tags.contains("*") && !tags.contains(tagOf.apply(current.get()))) {
            throw new Refused(
                    Refused.Reason.PRECONDITION_FAILED, "It has changed since it was read: read it again, then retry");
        }
    }

    /** What differs between the thing before and after a change, as clients see it. */
    public List<FieldChange> changes(T before, T after) {
        return FieldChange.between(shownAs.apply(before), shownAs.apply(after));
    }

    /** All that clients saw of a thing that is deleted. */
    public List<FieldChange> gone(T before) {
        return FieldChange.between(shownAs.apply(before), Tree.Members.NONE);
    }
}
