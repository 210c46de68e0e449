package io.pilothouse.core.base;

/** How many entries a list or a map may have, and whether it needs one: {@code min} is 0 or 1. */
public record SizeRule(int min, int max) implements Rule {
    public static SizeRule atMost(int max) {
        return new SizeRule(0, max);
    }

    /** Adds a fault unless there are as many entries as there may be; says whether there are. */
    public boolean check(String path, int size, Faults faults) {
        if (size < min) {
            faults.add(path, "must have at least one entry");
        } else if (size > max) {
            faults.add(path, "must have at most " + max + " entries");
        }
        return size >= min && size <= max;
    }
}
