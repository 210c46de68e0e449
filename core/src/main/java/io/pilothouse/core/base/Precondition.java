package io.pilothouse.core.base;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The caller's belief about a thing: entity tags of which one must be current, or nothing.
 * {@code tagOf} makes the tag of a thing from the shown form of it, which is worth its price only when tags were given.
 */
public record Precondition<T>(List<String> tags, Function<T, String> tagOf) {
    public Precondition {
        tags = List.copyOf(tags);
    }

    /** Holds for any thing. */
    public static <T> Precondition<T> none() {
        return new Precondition<>(List.of(), thing -> "");
    }

    /** Refuses when tags were given and none is that of the thing as it is now; {@code *} stands for any that exists. */
    public void require(Supplier<T> current) {
        if (!tags.isEmpty() && !tags.contains("*") && !tags.contains(tagOf.apply(current.get()))) {
            throw new Refused(
                    Refused.Reason.PRECONDITION_FAILED, "It has changed since it was read: read it again, then retry");
        }
    }
}
