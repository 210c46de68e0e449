package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A side that does not read holds the other back; the gateway never stores the bytes between them. */
class GatewayPressureTest {
    private static final long OFFERED = 1L << 30;
    /** All the socket buffers on the way, as large as Linux lets them grow by itself. */
    private static final long HELD_BY_SOCKETS = 48L << 20;

    private static final Duration STUCK = Duration.ofMillis(500);

    private final GatewayFixture fixture;

    GatewayPressureTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void clientThatDoesNotReadHoldsTheDatabaseBack() throws Exception {
        try (ServerSocketChannel database = listen();
                SocketChannel client = connect(database)) {
            write(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            try (SocketChannel link = database.accept()) {
                readHead(link);
                write(link, "HTTP/1.1 200 OK\r\nContent-Length: " + OFFERED + "\r\n\r\n");
                long sent = writeUntilStuck(link);
                assertThat(sent).isBetween(1L, HELD_BY_SOCKETS);
                assertThat(usedHeap()).isLessThan(HELD_BY_SOCKETS);
                assertThat(readAtLeast(client, sent / 2)).isGreaterThanOrEqualTo(sent / 2);
                eventually("the database may go on", () -> isWritable(link));
            }
        }
    }

    @Test
    void databaseThatDoesNotReadHoldsTheClientBack() throws Exception {
        try (ServerSocketChannel database = listen();
                SocketChannel client = connect(database)) {
            write(client, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + OFFERED + "\r\n\r\n");
            try (SocketChannel link = database.accept()) {
                long sent = writeUntilStuck(client);
                assertThat(sent).isBetween(1L, HELD_BY_SOCKETS);
                assertThat(usedHeap()).isLessThan(HELD_BY_SOCKETS);
                assertThat(readAtLeast(link, sent / 2)).isGreaterThanOrEqualTo(sent / 2);
                eventually("the client may go on", () -> isWritable(client));
            }
        }
    }

    private ServerSocketChannel listen() throws IOException {
        ServerSocketChannel database =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        fixture.serve(GatewaySwitch.awake((InetSocketAddress) database.getLocalAddress()));
        return database;
    }

    private SocketChannel connect(ServerSocketChannel database) throws IOException {
        assertThat(database.isOpen()).isTrue();
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 64 * 1024);
        client.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), fixture.port(GatewayProtocol.HTTPS)));
        return client;
    }

    /** Writes until nothing has been sent for a while, and returns how much was. */
    private static long writeUntilStuck(SocketChannel channel) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(256 * 1024);
        channel.configureBlocking(false);
        long written = 0;
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            while (written < OFFERED && selector.select(STUCK.toMillis()) > 0) {
                selector.selectedKeys().clear();
                piece.clear();
                written += channel.write(piece);
            }
        }
        return written;
    }

    private static boolean isWritable(SocketChannel channel) {
        try (Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE);
            return selector.selectNow() > 0;
        } catch (IOException broken) {
            return false;
        }
    }

    private static long readAtLeast(SocketChannel channel, long wanted) throws IOException {
        ByteBuffer piece = ByteBuffer.allocateDirect(256 * 1024);
        long read = 0;
        while (read < wanted) {
            piece.clear();
            int count = channel.read(piece);
            if (count < 0) {
                return read;
            }
            read += count;
        }
        return read;
    }

    private static void readHead(SocketChannel channel) throws IOException {
        ByteBuffer next = ByteBuffer.allocate(1);
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0 && channel.read(next) > 0) {
            head.append((char) next.flip().get());
            next.clear();
        }
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
