package io.pilothouse.gateway;

import io.pilothouse.core.port.Clock;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.Origin;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.Seats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One service as the gateway serves it: its settings, its connections, and how busy they are. */
final class GatewayRegistration {
    /** Clients beyond the limit that still get a sentence instead of a closed socket. */
    private static final int REFUSED_POLITELY = 64;

    private final Clock clock;
    private final Seats seats;
    private final GatewaySettings settings;
    private final Semaphore politely = new Semaphore(REFUSED_POLITELY);
    private final GatewayWake wake = new GatewayWake();
    private final Set<GatewayConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger openCount = new AtomicInteger();
    private final AtomicInteger queries = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition emptied = lock.newCondition();
    private volatile GatewayService service;
    private volatile Instant lastActivity;
    private volatile boolean retired;

    GatewayRegistration(GatewayService service, Seats seats, GatewaySettings settings, Clock clock) {
        this.service = service;
        this.seats = seats;
        this.settings = settings;
        this.clock = clock;
        this.lastActivity = clock.now();
    }

    GatewayService service() {
        return service;
    }

    /** When this returns, no client outside the new list is connected. */
    void replace(GatewayService next) {
        service = next;
        for (GatewayConnection connection : open) {
            if (!next.accessList().allows(connection.peer())) {
                connection.closeNow();
            }
        }
    }

    /** Admits a client that the list allows; others get no word from its database. */
    Optional<GatewayConnection> admit(Socket socket, InetAddress client, GatewayProtocol protocol) {
        if (retired || !service.accessList().allows(client)) {
            refused.increment();
            return Optional.empty();
        }
        GatewayConnection connection = new GatewayConnection(socket, client, protocol, this);
        if (!seat(connection)) {
            refused.increment();
            return Optional.empty();
        }
        openCount.incrementAndGet();
        // registered first, then checked again: a list that changes in between closes it either way
        open.add(connection);
        if (retired || !service.accessList().allows(connection.peer())) {
            leave(connection);
            refused.increment();
            return Optional.empty();
        }
        accepted.increment();
        if (connection.overLimit()) {
            refused.increment();
        }
        return Optional.of(connection);
    }

    /** The service's limit is a share of its own; a few clients beyond it get a seat to hear so. */
    private boolean seat(GatewayConnection connection) {
        List<Seats.Party> parties = List.of(seats.party(Origin.of(connection.peer())), seats.party(service.ownerId()));
        Seats.Party itself = new Seats.Party(service.id(), service.limits().connections());
        List<Seats.Party> all = new ArrayList<>(parties);
        all.add(itself);
        Optional<Seats.Seat> seat = seats.take(all, connection::giveUpSeat);
        if (seat.isEmpty() && politely.tryAcquire()) {
            seat = seats.take(parties, connection::giveUpSeat);
            if (seat.isEmpty()) {
                politely.release();
            } else {
                connection.isOverLimit();
            }
        }
        seat.ifPresent(connection::sit);
        return seat.isPresent();
    }

    /** Its seat went to another, who has waited for less long without a word. */
    void seatGivenUp() {
        refused.increment();
    }

    /** A try of this client to log in; null for a credential that cannot be recognized again. */
    Guesses.Attempt attempt(InetAddress peer, @Nullable String credential) {
        return settings.logins().attempt(peer, service.id(), credential);
    }

    void loginFailed(GatewayConnection connection) {
        GatewayLog.warn("a login to service " + service.id() + " over "
                + connection.protocol().wireName() + " failed, from "
                + connection.peer().getHostAddress());
    }

    /** Room for what one request or answer of this client has in memory. */
    Room.Guest guest(InetAddress peer) {
        return settings.room().guest(List.of(Origin.of(peer), service.ownerId()));
    }

    void leave(GatewayConnection connection) {
        connection.closeNow();
        connection.end();
        if (!open.remove(connection)) {
            return;
        }
        connection.leaveSeat();
        if (connection.overLimit()) {
            politely.release();
        }
        if (openCount.decrementAndGet() == 0) {
            lock.lock();
            try {
                emptied.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether a request for this host is for another service, though its connection was opened for this one. */
    boolean isNot(String host) {
        return service.name().filter(name -> SharedPorts.isAnother(host, name)).isPresent();
    }

    /** Whether clients may ask for this path. */
    boolean shows(String path) {
        return settings.pages().allow(path);
    }

    /** A connected database, woken if need be. */
    GatewayLink connect(GatewayConnection connection, GatewayProtocol protocol)
            throws GatewayUnreachable, InterruptedException {
        if (connection.overLimit()) {
            throw new GatewayUnreachable(
                    GatewayUnreachable.Cause.TOO_MANY_CONNECTIONS, "This service has too many connections.");
        }
        GatewayReach reach = service.backend().reach(protocol);
        if (reach instanceof GatewayReach.Ready ready) {
            Optional<GatewayLink> link = tryConnect(ready);
            if (link.isPresent()) {
                return link.get();
            }
            // the database may have been put to sleep, or have died, since then
            reach = new GatewayReach.Asleep();
        }
        if (reach instanceof GatewayReach.Asleep) {
            reach = awaken(protocol);
        }
        return switch (reach) {
            case GatewayReach.Ready ready ->
                tryConnect(ready).orElseThrow(() -> unavailable("The database could not be reached."));
            case GatewayReach.Asleep(String sentence) -> throw unavailable(sentence);
            case GatewayReach.Unavailable(String sentence) -> throw unavailable(sentence);
            case GatewayReach.Elsewhere(String sentence) ->
                throw new GatewayUnreachable(GatewayUnreachable.Cause.ELSEWHERE, sentence);
            case GatewayReach.Unsupported(String sentence) ->
                throw new GatewayUnreachable(GatewayUnreachable.Cause.UNSUPPORTED, sentence);
        };
    }

    /** Counts this program itself as a client until the use is closed. */
    GatewayUse use() {
        queryBegins();
        AtomicBoolean ended = new AtomicBoolean();
        return new GatewayUse() {
            @Override
            public GatewayReach reach() {
                return service.backend().reach(GatewayProtocol.HTTPS);
            }

            @Override
            public GatewayReach awaken() throws InterruptedException {
                return GatewayRegistration.this.awaken(GatewayProtocol.HTTPS);
            }

            @Override
            public void close() {
                if (ended.compareAndSet(false, true)) {
                    queryEnds();
                }
            }
        };
    }

    void queryBegins() {
        lastActivity = clock.now();
        queries.incrementAndGet();
    }

    void queryEnds() {
        lastActivity = clock.now();
        queries.decrementAndGet();
    }

    void received(int bytes) {
        received.add(bytes);
    }

    void sent(int bytes) {
        sent.add(bytes);
    }

    GatewayTraffic traffic() {
        int inFlight = queries.get();
        Instant active = inFlight > 0 ? clock.now() : lastActivity;
        return new GatewayTraffic(
                openCount.get(), inFlight, active, accepted.sum(), refused.sum(), received.sum(), sent.sum());
    }

    void sweep(long now) {
        for (GatewayConnection connection : open) {
            connection.sweep(now);
        }
    }

    /** Lets what is in flight finish, for at most that long; then closes everything. */
    void drain(Duration atMost) throws InterruptedException {
        retire();
        long rest = atMost.toNanos();
        lock.lock();
        try {
            while (openCount.get() > 0 && rest > 0) {
                rest = emptied.awaitNanos(rest);
            }
        } finally {
            lock.unlock();
            closeAll();
        }
    }

    void retire() {
        retired = true;
        for (GatewayConnection connection : open) {
            connection.retire();
        }
    }

    /** Ends connections of a protocol that was switched off. */
    void retire(GatewayProtocol protocol) {
        for (GatewayConnection connection : open) {
            if (connection.protocol() == protocol) {
                connection.retire();
            }
        }
    }

    void closeAll() {
        for (GatewayConnection connection : open) {
            connection.closeNow();
        }
    }

    private GatewayReach awaken(GatewayProtocol protocol) throws InterruptedException {
        try {
            return wake.awaken(service.backend(), protocol, service.limits().wake());
        } catch (RuntimeException bug) {
            GatewayLog.warn("service " + service.id() + " could not be woken", bug);
            return new GatewayReach.Unavailable("The database could not be started.");
        }
    }

    private static Optional<GatewayLink> tryConnect(GatewayReach.Ready ready) {
        try {
            return Optional.of(GatewayLink.connect(ready.address()));
        } catch (IOException refusal) {
            GatewayLog.debug("a database that was said to listen could not be reached", refusal);
            return Optional.empty();
        }
    }

    private static GatewayUnreachable unavailable(String sentence) {
        return new GatewayUnreachable(GatewayUnreachable.Cause.UNAVAILABLE, sentence);
    }
}
