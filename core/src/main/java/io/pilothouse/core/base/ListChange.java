package io.pilothouse.core.base;

import java.util.List;

/** What the contract's {@code {add, remove}} pairs ask for; remove always happens first. */
public record ListChange<T>(List<T> add, List<T> remove) {
    public ListChange {
        add = List.copyOf(add);
        remove = List.copyOf(remove);
    }
}
