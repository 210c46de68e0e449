package io.pilothouse.core.base;

import java.util.List;

/** A change by the contract's {@code {add, remove}} pairs; remove always happens first. */
public record ListChange<T>(List<T> add, List<T> remove) {
    public ListChange {
        add = List.copyOf(add);
        remove = List.copyOf(remove);
    }
}
