package io.pilothouse.server;

import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.server.config.LocalPlaneOptions;
import java.util.List;
import java.util.Optional;

/**
 * Whether the databases of this machine are kept from its files and from each other. Where that cannot be had, they run
 * for people at this machine only: a start is refused while others can reach a listener, unless the operator insists.
 */
record DatabaseFence(boolean holds, List<String> gaps, List<String> reachable, boolean insisted) {
    /** What operators read where there are no databases. */
    static final String NOT_NEEDED = "not needed";

    /** Who insists gets a program without a fence: one may need more of the machine than a fence allows. */
    static Fences around(ClickHouse clickhouse, boolean insisted) {
        return insisted && clickhouse instanceof ClickHouse.Binary
                ? Fences.NONE
                : Fences.ofThisSystem(Thread.ofPlatform().name("fence-trial").factory());
    }

    void require() throws StartRefused {
        if (!holds && !reachable.isEmpty() && !insisted) {
            throw new StartRefused("Databases cannot be fenced in here, and other machines can reach "
                    + String.join(" and ", reachable)
                    + ". "
                    + String.join(" ", gaps)
                    + " Listen on loopback addresses only, or insist with "
                    + LocalPlaneOptions.UNFENCED_ENGINE.flag()
                    + ".");
        }
    }

    /** What the operator insisted on, as a sentence. */
    Optional<String> exposure() {
        return holds || reachable.isEmpty()
                ? Optional.empty()
                : Optional.of("Databases that are not fenced in run although other machines can reach "
                        + String.join(" and ", reachable) + " (" + LocalPlaneOptions.UNFENCED_ENGINE.flag() + ").");
    }

    /** For operators: one word, or what is not held. */
    String words() {
        return gaps.isEmpty() ? "holds" : String.join(" ", gaps);
    }
}
