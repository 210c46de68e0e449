package io.pilothouse.core.timeline;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.timeline.Happening.What;
import java.util.Locale;

/** What the engine saw and did, as a person says it. */
public final class TimelineWords {
    private TimelineWords() {}

    /** Whether somebody asked for it, or the engine wrote it down for good; use of a service asks for its waking. */
    public static String kind(Activity activity) {
        boolean asked =
                !activity.actorType().equals("system") || activity.type().equals("service_awaken");
        return asked ? "wish" : "activity";
    }

    /** What kind of thing happened. */
    public static String kind(What what) {
        return switch (what) {
            case What.Look _ -> "look";
            case What.Act _ -> "move";
            case What.Turn _ -> "state";
        };
    }

    /** The one word for it: what was seen, which move was made, which state it came to. */
    public static String word(What what) {
        return switch (what) {
            case What.Look look -> look.condition().name().toLowerCase(Locale.ROOT);
            case What.Act act -> act.call().word();
            case What.Turn turn -> turn.after().word();
        };
    }

    /** The reason for it, or what it means, without what anybody wrote about it. */
    public static String reason(What what) {
        return switch (what) {
            case What.Look look ->
                look.condition() == Condition.UNKNOWN
                        ? "It could not be looked at"
                        : "The plane showed that "
                                + shown(look.condition(), look.fits() ? " as wanted" : ", but not as wanted");
            case What.Act act ->
                wanted(act.wish()) + ", and " + shown(act.seen(), act.wish() == Wish.RUN ? ", but not as wanted" : "");
            case What.Turn turn ->
                turn.before() == turn.after()
                        ? "It stays " + turn.after().word()
                        : "It was " + turn.before().word() + " before";
        };
    }

    private static String wanted(Wish wish) {
        return switch (wish) {
            case RUN -> "It is to run";
            case SLEEP -> "It is to sleep";
            case STOP -> "It is to stop";
            case DELETE -> "It is to be deleted";
        };
    }

    private static String shown(Condition condition, String running) {
        return switch (condition) {
            case UNKNOWN -> "it could not be looked at";
            case ABSENT -> "nothing of it was there";
            case LOST -> "its data was not where it had been";
            case STARTING -> "it was starting";
            case RUNNING -> "it was running" + running;
            case STOPPING -> "it was stopping";
            case STOPPED -> "it was stopped";
            case BROKEN -> "it had broken down";
        };
    }
}
