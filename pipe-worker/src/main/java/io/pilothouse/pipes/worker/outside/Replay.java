package io.pilothouse.pipes.worker.outside;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.worker.outside.Trouble.DestinationAway;
import java.util.Optional;

/** The errors that a pipe has kept and is to read again, if it is: the parent hands them out. For one thread. */
public final class Replay {
    private final Link link;
    private final Destination destination;
    private boolean open;

    /** Reads rows again, and ticks off their range. */
    @FunctionalInterface
    public interface Reader {
        void read(ErrorPortion portion) throws Trouble, InterruptedException;
    }

    public Replay(Link link, Assignment assignment, Destination destination) {
        this.link = link;
        this.destination = destination;
        this.open = assignment.replay() > 0;
    }

    /** Whether there may be a portion. */
    public boolean isOpen() {
        return open;
    }

    /** One portion; whether there may be more. */
    public boolean next(Reader reader) throws Trouble, InterruptedException {
        if (!open) {
            return false;
        }
        try (Destination.Use _ = destination.use()) {
            Link.Reply reply = link.ask(About.ERRORS, Tree.Members.NONE);
            if (reply.refusal().isPresent()) {
                throw new DestinationAway(reply.refusal().get());
            }
            Optional<ErrorPortion> portion = ErrorPortion.find(reply.body());
            open = portion.isPresent();
            if (portion.isPresent()) {
                reader.read(portion.get());
            }
            return open;
        }
    }

    /** What tells a portion from every other insert into the same table. */
    public static String token(Assignment assignment, ErrorPortion portion) {
        return "replay:" + assignment.pipe() + ":" + portion.span().part() + ":"
                + portion.span().from();
    }
}
