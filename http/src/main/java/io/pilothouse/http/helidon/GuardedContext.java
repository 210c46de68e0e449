package io.pilothouse.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.ServerConnectionException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A connection as the HTTP server sees it, with every read and write under a deadline and a ceiling on raw bytes. */
final class GuardedContext implements ConnectionContext {
    /** As much as the HTTP server reads at once. */
    private static final int SOCKET_READ_BYTES = 8 * 1024;

    private final ConnectionContext inner;
    private final Router router;
    private final HelidonSocket socket;
    private final Deadline deadline;
    private final DataReader reader;
    private final DataWriter writer;
    private final long mostBodyBytes;
    private final OlderHead olderHead;
    private long bodyBytes;
    private int lastRead;
    private boolean refusedInHead;
    private @Nullable CompletableFuture<Optional<byte[]>> ahead;
    private volatile @Nullable UUID requestId;

    GuardedContext(ConnectionContext inner, ListenerLimits limits, Router router) {
        this.inner = inner;
        this.router = router;
        this.socket = inner.serverSocket();
        this.deadline = new Deadline(limits);
        this.olderHead = new OlderHead(limits.headBytes());
        this.reader = DataReader.create(this::read);
        this.writer = new GuardedWriter(inner.dataWriter());
        // The server buffers a whole chunk before it can be counted, so a second ceiling applies below the chunks.
        this.mostBodyBytes = 2L * limits.bodyBytes() + limits.headBytes();
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

    /** From here on the client is expected to send the body of this request. */
    void beginBody(UUID ofRequest) {
        bodyBytes = 0;
        requestId = ofRequest;
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
        if (step == Deadline.Step.IDLE) {
            deadline.enter(Deadline.Step.HEAD);
        } else if (step == Deadline.Step.BODY) {
            bodyBytes += bytes.length;
            if (bodyBytes > mostBodyBytes) {
                throw new TooManyBytes();
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
        lastRead = bytes.length;
        return bytes;
    }

    /** Whether the last read left nothing in the socket, as far as that can be known. */
    boolean caughtUp() {
        return lastRead < SOCKET_READ_BYTES;
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
        return inner.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return inner.executor();
    }

    /**
     * Our own router: the server would mix it with a routing of its own, and which of the two wins would be left to
     * chance.
     */
    @Override
    public Router router() {
        return router;
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return inner.proxyProtocolData();
    }

    @Override
    public PeerInfo remotePeer() {
        return inner.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return inner.localPeer();
    }

    @Override
    public boolean isSecure() {
        return inner.isSecure();
    }

    @Override
    public String socketId() {
        return inner.socketId();
    }

    @Override
    public String childSocketId() {
        return inner.childSocketId();
    }
}
