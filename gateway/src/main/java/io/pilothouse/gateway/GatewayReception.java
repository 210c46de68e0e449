package io.pilothouse.gateway;

import io.pilothouse.incoming.tls.TlsServer;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSocket;

/** Detects which protocol a client speaks, and hands it to what serves that. */
final class GatewayReception {
    private static final int FIRST_BYTES = 1024;
    private static final byte TLS_HANDSHAKE = 0x16;
    private static final byte[] NOTHING = {};
    /** A MySQL client waits for the server's greeting; a port scan or a balancer's check has disconnected by then. */
    private static final Duration MYSQL_STAYS = Duration.ofMillis(500);

    private final TlsServer tls;
    private final Executor threads;

    GatewayReception(TlsServer tls, Executor threads) {
        this.tls = tls;
        this.threads = threads;
    }

    /** Serves the client to its end. */
    void serve(GatewayConnection connection, byte[] alreadyRead, boolean loopback)
            throws IOException, InterruptedException {
        switch (connection.protocol()) {
            case HTTPS -> serveHttp(connection, alreadyRead, loopback);
            case NATIVESECURE -> serveNative(connection, alreadyRead);
            case MYSQL -> serveMysql(connection);
        }
    }

    /** What a client hears that does not begin with TLS where it has to. */
    static byte[] notSecured(GatewayProtocol protocol) {
        GatewayUnreachable plainText = new GatewayUnreachable(
                GatewayUnreachable.Cause.UNSUPPORTED, "This port speaks TLS; connect with --secure.");
        return switch (protocol) {
            case HTTPS -> GatewayHttpRefusal.notSecured().answer(true);
            case NATIVESECURE -> GatewayRefusalPacket.forNative(plainText);
            case MYSQL -> NOTHING;
        };
    }

    private void serveHttp(GatewayConnection connection, byte[] alreadyRead, boolean loopback)
            throws IOException, InterruptedException {
        byte[] first = firstBytes(connection, alreadyRead);
        if (first.length == 0) {
            return;
        }
        if (first[0] == TLS_HANDSHAKE) {
            GatewayWire wire = secured(connection, first, Optional.of("http/1.1"));
            converse(connection, wire, NOTHING);
        } else if (loopback) {
            converse(connection, plain(connection), first);
        } else {
            sayAndClose(plain(connection), notSecured(connection.protocol()));
        }
    }

    private void converse(GatewayConnection connection, GatewayWire wire, byte[] alreadyRead)
            throws IOException, InterruptedException {
        GatewayHttpInput input =
                new GatewayHttpInput(wire, connection.registration().guest(connection.peer()), alreadyRead);
        new GatewayHttpConversation(connection, wire, input, threads).run();
    }

    private void serveNative(GatewayConnection connection, byte[] alreadyRead)
            throws IOException, InterruptedException {
        byte[] first = firstBytes(connection, alreadyRead);
        if (first.length == 0) {
            return;
        }
        if (first[0] != TLS_HANDSHAKE) {
            sayAndClose(plain(connection), notSecured(connection.protocol()));
            return;
        }
        GatewayWire wire = secured(connection, first, Optional.empty());
        byte[] piece = new byte[FIRST_BYTES];
        int count = wire.read(piece, 0, piece.length, connection.patience());
        if (count < 0 || !connection.spoke() || !connection.begin()) {
            return;
        }
        try {
            GatewayLogin login = GatewayLogin.ofHello(connection, piece, count);
            login.require();
            GatewayLink link = connection.registration().connect(connection, GatewayProtocol.NATIVESECURE);
            new GatewayTunnel(connection, wire, link, login).run(Arrays.copyOf(piece, count), threads);
        } catch (GatewayUnreachable unreachable) {
            sayAndClose(wire, GatewayRefusalPacket.forNative(unreachable));
        }
    }

    private void serveMysql(GatewayConnection connection) throws IOException, InterruptedException {
        GatewayWire wire = plain(connection);
        byte[] first = NOTHING;
        try {
            GatewayLogin login = GatewayLogin.unseen(connection);
            login.require();
            GatewayReach reach = connection.registration().service().backend().reach(GatewayProtocol.MYSQL);
            if (reach instanceof GatewayReach.Asleep && !connection.overLimit()) {
                Optional<byte[]> early = earlyWords(wire);
                if (early.isEmpty()) {
                    return;
                }
                first = early.get();
                if (!connection.begin()) {
                    return;
                }
            }
            GatewayLink link = connection.registration().connect(connection, GatewayProtocol.MYSQL);
            connection.end();
            new GatewayTunnel(connection, wire, link, login).run(first, threads);
        } catch (GatewayUnreachable unreachable) {
            sayAndClose(wire, GatewayRefusalPacket.forMysql(unreachable));
        }
    }

    /** Bytes a client sends before the greeting (normally none); empty when it left at once. */
    private static Optional<byte[]> earlyWords(GatewayWire wire) throws IOException {
        byte[] piece = new byte[FIRST_BYTES];
        try {
            int count = wire.read(piece, 0, piece.length, MYSQL_STAYS);
            return count < 0 ? Optional.empty() : Optional.of(Arrays.copyOf(piece, count));
        } catch (SocketTimeoutException itStays) {
            return Optional.of(NOTHING);
        }
    }

    /** Empty when the client never sends a byte: that is a port scan or a health check, and wakes nothing. */
    private static byte[] firstBytes(GatewayConnection connection, byte[] alreadyRead) throws IOException {
        if (alreadyRead.length > 0) {
            return alreadyRead;
        }
        byte[] piece = new byte[FIRST_BYTES];
        try {
            int count = plain(connection).read(piece, 0, piece.length, connection.patience());
            return Arrays.copyOf(piece, Math.max(0, count));
        } catch (SocketTimeoutException silent) {
            return NOTHING;
        }
    }

    private GatewayWire secured(GatewayConnection connection, byte[] first, Optional<String> applicationProtocol)
            throws IOException {
        Socket socket = connection.socket();
        SSLSocket secured = tls.accept(socket, first, applicationProtocol);
        socket.setSoTimeout(0);
        connection.closeWithin(connection.limits().head());
        secured.startHandshake();
        connection.keepOpen();
        return new GatewayWire(connection, secured);
    }

    private static GatewayWire plain(GatewayConnection connection) throws IOException {
        return new GatewayWire(connection, connection.socket());
    }

    private static void sayAndClose(GatewayWire wire, byte[] words) throws IOException {
        wire.write(words, 0, words.length);
        wire.endOutput();
        wire.linger();
    }
}
