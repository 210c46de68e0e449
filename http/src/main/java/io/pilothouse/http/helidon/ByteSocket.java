package io.pilothouse.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.Principal;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The bytes of one client as the HTTP server reads and writes them. A client that says nothing costs little memory. */
final class ByteSocket implements HelidonSocket {
    private static final int WAITING = 1024;
    private static final int READING = 8 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String id;
    private final Peer remote;
    private final Peer local;
    private byte[] buffer = new byte[WAITING];
    private boolean full;

    private record Peer(InetSocketAddress at) implements PeerInfo {
        @Override
        public SocketAddress address() {
            return at;
        }

        @Override
        public String host() {
            return at.getHostString();
        }

        @Override
        public int port() {
            return at.getPort();
        }

        @Override
        public Optional<Principal> tlsPrincipal() {
            return Optional.empty();
        }

        @Override
        public Optional<Certificate[]> tlsCertificates() {
            return Optional.empty();
        }
    }

    /** {@code client} is who is at the other end, which may be further away than the socket's. */
    ByteSocket(Socket socket, byte[] alreadyRead, InetSocketAddress client) throws IOException {
        this.socket = socket;
        this.in = alreadyRead.length == 0
                ? socket.getInputStream()
                : new SequenceInputStream(new ByteArrayInputStream(alreadyRead), socket.getInputStream());
        this.out = socket.getOutputStream();
        this.remote = new Peer(client);
        this.local = new Peer(new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort()));
        this.id = Integer.toHexString(System.identityHashCode(socket));
    }

    /** Whether the last read left nothing behind, as far as that can be known. */
    boolean caughtUp() {
        return !full;
    }

    /** Nothing is expected soon. */
    void rest() {
        if (buffer.length > WAITING) {
            buffer = new byte[WAITING];
        }
    }

    @Override
    public byte @Nullable [] get() {
        // A thread that reads ahead may still wait when this connection comes to rest.
        byte[] into = buffer;
        int count;
        try {
            count = in.read(into);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (count < 0) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(into, count);
        full = count == into.length;
        if (full && into.length < READING) {
            buffer = new byte[READING];
        }
        return bytes;
    }

    @Override
    @SuppressWarnings("removal")
    public int read(BufferData into) {
        return into.readFrom(in);
    }

    @Override
    public void write(BufferData bytes) {
        bytes.writeTo(out);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void idle() {
        // Nobody waits for the end of an idle connection here: a read does.
    }

    @Override
    public boolean isConnected() {
        return !socket.isClosed();
    }

    @Override
    public PeerInfo remotePeer() {
        return remote;
    }

    @Override
    public PeerInfo localPeer() {
        return local;
    }

    @Override
    public boolean isSecure() {
        return socket instanceof SSLSocket;
    }

    @Override
    public String socketId() {
        return id;
    }

    @Override
    public String childSocketId() {
        return id;
    }
}
