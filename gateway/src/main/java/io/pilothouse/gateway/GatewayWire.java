package io.pilothouse.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/** The client's bytes after TLS: one thread reads, one writes. */
final class GatewayWire {
    static final Duration LINGER = Duration.ofSeconds(2);
    private static final int SINK = 4 * 1024;

    private final GatewayConnection connection;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private volatile boolean inputEnded;
    private int timeoutMillis;

    GatewayWire(GatewayConnection connection, Socket socket) throws IOException {
        this.connection = connection;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    /** Up to {@code length} bytes, or -1 after the client's last; throws {@link SocketTimeoutException} in time. */
    int read(byte[] into, int offset, int length, Duration atMost) throws IOException {
        int millis = Math.toIntExact(Math.clamp(atMost.toMillis(), 1, Integer.MAX_VALUE));
        if (millis != timeoutMillis) {
            connection.socket().setSoTimeout(millis);
            timeoutMillis = millis;
        }
        int count = in.read(into, offset, length);
        if (count < 0) {
            inputEnded = true;
        } else {
            connection.registration().received(count);
        }
        return count;
    }

    /** Returns when the kernel has taken the bytes: a client that does not read holds the database back. */
    void write(byte[] from, int offset, int length) throws IOException {
        connection.writing();
        try {
            out.write(from, offset, length);
        } finally {
            connection.written();
        }
        connection.registration().sent(length);
    }

    /** Closes the sending side; bytes that the client still sends can be read. */
    void endOutput() {
        connection.writing();
        try {
            if (!socket.isOutputShutdown() && !connection.closed()) {
                socket.shutdownOutput();
            }
        } catch (IOException gone) {
            GatewayLog.debug("a client was gone before the goodbye", gone);
        } finally {
            connection.written();
        }
    }

    /** Reads on for a moment: closing with unread bytes would discard the last answer before the client reads it. */
    void linger() {
        byte[] sink = new byte[SINK];
        connection.closeWithin(LINGER);
        try {
            while (!inputEnded && !connection.closed()) {
                read(sink, 0, sink.length, LINGER);
            }
        } catch (IOException gone) {
            GatewayLog.debug("a client was gone before the goodbye", gone);
        }
    }
}
