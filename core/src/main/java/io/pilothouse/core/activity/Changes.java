package io.pilothouse.core.activity;

import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.right.Permission;
import java.util.List;

/** What a change made of a thing, and the right that it takes to be shown it. */
public record Changes(Permission right, List<FieldChange> fields) {
    public Changes {
        fields = List.copyOf(fields);
    }
}
