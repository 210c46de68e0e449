package io.pilothouse.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriter;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.ServerConnectionException;
import io.pilothouse.incoming.CalledAddress;
import io.pilothouse.incoming.Origin;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.TrustedProxies;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A connection as the HTTP server sees it, with every read and write under a deadline and a ceiling on raw bytes. */
final class GuardedContext implements ConnectionContext {
    private final ListenerContext listener;
    private final Router router;
    private final ByteSocket socket;
    private final InetAddress client;
    private final Deadline deadline;
    private final Optional<Seats.Seat> seat;
    private final Room room;
    private final TrustedProxies proxies;
    private final TransportErrors errors;
    private final DataReader reader;
    private final DataWriter writer;
    private final long mostBodyBytes;
    private final OlderHead olderHead;
    private final Room.Guest head;
    private Room.Guest body;
    private long bodyBytes;
    private boolean refusedInHead;
    private @Nullable CompletableFuture<Optional<byte[]>> ahead;
    private volatile @Nullable UUID requestId;

    /** Without a seat, no request is served. */
    GuardedContext(
            ByteSocket socket,
            InetAddress client,
            Listener.Ground ground,
            Deadline deadline,
            Optional<Seats.Seat> seat) {
        this.listener = ground.parts();
        this.router = ground.router();
        this.socket = socket;
        this.client = client;
        this.deadline = deadline;
        this.seat = seat;
        this.room = ground.entrance().room();
        this.errors = ground.errors();
        ListenerLimits limits = ground.limits();
        this.olderHead = new OlderHead(limits.headBytes());
        this.reader = DataReader.create(this::read);
        this.writer = new GuardedWriter(SocketWriter.create(socket));
        // The server buffers a whole chunk before it can be counted, so a second ceiling applies below the chunks.
        this.mostBodyBytes = 2L * limits.bodyBytes() + limits.headBytes();
        this.proxies = ground.entrance().proxies();
        this.head = room.guest(proxies.trusts(client) ? List.of() : List.of(Origin.of(client)));
        this.body = head;
    }

    Deadline deadline() {
        return deadline;
    }

    /** Thrown when more was sent than any framing of an allowed body needs. */
    static final class TooManyBytes extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooManyBytes() {
            super("The body is too large", null, false, false);
        }
    }

    /** Thrown when the body finds no room beside those of others. */
    static final class NoRoom extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private NoRoom() {
            super("There is no room for the body", null, false, false);
        }
    }

    /** Who sent a request with these fields, as far as its word or a trusted proxy's goes. */
    InetAddress client(List<String> forwarded, List<String> forwardedFor) {
        return proxies.client(client, forwarded, forwardedFor);
    }

    /** By which address a request with these fields came, as far as its word or a trusted proxy's goes. */
    Optional<CalledAddress> calledAddress(List<String> host, CalledAddress.ProxyFields fields) {
        return proxies.trusts(client)
                ? CalledAddress.behindProxy(isSecure(), host, fields)
                : CalledAddress.of(isSecure(), host);
    }

    /** Whether there was no seat for this client, so that it gets nothing but that answer. */
    boolean turnedAway() {
        return seat.isEmpty();
    }

    /** A request is whole but for its body, and gets handled. */
    void beginWork() {
        deadline.enter(Deadline.Step.WORK);
        if (seat.isPresent() && !seat.get().busy()) {
            throw new CloseConnectionException("Another connection got the seat");
        }
    }

    /** The request is answered, and another may come. */
    void rest() {
        leaveRoom();
        socket.rest();
        deadline.enter(Deadline.Step.IDLE);
        seat.ifPresent(Seats.Seat::rests);
    }

    void leaveRoom() {
        head.leave();
        body.leave();
    }

    /** From here on the client is expected to send the body of this request; the key is null for a public route. */
    void beginBody(UUID ofRequest, InetAddress sender, @Nullable UUID keyId) {
        bodyBytes = 0;
        requestId = ofRequest;
        Origin from = Origin.of(sender);
        body = room.guest(keyId == null ? List.of(from) : List.of(from, keyId));
        deadline.enter(Deadline.Step.BODY);
    }

    /** The request whose body is expected. */
    @Nullable
    UUID requestId() {
        return requestId;
    }

    /** Whether the HTTP server answered before it had a whole head. */
    boolean refusedInHead() {
        return refusedInHead;
    }

    /** Whether the client speaks HTTP/1.0, which knows neither chunks nor a second request. */
    boolean older() {
        return olderHead.older();
    }

    private byte[] read() {
        return olderHead.pass(readInTime(), this::readInTime);
    }

    private byte[] readInTime() {
        byte[] bytes = readSocket();
        Deadline.Step step = deadline.step();
        if (step == Deadline.Step.FIRST || step == Deadline.Step.IDLE) {
            deadline.enter(Deadline.Step.HEAD);
            takeForHead(bytes.length);
        } else if (step == Deadline.Step.HEAD) {
            takeForHead(bytes.length);
        } else if (step == Deadline.Step.BODY) {
            bodyBytes += bytes.length;
            if (bodyBytes > mostBodyBytes) {
                throw new TooManyBytes();
            }
            if (!body.take(bytes.length)) {
                throw new NoRoom();
            }
        } else if (step == Deadline.Step.OVER) {
            throw new CloseConnectionException("The connection was too slow");
        }
        return bytes;
    }

    /** Reads on while a request is handled: only a read shows that the client has hung up. */
    void watch() {
        if (ahead != null) {
            return;
        }
        CompletableFuture<Optional<byte[]>> reading = new CompletableFuture<>();
        try {
            executor().execute(() -> {
                try {
                    reading.complete(Optional.ofNullable(socket.get()));
                } catch (RuntimeException broken) {
                    reading.completeExceptionally(broken);
                }
            });
            ahead = reading;
        } catch (RejectedExecutionException stopping) {
            // Then a client that has gone is noticed when the answer is written, or not at all.
        }
    }

    /** The same, and calls this on another thread once the client has hung up. */
    void watch(Runnable gone) {
        watch();
        if (ahead != null) {
            CompletableFuture<Optional<byte[]>> _ = ahead.whenComplete((bytes, broken) -> {
                if (broken != null || bytes.isEmpty()) {
                    gone.run();
                }
            });
        }
    }

    /** What was read of the body so far has been passed on, and takes no room here any more. */
    void passedOn() {
        body.leave();
    }

    /** Whether the client has hung up, as far as {@link #watch} has seen. */
    boolean gone() {
        return ahead != null
                && (ahead.isCompletedExceptionally()
                        || ahead.getNow(Optional.of(new byte[0])).isEmpty());
    }

    private byte @Nullable [] readNext() {
        if (ahead == null) {
            return socket.get();
        }
        try {
            return ahead.get().orElse(null);
        } catch (ExecutionException broken) {
            throw new ServerConnectionException("The connection broke", broken.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new CloseConnectionException("The listener stops", stopping);
        } finally {
            ahead = null;
        }
    }

    private void takeForHead(int bytes) {
        if (!head.take(bytes)) {
            refusedInHead = true;
            deadline.enter(Deadline.Step.WRITE);
            socket.write(BufferData.create(errors.noRoom()));
            deadline.enter(Deadline.Step.HEAD);
            throw new CloseConnectionException("There is no room for the head");
        }
    }

    private byte[] readSocket() {
        byte[] bytes;
        try {
            bytes = readNext();
        } catch (UncheckedIOException e) {
            throw new ServerConnectionException("The connection broke", e);
        }
        if (bytes == null) {
            throw new CloseConnectionException("The client hung up");
        }
        return bytes;
    }

    /** Whether the last read left nothing in the socket, as far as that can be known. */
    boolean caughtUp() {
        return socket.caughtUp();
    }

    /**
     * Discards input until it ends, the client hangs up or the deadline passes: closing a socket with unread bytes
     * would reset the connection, and the client might never see its answer.
     */
    void drain(long most) {
        deadline.enter(Deadline.Step.DRAIN);
        long left = most - reader.available();
        try {
            while (left > 0) {
                left -= readSocket().length;
            }
        } catch (CloseConnectionException gone) {
            // The connection is about to be closed anyway.
        }
    }

    /** Puts a deadline on a write. */
    private final class GuardedWriter implements DataWriter {
        private final DataWriter unguarded;

        private GuardedWriter(DataWriter unguarded) {
            this.unguarded = unguarded;
        }

        @Override
        public void write(BufferData... buffers) {
            guarded(() -> unguarded.write(buffers));
        }

        @Override
        public void write(BufferData buffer) {
            guarded(() -> unguarded.write(buffer));
        }

        @Override
        public void writeNow(BufferData... buffers) {
            guarded(() -> unguarded.writeNow(buffers));
        }

        @Override
        public void writeNow(BufferData buffer) {
            guarded(() -> unguarded.writeNow(buffer));
        }

        private void guarded(Runnable write) {
            Deadline.Step before = deadline.enter(Deadline.Step.WRITE);
            refusedInHead |= before == Deadline.Step.HEAD;
            write.run();
            deadline.enter(before);
        }

        @Override
        public void flush() {
            unguarded.flush();
        }

        @Override
        public void close() {
            unguarded.close();
        }
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public DataWriter dataWriter() {
        return writer;
    }

    @Override
    public HelidonSocket serverSocket() {
        return socket;
    }

    @Override
    public ListenerContext listenerContext() {
        return listener;
    }

    @Override
    public ExecutorService executor() {
        return listener.executor();
    }

    @Override
    public Router router() {
        return router;
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return Optional.empty();
    }

    @Override
    public PeerInfo remotePeer() {
        return socket.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return socket.localPeer();
    }

    @Override
    public boolean isSecure() {
        return socket.isSecure();
    }

    @Override
    public String socketId() {
        return socket.socketId();
    }

    @Override
    public String childSocketId() {
        return socket.childSocketId();
    }
}
