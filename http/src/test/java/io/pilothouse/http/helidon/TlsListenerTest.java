package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.IpBlock;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsLeaves;
import io.pilothouse.incoming.tls.TlsServer;
import io.pilothouse.testkit.Trusting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A listener that ends TLS itself, and one that stands behind proxies it trusts. */
class TlsListenerTest {
    private static final PublicRoute WHO = TestHouse.open(
            "/who",
            exchange -> Answer.text(200, "text/plain", exchange.remoteAddress().getHostAddress()));
    private static final PublicRoute CALLED = TestHouse.open(
            "/called",
            exchange -> Answer.text(
                    200,
                    "text/plain",
                    exchange.calledAddress()
                            .map(at -> at.scheme() + "://" + at.authority())
                            .orElse("nowhere")));
    private static final PublicRoute ECHO =
            new PublicRoute("echo", Verb.POST, "/echo", exchange -> Answer.json(exchange.body()));
    private static final byte[] PROXY_HEADER = {
        13,
        10,
        13,
        10,
        0,
        13,
        10,
        'Q',
        'U',
        'I',
        'T',
        10,
        0x21,
        0x11,
        0,
        12,
        (byte) 192,
        0,
        2,
        7,
        10,
        0,
        0,
        1,
        1,
        2,
        3,
        4
    };

    private final TlsServer tls;
    private final SSLContext trust;

    TlsListenerTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        TlsAuthority authority = TlsAuthority.open(folder, Instant::now, new SecureRandom());
        tls = new TlsServer(new TlsLeaves(authority, List.of("localhost")), Instant::now);
        trust = Trusting.only(authority.certificate());
    }

    private TestHouse house(Optional<TlsServer> ending, String... proxies) throws IOException {
        return house(ListenerLimits.standard(), ending, proxies);
    }

    private static TestHouse house(ListenerLimits limits, Optional<TlsServer> ending, String... proxies)
            throws IOException {
        List<IpBlock> blocks = List.of(proxies).stream()
                .map(text -> IpBlock.parse(text).orElseThrow())
                .toList();
        return TestHouse.of(
                new Entrance(
                        Executors.newVirtualThreadPerTaskExecutor(),
                        new Room(TestHouse.ROOM),
                        ending,
                        new TrustedProxies(blocks)),
                limits,
                WHO,
                CALLED,
                ECHO);
    }

    private RawClient secured(Socket plain) throws IOException {
        SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket(plain, "localhost", 443, true);
        socket.startHandshake();
        return new RawClient(socket);
    }

    private static Socket connect(TestHouse house) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), house.listener.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    @Test
    void requestsAreServedOverTls() throws IOException {
        try (TestHouse house = house(Optional.of(tls));
                RawClient client = secured(connect(house))) {
            assertThat(client.ask("GET /who").body()).isEqualTo("127.0.0.1");
            String large = "{" + " ".repeat(300_000) + "}";
            assertThat(client.ask("POST /echo", large).body()).isEqualTo(large);
            assertThat(client.ask("GET /who").status()).isEqualTo(200);
        }
    }

    @Test
    void plainTextIsRefusedInASentence() throws IOException {
        try (TestHouse house = house(Optional.of(tls));
                RawClient client = house.client()) {
            RawClient.Reply reply = client.ask("GET /who");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.body()).contains("This port speaks HTTPS");
        }
    }

    @Test
    void handshakeThatDoesNotGoOnEndsInTime() throws IOException {
        try (TestHouse house = house(TestHouse.QUICK, Optional.of(tls));
                RawClient client = house.client()) {
            client.send(new byte[] {0x16, 3, 1, 2, 0});
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void trustedProxysWordIsTakenAndNoOnesElse() throws IOException {
        String fields = "X-Forwarded-For: 198.51.100.1, 192.0.2.7\r\n";
        try (TestHouse trusting = house(Optional.empty(), "127.0.0.0/8");
                TestHouse wary = house(Optional.empty(), "10.0.0.0/8");
                RawClient proxy = trusting.client();
                RawClient stranger = wary.client()) {
            String request = "GET /who HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
            assertThat(proxy.send(request).read().body()).isEqualTo("192.0.2.7");
            assertThat(proxy.ask("GET /who").body()).isEqualTo("127.0.0.1");
            assertThat(stranger.send(request).read().body()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void addressThatWasCalledIsTheHostsUnlessATrustedProxyKnowsBetter() throws IOException {
        String request =
                "GET /called HTTP/1.1\r\nHost: a:80\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: b\r\n\r\n";
        try (TestHouse trusting = house(Optional.empty(), "127.0.0.0/8");
                TestHouse wary = house(Optional.empty());
                TestHouse ending = house(Optional.of(tls));
                RawClient proxy = trusting.client();
                RawClient stranger = wary.client();
                RawClient safe = secured(connect(ending))) {
            assertThat(proxy.send(request).read().body()).isEqualTo("https://b");
            assertThat(stranger.send(request).read().body()).isEqualTo("http://a:80");
            assertThat(safe.send(request).read().body()).isEqualTo("https://a:80");
        }
    }

    @Test
    void proxyProtocolNamesTheClientBeforeTls() throws IOException {
        try (TestHouse house = house(Optional.of(tls), "127.0.0.1")) {
            Socket socket = connect(house);
            socket.getOutputStream().write(PROXY_HEADER);
            try (RawClient client = secured(socket)) {
                assertThat(client.ask("GET /who").body()).isEqualTo("192.0.2.7");
                // This client is not trusted, whatever proxy passed it on.
                assertThat(client.send("GET /who HTTP/1.1\r\nHost: a\r\nForwarded: for=203.0.113.9\r\n\r\n")
                                .read()
                                .body())
                        .isEqualTo("192.0.2.7");
            }
        }
    }

    @Test
    void proxyProtocolWorksWithoutTlsAndNotFromStrangers() throws IOException {
        String request = "GET /who HTTP/1.1\r\nHost: a\r\n\r\n";
        byte[] both =
                (new String(PROXY_HEADER, StandardCharsets.ISO_8859_1) + request).getBytes(StandardCharsets.ISO_8859_1);
        try (TestHouse trusting = house(Optional.empty(), "127.0.0.1");
                TestHouse wary = house(Optional.empty());
                RawClient proxy = trusting.client();
                RawClient direct = trusting.client();
                RawClient stranger = wary.client()) {
            assertThat(proxy.send(both).read().body()).isEqualTo("192.0.2.7");
            assertThat(direct.send(request).read().body()).isEqualTo("127.0.0.1");
            assertThat(stranger.send(both).read().status()).isEqualTo(400);
        }
    }
}
