package io.pilothouse.http.wire;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.NumberRule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a query, read strictly; faults are collected under their names. */
public final class Query {
    private static final int DATE_LENGTH = "2026-12-31".length();
    private static final int MAX_YEAR = 9_999;

    private final List<String> names = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final Faults faults;

    Query(String raw, Faults faults) {
        this.faults = faults;
        if (raw.isEmpty()) {
            return;
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = PercentText.decode(equals < 0 ? pair : pair.substring(0, equals), true);
            String value = PercentText.decode(equals < 0 ? "" : pair.substring(equals + 1), true);
            if (name == null || value == null) {
                faults.add(name == null ? "" : name, "must be percent-encoded UTF-8");
            } else {
                names.add(name);
                values.add(value);
            }
        }
    }

    /** Every value of a parameter that may be repeated. */
    public List<String> all(String name) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    /** The value of a parameter that is given once at most; null when it is absent. */
    @Nullable
    public String text(String name) {
        return single(name);
    }

    /** An integer that keeps the rule; the default when it is absent or invalid. */
    public int whole(String name, NumberRule rule, int defaultValue) {
        String text = single(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            int number = Integer.parseInt(text);
            if (rule.breach(number).isEmpty() && Character.isDigit(text.charAt(0))) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below, like a number out of bounds.
        }
        int min = (int) rule.min();
        int max = (int) rule.max();
        faults.add(
                name,
                max == Integer.MAX_VALUE
                        ? "must be a whole number of at least " + min
                        : "must be a whole number from " + min + " to " + max);
        return defaultValue;
    }

    /** The moment with which a period begins; a date is its day's first. Null when it is absent or invalid. */
    @Nullable
    public Instant beginning(String name) {
        return moment(name, 0);
    }

    /** The moment before which a period ends; a date's whole day is in it. Null when it is absent or invalid. */
    @Nullable
    public Instant end(String name) {
        return moment(name, 1);
    }

    private @Nullable Instant moment(String name, int daysLater) {
        String text = single(name);
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return text.length() == DATE_LENGTH
                    ? LocalDate.parse(text)
                            .plusDays(daysLater)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notAMoment) {
            faults.add(name, "must be a date, or an RFC 3339 date-time with a zone");
            return null;
        }
    }

    /** A day; null when it is absent or invalid. */
    @Nullable
    public LocalDate date(String name) {
        String text = single(name);
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            LocalDate day = LocalDate.parse(text);
            if (day.getYear() >= 0 && day.getYear() <= MAX_YEAR) {
                return day;
            }
        } catch (DateTimeException notADay) {
            // Reported below, like a day beyond all that is kept.
        }
        faults.add(name, "must be a date such as 2026-12-31");
        return null;
    }

    /** Whether a switch is on; the default when it is absent. */
    public boolean flag(String name, boolean defaultValue) {
        String text = single(name);
        if (text != null && !text.equals("true") && !text.equals("false")) {
            faults.add(name, "must be true or false");
        }
        return text == null ? defaultValue : text.equals("true");
    }

    private @Nullable String single(String name) {
        List<String> found = all(name);
        if (found.size() > 1) {
            faults.add(name, "must be given once");
        }
        return found.isEmpty() ? null : found.getFirst();
    }
}
