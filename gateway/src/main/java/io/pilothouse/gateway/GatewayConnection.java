package io.pilothouse.gateway;

import io.pilothouse.incoming.Seats;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One accepted client. Any thread may end it at any time (a changed access list, a limit, a shutdown) by closing its
 * socket; the thread that serves it then cleans up.
 */
final class GatewayConnection {
    private static final long NEVER = 0;
    private static final Duration PARKED_LINK = Duration.ofSeconds(1);

    private final Socket socket;
    private final InetAddress peer;
    private final GatewayProtocol protocol;
    private final GatewayRegistration registration;
    private final AtomicReference<Seats.@Nullable Seat> seat = new AtomicReference<>();
    private final AtomicReference<@Nullable GatewayLink> parked = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean busy;
    private boolean retired;
    private volatile boolean overLimit;
    private volatile boolean spoken;
    private volatile boolean closed;
    private volatile long writingSince = NEVER;
    private volatile long closeAt = NEVER;
    private volatile long quietSince = System.nanoTime();

    /** {@code peer} is the client, whatever the socket's other end may be. */
    GatewayConnection(Socket socket, InetAddress peer, GatewayProtocol protocol, GatewayRegistration registration) {
        this.socket = socket;
        this.peer = peer;
        this.protocol = protocol;
        this.registration = registration;
    }

    Socket socket() {
        return socket;
    }

    GatewayProtocol protocol() {
        return protocol;
    }

    InetAddress peer() {
        return peer;
    }

    GatewayRegistration registration() {
        return registration;
    }

    GatewayLimits limits() {
        return registration.service().limits();
    }

    boolean overLimit() {
        return overLimit;
    }

    /** There are too many of its service already: it hears so, and nothing else. */
    void isOverLimit() {
        overLimit = true;
    }

    void sit(Seats.Seat taken) {
        seat.set(taken);
    }

    void leaveSeat() {
        Seats.Seat taken = seat.getAndSet(null);
        if (taken != null) {
            taken.leave();
        }
    }

    void giveUpSeat() {
        registration.seatGivenUp();
        closeNow();
    }

    /** The client said something that only a real one says; false when its seat was given up meanwhile. */
    boolean spoke() {
        spoken = true;
        Seats.Seat taken = seat.get();
        return taken != null && taken.busy();
    }

    /** How long the client may stay silent now. */
    Duration patience() {
        return spoken ? limits().connectionIdle() : limits().firstWords();
    }

    boolean closed() {
        return closed;
    }

    /** A query begins; false when this connection may not begin another. */
    boolean begin() {
        lock.lock();
        try {
            if (closed || retired) {
                return false;
            }
            if (!busy) {
                busy = true;
                registration.queryBegins();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The query has ended; false when the connection has to end with it. */
    boolean end() {
        lock.lock();
        try {
            if (busy) {
                busy = false;
                quietSince = System.nanoTime();
                registration.queryEnds();
                Seats.Seat taken = seat.get();
                // a session of the other protocols is more than its present query
                if (protocol == GatewayProtocol.HTTPS && taken != null) {
                    taken.rests();
                }
            }
            return !retired && !closed;
        } finally {
            lock.unlock();
        }
    }

    boolean busy() {
        lock.lock();
        try {
            return busy;
        } finally {
            lock.unlock();
        }
    }

    /** How much longer the client may stay silent; the whole span again while a query is in flight. */
    Duration idleTimeLeft(long silentSince) {
        Duration whole = patience();
        long now = System.nanoTime();
        return busy() ? whole : whole.minusNanos(Math.min(now - silentSince, now - quietSince));
    }

    /** Ends the connection now if nothing is in flight, otherwise with the query that is. */
    void retire() {
        lock.lock();
        try {
            retired = true;
            if (!busy) {
                closeNow();
            }
        } finally {
            lock.unlock();
        }
    }

    void closeNow() {
        closed = true;
        GatewayLog.closeQuietly(socket);
        GatewayLink idle = parked.getAndSet(null);
        if (idle != null) {
            idle.close();
        }
    }

    /** Gives the connection this much longer to end by itself. */
    void closeWithin(Duration span) {
        closeAt = System.nanoTime() + span.toNanos() | 1;
    }

    void keepOpen() {
        closeAt = NEVER;
    }

    void writing() {
        // odd, so that it is never mistaken for NEVER
        writingSince = System.nanoTime() | 1;
    }

    void written() {
        writingSince = NEVER;
    }

    /** Keeps an idle link for the client's next request, for less time than any database keeps it. */
    void park(GatewayLink link) {
        link.park();
        GatewayLink older = parked.getAndSet(link);
        if (older != null) {
            older.close();
        }
        if (closed) {
            takeParked();
        }
    }

    @Nullable
    GatewayLink takeParked() {
        GatewayLink link = parked.getAndSet(null);
        if (link != null && (closed || link.parkedLongerThan(PARKED_LINK))) {
            link.close();
            return null;
        }
        return link;
    }

    /** Ends whatever outlived its time; called periodically. */
    void sweep(long now) {
        long began = writingSince;
        boolean stuck =
                began != NEVER && now - began > limits().connectionIdle().toNanos();
        long end = closeAt;
        boolean overdue = end != NEVER && now - end > 0;
        if (stuck || overdue) {
            closeNow();
        }
        GatewayLink link = parked.get();
        if (link != null && link.parkedLongerThan(PARKED_LINK) && parked.compareAndSet(link, null)) {
            link.close();
        }
    }
}
