package io.pilothouse.core.timeline;

import io.pilothouse.core.engine.Move;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.service.ServicePlan.Step;
import io.pilothouse.core.timeline.Happening.Call;
import io.pilothouse.core.timeline.Happening.What;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What this process saw of services and did with them, in memory and bounded: the latest of each service, and where all
 * of them become too much, none of the service to which nothing has happened for longest. A pass that finds everything
 * as it was leaves nothing here and allocates nothing.
 */
public final class Timeline implements ServicePass.Watch {
    static final int MAX_OF_SERVICE = 64;

    private static final int MAX_BYTES = 32 * 1024 * 1024;
    private static final int BYTES_OF_SERVICE = 400;

    private final int maxBytes;
    /** The service to which nothing has happened for longest comes first. */
    private final LinkedHashMap<UUID, Ring> rings = new LinkedHashMap<>();

    private Instant forgottenUntil;
    private int bytes;

    /** {@code begun} is when this process began to keep it. */
    public Timeline(Instant begun) {
        this(begun, MAX_BYTES);
    }

    Timeline(Instant begun, int maxBytes) {
        this.forgottenUntil = begun;
        this.maxBytes = maxBytes;
    }

    private static final class Ring {
        private static final What.Look NEVER = new What.Look(Condition.UNKNOWN, false, null);

        private final Deque<Happening> happenings = new ArrayDeque<>(4);
        private Instant since;
        private What.Look look = NEVER;
        private @Nullable UnderWay underWay;

        private Ring(Instant since) {
            this.since = since;
        }
    }

    /** A call to the plane that has not come back yet. */
    public record UnderWay(Call call, Instant since) {}

    /** What is kept of one service, newest first, and since when nothing of it is missing. */
    public record Kept(
            List<Happening> happenings,
            Instant since,
            @Nullable UnderWay underWay) {}

    @Override
    public synchronized void acting(Service service, Step step, Instant now) {
        Call call = call(step.move());
        if (call != null) {
            ring(service.id()).underWay = new UnderWay(call, now);
        }
    }

    @Override
    public synchronized void passed(Service service, Sight sight, Step step, @Nullable String fault, Instant now) {
        if (rings.get(service.id()) == null
                && step.move() instanceof Move.Settled
                && step.seen().equals(service.seen())) {
            return;
        }
        Ring ring = ring(service.id());
        Call call = call(step.move());
        boolean sameLook = ring.look.isOf(sight);
        if (!sameLook) {
            ring.look = What.Look.of(sight);
        }
        ring.underWay = null;
        // A look that fails again and again says since when it does.
        if (!sameLook || (call == null && sight.condition() == Condition.UNKNOWN)) {
            add(service.id(), ring, ring.look, now);
        }
        if (call != null) {
            add(service.id(), ring, new What.Act(call, service.wish(), sight.condition(), fault), now);
        }
    }

    /** It came to another state, or to another trouble. */
    synchronized void turned(UUID serviceId, What turn, Instant now) {
        add(serviceId, ring(serviceId), turn, now);
    }

    /** Nothing is left of it; false if nothing was. */
    synchronized boolean forget(UUID serviceId) {
        Ring ring = rings.remove(serviceId);
        if (ring != null) {
            bytes -= bytes(ring);
        }
        return ring != null;
    }

    /** Of what has these ids, nothing that happened until now counts any more, because its rows were put back or erased. */
    public synchronized void forget(Set<UUID> ids, Instant now) {
        for (UUID id : ids) {
            if (forget(id)) {
                forgottenUntil = now;
            }
        }
    }

    /** A copy of what is kept of this service. */
    public synchronized Kept of(UUID serviceId) {
        Ring ring = rings.get(serviceId);
        return ring == null
                ? new Kept(List.of(), forgottenUntil, null)
                : new Kept(new ArrayList<>(ring.happenings).reversed(), ring.since, ring.underWay);
    }

    private Ring ring(UUID serviceId) {
        Ring known = rings.get(serviceId);
        if (known != null) {
            return known;
        }
        Ring made = new Ring(forgottenUntil);
        rings.put(serviceId, made);
        bytes += BYTES_OF_SERVICE;
        return made;
    }

    private void add(UUID serviceId, Ring ring, What what, Instant now) {
        Happening alike = takeAlike(ring, what);
        Happening happening = alike == null ? Happening.once(now, what) : alike.again(now);
        ring.happenings.addLast(happening);
        bytes += happening.bytes();
        if (ring.happenings.size() > MAX_OF_SERVICE) {
            Happening oldest = ring.happenings.removeFirst();
            ring.since = oldest.until();
            bytes -= oldest.bytes();
        }
        rings.putLast(serviceId, ring);
        forgetTheOldest();
    }

    /** Takes out the same that happened before, unless something else was seen or done since; a state says nothing new. */
    private @Nullable Happening takeAlike(Ring ring, What what) {
        Iterator<Happening> backwards = ring.happenings.descendingIterator();
        while (backwards.hasNext()) {
            Happening earlier = backwards.next();
            if (earlier.what().equals(what)) {
                backwards.remove();
                bytes -= earlier.bytes();
                return earlier;
            }
            if (!(earlier.what() instanceof What.Turn) || what instanceof What.Turn) {
                return null;
            }
        }
        return null;
    }

    private void forgetTheOldest() {
        while (bytes > maxBytes && rings.size() > 1) {
            Map.Entry<UUID, Ring> oldest = Objects.requireNonNull(rings.pollFirstEntry());
            bytes -= bytes(oldest.getValue());
            Happening last = oldest.getValue().happenings.peekLast();
            forgottenUntil = last == null ? forgottenUntil : last.until();
        }
    }

    private static int bytes(Ring ring) {
        return BYTES_OF_SERVICE
                + ring.happenings.stream().mapToInt(Happening::bytes).sum();
    }

    private static @Nullable Call call(Move move) {
        return switch (move) {
            case Move.Start _ -> Call.START;
            case Move.Stop _ -> Call.STOP;
            case Move.Erase _ -> Call.ERASE;
            case Move.Wait _ -> null;
            case Move.BackOff _ -> null;
            case Move.Settled _ -> null;
            case Move.Gone _ -> null;
        };
    }
}
