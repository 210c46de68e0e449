package io.pilothouse.core.host;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * One machine with databases, written by the process that runs them. It is gone once it was not {@code seenAt} for as
 * long as a lease lasts, and {@code missed} once another process has said so in the rows of its services.
 */
public record Host(
        Head head,
        String name,
        String address,
        Room room,
        Instant since,
        Instant seenAt,
        boolean draining,
        boolean missed)
        implements Stored {
    public static final Kind<Host> KIND = new Kind<>("hosts", Host.class);

    /** How many databases its memory holds at once, and the ports that its services may have, both ends included. */
    public record Room(long databases, int firstPort, int lastPort) {
        boolean mayHave(int port) {
            return firstPort <= port && port <= lastPort;
        }
    }

    /** What its services say of where they are. */
    public Service.Host ofService() {
        return new Service.Host(id(), address);
    }

    /** The same of a service that is on it, and may be leaving it. */
    public Service.Host of(Service service) {
        return new Service.Host(id(), address, id().equals(service.hostId()) ? service.departure() : null);
    }

    public boolean isGone(Instant now) {
        return now.isAfter(seenAt.plus(DispatchLimits.SHARED.lease()));
    }

    /** Why nothing happens to its services while it is gone, a sentence for people. */
    public String absence() {
        return "Its host " + name + " is gone since " + seenAt.truncatedTo(ChronoUnit.SECONDS)
                + ". It has the data, so nothing is started elsewhere: start the host again.";
    }

    /** The same machine as it describes itself now, seen at this moment. */
    Host seen(Host itself, Instant now) {
        return new Host(head, itself.name, itself.address, itself.room, itself.since, now, draining, false);
    }

    Host asMissed() {
        return new Host(head, name, address, room, since, seenAt, draining, true);
    }

    /** Whether new services are kept away from it. */
    public Host drained(boolean next) {
        return new Host(head, name, address, room, since, seenAt, next, missed);
    }
}
