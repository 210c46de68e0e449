package io.pilothouse.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.http.HttpException;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.pilothouse.incoming.Origin;
import io.pilothouse.incoming.ProxyHeader;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.tls.TlsServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** One accepted client, served to its end by one thread. Others end it when its time is up or the listener stops. */
final class Visit {
    private static final System.Logger LOG = System.getLogger(Listener.class.getName());
    private static final long MAX_DRAINED = 1024 * 1024;
    private static final byte TLS_HANDSHAKE = 0x16;
    private static final byte[] NOTHING = {};

    private final Socket socket;
    private final Listener.Ground ground;
    private final Seats seats;
    private final Optional<Seats.Seat> seat;
    private final Deadline deadline;
    private volatile @Nullable GuardedContext context;

    /** Without a seat it hears so and nothing else. */
    Visit(Socket socket, Listener.Ground ground, Seats seats, Optional<Seats.Seat> seat) {
        this.socket = socket;
        this.ground = ground;
        this.seats = seats;
        this.seat = seat;
        this.deadline = new Deadline(ground.limits());
    }

    void run() {
        try {
            serve();
        } catch (CloseConnectionException
                | SocketWriterException
                | DataReader.InsufficientDataAvailableException
                | UncheckedIOException
                | IOException gone) {
            LOG.log(System.Logger.Level.DEBUG, "A client's connection ended", gone);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RequestException | HttpException malformed) {
            LOG.log(System.Logger.Level.WARNING, "A request was not answered", malformed);
        } catch (RuntimeException bug) {
            LOG.log(System.Logger.Level.WARNING, "A client could not be served", bug);
        } finally {
            GuardedContext ending = context;
            if (ending != null) {
                ending.leaveRoom();
            }
            closeQuietly(socket);
        }
    }

    private void serve() throws IOException, InterruptedException {
        InetAddress client = socket.getInetAddress();
        byte[] first = NOTHING;
        if (ground.entrance().proxies().trusts(client)) {
            ProxyHeader header = ProxyHeader.read(socket.getInputStream());
            client = header.client().orElse(client);
            first = header.alreadyRead();
            if (header.client().isPresent() && seat.isPresent() && !seat.get().join(seats.party(Origin.of(client)))) {
                return;
            }
        }
        InetSocketAddress from = new InetSocketAddress(client, socket.getPort());
        Optional<TlsServer> tls = ground.entrance().tls();
        if (tls.isEmpty()) {
            converse(new ByteSocket(socket, first, from), client);
            return;
        }
        byte[] hello = first.length > 0 ? first : socket.getInputStream().readNBytes(1);
        if (hello.length == 0) {
            return;
        }
        if (hello[0] != TLS_HANDSHAKE) {
            new ByteSocket(socket, NOTHING, from)
                    .write(BufferData.create(ground.errors().plainText()));
            return;
        }
        try (SSLSocket secured = tls.get().accept(socket, hello, Optional.of("http/1.1"))) {
            secured.startHandshake();
            converse(new ByteSocket(secured, NOTHING, from), client);
        }
    }

    private void converse(ByteSocket bytes, InetAddress client) throws InterruptedException {
        GuardedContext guarded = new GuardedContext(bytes, client, ground, deadline, seat);
        context = guarded;
        ground.http1().connection(guarded).handle(ground.requests());
        if (guarded.refusedInHead() && !guarded.caughtUp()) {
            guarded.drain(MAX_DRAINED);
        }
    }

    /** Gives the client up if its step took too long; one that is still sending gets an answer first. */
    void endIfLate() {
        GuardedContext known = context;
        switch (deadline.endIfLate()) {
            case HEAD -> answerAndClose(known, null);
            case BODY -> answerAndClose(known, known == null ? null : known.requestId());
            case FIRST, IDLE, WRITE, DRAIN -> end();
            case WORK, OVER -> {
                // Handling a request has deadlines of its own.
            }
        }
    }

    /** The listener stops: a client without a request ends now, one with a request may finish it first. */
    void endUnlessAsked() {
        if (deadline.endUnlessAsked()) {
            end();
        }
    }

    void end() {
        closeQuietly(socket);
    }

    private void answerAndClose(@Nullable GuardedContext known, @Nullable UUID requestId) {
        // A stopping listener does not wait for slow clients.
        if (known == null || ground.stopping().get()) {
            end();
            return;
        }
        try {
            ground.entrance().threads().execute(() -> {
                try {
                    known.serverSocket().write(BufferData.create(ground.errors().timeout(requestId)));
                } catch (RuntimeException gone) {
                    // Then it needs no answer.
                }
                end();
            });
        } catch (RejectedExecutionException stopping) {
            end();
        }
    }

    static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            LOG.log(System.Logger.Level.DEBUG, "A socket did not close cleanly", gone);
        }
    }
}
