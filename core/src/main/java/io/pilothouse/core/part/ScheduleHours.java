package io.pilothouse.core.part;

import io.pilothouse.core.base.Tree;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Which entry of a schedule holds at which hour of the week, in UTC. */
final class ScheduleHours {
    private static final int HOURS_OF_A_WEEK = 7 * 24;

    private ScheduleHours() {}

    /** The place of the first entry that covers this moment; -1 when none does. */
    static int active(List<Tree.Members> entries, Instant now) {
        ZonedDateTime time = now.atZone(ZoneOffset.UTC);
        for (int i = 0; i < entries.size(); i++) {
            if (covers(entries.get(i), time)) {
                return i;
            }
        }
        return -1;
    }

    /** The next full hour at which another entry holds than now; a week from now when the same one always does. */
    static Instant nextChange(List<Tree.Members> entries, Instant now) {
        int active = active(entries, now);
        Instant hour = now.truncatedTo(ChronoUnit.HOURS);
        for (int i = 1; i <= HOURS_OF_A_WEEK; i++) {
            Instant next = hour.plus(i, ChronoUnit.HOURS);
            if (active(entries, next) != active) {
                return next;
            }
        }
        return hour.plus(HOURS_OF_A_WEEK, ChronoUnit.HOURS);
    }

    private static boolean covers(Tree.Members entry, ZonedDateTime time) {
        int start = hour(entry, "startHourUtc");
        int end = hour(entry, "endHourUtc");
        int hour = time.getHour();
        if (start < end) {
            return isOn(entry, time.getDayOfWeek()) && start <= hour && hour < end;
        }
        // It spans midnight, so its last hours are those of the day after.
        return (isOn(entry, time.getDayOfWeek()) && hour >= start)
                || (isOn(entry, time.getDayOfWeek().minus(1)) && hour < end);
    }

    private static boolean isOn(Tree.Members entry, DayOfWeek day) {
        // Clients count the days from Sunday, which is 0.
        double wanted = day.getValue() % 7;
        return entry.items("weekdays").contains(new Tree.Figure(wanted));
    }

    private static int hour(Tree.Members entry, String name) {
        return entry.number(name).map(Double::intValue).orElse(0);
    }
}
