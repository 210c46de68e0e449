package io.pilothouse.core.timeline;

import io.pilothouse.core.engine.Move;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePlan.Step;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Services and what passes see of them, for the tests of timelines. */
final class Scene {
    /** The moment of the wish, and of what was seen first. */
    static final Instant WISHED = Given.NOON;

    private Scene() {}

    static Instant after(long seconds) {
        return WISHED.plusSeconds(seconds);
    }

    static Service service(Wish wish, Condition seen, boolean everRan, @Nullable String trouble) {
        return Given.service().withWish(wish, WISHED).withSeen(new Seen(seen, everRan, "25.8", trouble, WISHED));
    }

    static Service service(Wish wish, Condition seen) {
        return service(wish, seen, true, null);
    }

    static Sight sight(Condition condition) {
        return new Sight(condition, true, null, null);
    }

    static Sight saying(Condition condition, String fault) {
        return new Sight(condition, false, null, fault);
    }

    /** A step that leaves the row of this service as it is. */
    static Step step(Service service, Move move) {
        return new Step(move, service.seen(), Instant.MAX, 0, null);
    }
}
