package io.pilothouse.core.engine;

import io.pilothouse.core.port.PlaneFault;
import java.time.Instant;

/** The action of a pass that has decided; {@link Comeback} knows for each how soon the next look is. */
public sealed interface Next {
    /** Something that happens outside and may be done again. */
    @FunctionalInterface
    interface Effect {
        void happen() throws PlaneFault;
    }

    /** Have something done whose outcome a later look shows: soon at first, ever later while it has to be done again. */
    record Do(Effect effect) implements Next {}

    /** Have something done that leaves nothing to look after: the next pass follows soon. */
    record Complete(Effect effect) implements Next {}

    /** Nothing can be done now, for this reason: ever later. */
    record BackOff(String why) implements Next {}

    /** Nothing has to be done outside: look again then. */
    record Wait(Instant until) implements Next {}

    /** It has been as wanted since then: the longer, the later the next look. */
    record Nap(Instant since) implements Next {}

    /** It is as wanted until then. */
    record NapUntil(Instant until) implements Next {}

    /** Nothing is left of it: its task ends. */
    record Gone() implements Next {}
}
