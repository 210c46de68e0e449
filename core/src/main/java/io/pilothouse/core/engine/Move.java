package io.pilothouse.core.engine;

import java.time.Instant;

/** The one thing that a pass does next; whatever it is may be done again, because a pass can die before it is recorded. */
public sealed interface Move {
    /** Make it run as wanted. */
    record Start() implements Move {}

    /** Make it stop and keep its data. */
    record Stop() implements Move {}

    /** Remove everything it ever had. */
    record Erase() implements Move {}

    /** The wish is under way: look again then. */
    record Wait(Instant until) implements Move {}

    /** Nothing can be done now, for this reason: come back, later each time. */
    record BackOff(String why) implements Move {}

    /** It is as wanted. */
    record Settled() implements Move {}

    /** It was to be deleted and nothing is left of it: its row may be deleted too. */
    record Gone() implements Move {}
}
