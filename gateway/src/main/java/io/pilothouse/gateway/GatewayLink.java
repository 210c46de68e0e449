package io.pilothouse.gateway;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One connection to a service's database. It is never just dropped while the database may still be answering: a
 * database has died when its peer vanished before a refusal was written, so the link ends with a half-close and a
 * drain.
 */
final class GatewayLink {
    private static final int BUFFER = 8 * 1024;
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration DRAIN = Duration.ofSeconds(10);
    private static final long DRAINED_BYTES = 1 << 20;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final AtomicBoolean outputEnded = new AtomicBoolean();
    private volatile long parkedAt;

    GatewayLink(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER);
    }

    static GatewayLink connect(InetSocketAddress database) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.connect(database, Math.toIntExact(CONNECT.toMillis()));
            return new GatewayLink(socket);
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    int read(byte[] into) throws IOException {
        return in.read(into, 0, into.length);
    }

    /** Throws {@link SocketTimeoutException} in time; zero waits forever. */
    int read(byte[] into, Duration atMost) throws IOException {
        socket.setSoTimeout(Math.toIntExact(atMost.toMillis()));
        return read(into);
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    void flush() throws IOException {
        out.flush();
    }

    /** Signals the end of input to the database, and leaves its answer readable. */
    void endOutput() {
        if (outputEnded.compareAndSet(false, true)) {
            try {
                socket.shutdownOutput();
            } catch (IOException alreadyGone) {
                close();
            }
        }
    }

    /** Ends a link gently when its database may still be writing. */
    void finish() {
        endOutput();
        byte[] sink = new byte[BUFFER];
        long until = System.nanoTime() + DRAIN.toNanos();
        try {
            for (long drained = 0; drained < DRAINED_BYTES; ) {
                long millis = Duration.ofNanos(until - System.nanoTime()).toMillis();
                if (millis <= 0) {
                    break;
                }
                socket.setSoTimeout(Math.toIntExact(millis));
                int count = in.read(sink);
                if (count < 0) {
                    break;
                }
                drained += count;
            }
        } catch (IOException gone) {
            GatewayLog.debug("the database's connection ended while it was drained", gone);
        } finally {
            close();
        }
    }

    void park() {
        parkedAt = System.nanoTime();
    }

    boolean parkedLongerThan(Duration span) {
        return System.nanoTime() - parkedAt > span.toNanos();
    }

    /** For a link with nothing in flight, or when everything must end at once. */
    void close() {
        GatewayLog.closeQuietly(socket);
    }
}
