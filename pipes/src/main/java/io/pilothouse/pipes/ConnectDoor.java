package io.pilothouse.pipes;

import io.pilothouse.pipes.wire.KeptAlive;
import io.pilothouse.pipes.wire.TaskHello;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where tasks of Kafka Connect come in, over TLS: each connection names the token of its connector, and is either the
 * way of a worker's orders or a way to its pipe's database. Safe for many threads.
 */
public final class ConnectDoor implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ConnectDoor.class.getName());
    /** How many may be on their way in at once; who has said its token does not count any more. */
    private static final int MAX_STRANGERS = 64;

    private static final Duration SAYS_WITHIN = Duration.ofSeconds(10);
    private static final int BETWEEN_LOOKS_MILLIS = 1_000;
    private static final long BREATHER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int CONNECTS_WITHIN_MILLIS = 5_000;

    private final ServerSocket listening;
    private final Securing securing;
    private final ThreadFactory readers;
    private final long saysWithinNanos;
    private final Map<String, ConnectCrew> crews = new ConcurrentHashMap<>();
    /** Until when each has to have said its token. */
    private final Map<Socket, Long> strangers = new ConcurrentHashMap<>();

    /** Ends the TLS of a connection that came in. */
    @FunctionalInterface
    public interface Securing {
        Socket secure(Socket accepted) throws IOException;
    }

    public ConnectDoor(ServerSocket listening, Securing securing, ThreadFactory readers) {
        this(listening, securing, readers, SAYS_WITHIN);
    }

    ConnectDoor(ServerSocket listening, Securing securing, ThreadFactory readers, Duration saysWithin) {
        this.listening = listening;
        this.securing = securing;
        this.readers = readers;
        this.saysWithinNanos = saysWithin.toNanos();
    }

    public void begin() {
        readers.newThread(this::listen).start();
    }

    /** Lets in who has this token. */
    void open(String token, ConnectCrew crew) {
        crews.put(token, crew);
    }

    /** Lets nobody in with this token any more. */
    void shut(String token) {
        crews.remove(token);
    }

    private void listen() {
        while (!listening.isClosed()) {
            try {
                // It comes back without anybody, as those who are slow are sent away in between.
                listening.setSoTimeout(BETWEEN_LOOKS_MILLIS);
                admit(listening.accept());
            } catch (SocketTimeoutException nobody) {
                sendAwayTheSlow();
            } catch (IOException failure) {
                if (!listening.isClosed()) {
                    // Most likely out of file descriptors: another connection has to close first.
                    LOG.log(Level.WARNING, "Tasks of Kafka Connect cannot come in: {0}", failure.getMessage());
                    LockSupport.parkNanos(BREATHER_NANOS);
                }
            }
        }
    }

    private void admit(Socket socket) {
        sendAwayTheSlow();
        if (strangers.size() < MAX_STRANGERS) {
            strangers.put(socket, System.nanoTime() + saysWithinNanos);
            readers.newThread(() -> welcome(socket)).start();
        } else {
            close(socket);
        }
    }

    /** A limit to each read alone would let in who sends a byte now and then. */
    private void sendAwayTheSlow() {
        long now = System.nanoTime();
        strangers.forEach((socket, until) -> {
            if (now - until >= 0 && strangers.remove(socket) != null) {
                close(socket);
            }
        });
    }

    private void welcome(Socket socket) {
        boolean kept = false;
        try {
            Socket secured;
            TaskHello hello;
            boolean inTime;
            try {
                KeptAlive.keep(socket);
                secured = securing.secure(socket);
                hello = TaskHello.read(secured.getInputStream());
            } finally {
                inTime = strangers.remove(socket) != null;
            }
            ConnectCrew crew = crews.get(hello.token());
            if (inTime && crew != null) {
                kept = switch (hello.purpose()) {
                    case ORDERS -> crew.join(hello, socket, secured);
                    case ROWS -> lead(crew, hello, socket, secured);
                };
            }
        } catch (IOException | RuntimeException failure) {
            LOG.log(Level.DEBUG, "A task of Kafka Connect did not get in: {0}", failure.getMessage());
        } finally {
            if (!kept) {
                close(socket);
            }
        }
    }

    /** Carries bytes to and from the database until either side ends; true where a task now owns the connection. */
    private boolean lead(ConnectCrew crew, TaskHello hello, Socket socket, Socket secured) throws IOException {
        Optional<TaskHost> visitor = crew.visitor(hello);
        Optional<String> address = visitor.flatMap(TaskHost::database);
        if (visitor.isEmpty() || address.isEmpty() || !visitor.get().add(socket)) {
            return false;
        }
        TaskHost host = visitor.get();
        URI database = URI.create(address.get());
        try (Socket onward = new Socket()) {
            onward.connect(
                    new InetSocketAddress(InetAddress.getByName(database.getHost()), database.getPort()),
                    CONNECTS_WITHIN_MILLIS);
            onward.setTcpNoDelay(true);
            Thread back = readers.newThread(() -> carry(onward, secured));
            back.start();
            carry(secured, onward);
        } finally {
            host.forget(socket);
            close(socket);
        }
        return true;
    }

    private static void carry(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException ended) {
            LOG.log(Level.DEBUG, "A way of a task to its database ended: {0}", ended.getMessage());
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "A connection of a task of Kafka Connect was closed already");
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
