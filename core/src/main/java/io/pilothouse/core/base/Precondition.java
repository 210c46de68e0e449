package io.pilothouse.core.base;

import java.util.List;

/** What the caller believes the thing still looks like: entity tags of which one must be current, or nothing. */
public record Precondition(List<String> tags) {
    public static final Precondition NONE = new Precondition(List.of());

    public Precondition {
        tags = List.copyOf(tags);
    }

    /** Refuses when tags were given and none is the current one; {@code *} stands for any thing that exists. */
    public void require(String currentTag) {
        if (!tags.isEmpty() && !tags.contains("*") && !tags.contains(currentTag)) {
            throw new Refused(
                    Refused.Reason.PRECONDITION_FAILED, "It has changed since it was read: read it again, then retry");
        }
    }
}
