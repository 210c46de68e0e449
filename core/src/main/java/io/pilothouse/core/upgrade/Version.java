package io.pilothouse.core.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version of ClickHouse by its name: numbers, of which the first is a year; one without numbers is not known. */
record Version(String name) implements Comparable<Version> {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    /** Number by number, so that 25.10 is newer than 25.9. */
    @Override
    public int compareTo(Version other) {
        List<Long> left = numbers();
        List<Long> right = other.numbers();
        for (int at = 0; at < Math.max(left.size(), right.size()); at++) {
            int order = Long.compare(at < left.size() ? left.get(at) : 0, at < right.size() ? right.get(at) : 0);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    boolean isNewerThan(Version other) {
        return compareTo(other) > 0;
    }

    /**
     * Whether it opens what the other has written: a newer one always, an older one within a year of versions. Where one
     * of them is not known, somebody has named it by hand and answers for it.
     */
    boolean opensDataOf(Version writer) {
        List<Long> own = numbers();
        List<Long> others = writer.numbers();
        return own.isEmpty()
                || others.isEmpty()
                || !writer.isNewerThan(this)
                || own.getFirst().equals(others.getFirst());
    }

    private List<Long> numbers() {
        List<Long> found = new ArrayList<>();
        Matcher matcher = NUMBER.matcher(name);
        while (matcher.find()) {
            found.add(Long.valueOf(matcher.group()));
        }
        return found;
    }
}
