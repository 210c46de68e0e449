package io.pilothouse.core.figure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The last day of one database in a fixed number of bytes: each minute of the last hour, each quarter of the day. */
final class PulseRing {
    private static final int MINUTES = 60;
    private static final int QUARTERS = 96;
    private static final int MINUTES_OF_QUARTER = 15;

    private final Track hour = new Track(MINUTES);
    private final Track day = new Track(QUARTERS);

    /** Values by their time, of which the oldest make room for the newest. */
    private static final class Track {
        private final int length;
        private final Map<Vital, float[]> values = new EnumMap<>(Vital.class);
        private long latest = Long.MIN_VALUE;

        Track(int length) {
            this.length = length;
            for (Vital vital : Vital.values()) {
                values.put(vital, new float[length]);
            }
        }

        /** What no minute has been seen of is unknown. */
        void advance(long to) {
            for (long at = Math.max(latest + 1, to - length + 1); at <= to; at++) {
                for (float[] ofVital : values.values()) {
                    ofVital[slot(at)] = Float.NaN;
                }
            }
            latest = Math.max(latest, to);
        }

        void set(Vital vital, long at, float value) {
            of(vital)[slot(at)] = value;
        }

        float get(Vital vital, long at) {
            return at <= latest && latest - at < length ? of(vital)[slot(at)] : Float.NaN;
        }

        List<Double> until(Vital vital, long end) {
            List<Double> shown = new ArrayList<>(length);
            for (long at = end - length + 1; at <= end; at++) {
                shown.add((double) get(vital, at));
            }
            return shown;
        }

        private float[] of(Vital vital) {
            return Objects.requireNonNull(values.get(vital));
        }

        private int slot(long at) {
            return (int) Math.floorMod(at, (long) length);
        }
    }

    /** A minute is seen once, and no minute before the latest: a clock that was set back adds nothing. */
    void add(long minute, Pulse pulse) {
        if (minute <= hour.latest) {
            return;
        }
        hour.advance(minute);
        long quarter = minute / MINUTES_OF_QUARTER;
        day.advance(quarter);
        for (Vital vital : Vital.values()) {
            hour.set(vital, minute, pulse.value(vital));
            float[] minutes = new float[MINUTES_OF_QUARTER];
            for (int at = 0; at < minutes.length; at++) {
                minutes[at] = hour.get(vital, quarter * MINUTES_OF_QUARTER + at);
            }
            day.set(vital, quarter, vital.together(minutes));
        }
    }

    long latest() {
        return hour.latest;
    }

    List<Double> hour(Vital vital, long minute) {
        return hour.until(vital, minute);
    }

    List<Double> day(Vital vital, long minute) {
        return day.until(vital, minute / MINUTES_OF_QUARTER);
    }
}
