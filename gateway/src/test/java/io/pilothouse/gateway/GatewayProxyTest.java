package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.IpBlock;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.testkit.Walk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behind a trusted proxy the gateway sees its clients, and it believes nobody else. */
class GatewayProxyTest {
    private static final String PROXY = "127.0.0.2";
    private static final String CLIENT = "203.0.113.7";
    private static final String CLIENT_V6 = "2001:db8::7";
    private static final String STRANGER = "198.51.100.9";
    private static final AccessList CLIENTS = AccessList.of(List.of(CLIENT, CLIENT_V6));
    private static final String NAME = "one." + GatewayFixture.DOMAIN;
    private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\nX-ClickHouse-Key: %s\r\n\r\n";

    private final GatewayFixture fixture;
    private final GatewayRecordingDatabase database;

    GatewayProxyTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        GatewaySettings settings = new GatewaySettings(
                        "localhost",
                        GatewaySettings.loopback().addresses(),
                        100,
                        Room.ofHeap(),
                        new Guesses(3, System::nanoTime, new byte[32]),
                        GatewayPages.ALL)
                .trusting(new TrustedProxies(List.of(IpBlock.parse(PROXY).orElseThrow())));
        fixture = GatewayFixture.sharing(folder, settings);
        database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            for (String head = visit.readHead(); !head.isEmpty(); head = visit.readHead()) {
                visit.say(
                        head.contains("wrong")
                                ? "HTTP/1.1 403 Forbidden\r\nX-ClickHouse-Exception-Code: 516\r\nContent-Length: 0\r\n\r\n"
                                : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nOk.\n");
            }
        });
        fixture.serve(GatewaySwitch.awake(database.address()), CLIENTS, GatewayLimits.STANDARD);
    }

    @AfterEach
    void close() throws IOException {
        fixture.close();
        database.close();
    }

    @Test
    void accessListIsAskedForTheClientAndNotForTheProxy() throws Exception {
        for (String client : List.of(CLIENT, CLIENT_V6)) {
            try (GatewayRawClient let = from(PROXY, GatewayProtocol.HTTPS)) {
                assertThat(let.say(header(client)).say(GET).readAnswer()).endsWith("Ok.\n");
            }
        }
        int served = database.visits().size();
        for (byte[] header : List.of(header(STRANGER), header("::1"), local(), new byte[0])) {
            try (GatewayRawClient kept = from(PROXY, GatewayProtocol.HTTPS)) {
                assertThat(kept.say(withRequest(header)).endsWithoutAByte()).isTrue();
            }
        }
        assertThat(database.visits()).hasSize(served);
    }

    @Test
    void headerMayComeInPieces() throws Exception {
        try (GatewayRawClient client = from(PROXY, GatewayProtocol.HTTPS)) {
            for (byte each : header(CLIENT)) {
                client.say(new byte[] {each});
            }
            assertThat(client.say(GET).readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void nobodyElseIsBelieved() throws Exception {
        try (GatewayRawClient liar = from("127.0.0.1", GatewayProtocol.HTTPS)) {
            assertThat(liar.say(withRequest(header(CLIENT))).endsWithoutAByte()).isTrue();
        }
        fixture.serve(GatewaySwitch.awake(database.address()), GatewayFixture.LOOPBACK, GatewayLimits.STANDARD);
        try (GatewayRawClient liar = from("127.0.0.1", GatewayProtocol.HTTPS)) {
            assertThat(liar.say(header(CLIENT)).readToEnd()).startsWith("HTTP/1.1 400");
        }
        assertThat(database.visits()).isEmpty();
    }

    @Test
    void malformedHeaderEndsTheConnection() throws Exception {
        byte[] sound = header(CLIENT);
        byte[] version = sound.clone();
        version[12] = 0x11;
        byte[] large = sound.clone();
        large[14] = 0x7f;
        byte[] cut = sound.clone();
        cut[15] = 4;
        for (byte[] header : List.of(version, large, cut)) {
            try (GatewayRawClient client = from(PROXY, GatewayProtocol.HTTPS)) {
                assertThat(client.say(header).endsWithoutAByte()).isTrue();
            }
        }
        RandomGenerator random = Walk.begin(GatewayProxyTest.class).random();
        for (int count = 0; count < Walk.length(200, 20_000); count++) {
            byte[] spoilt = Arrays.copyOf(sound, 1 + random.nextInt(sound.length));
            spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt(256);
            try (GatewayRawClient client = from(PROXY, GatewayProtocol.HTTPS)) {
                client.say(spoilt);
                client.endOutput();
                client.endsWithoutAByte();
            } catch (IOException endedAlready) {
                assertThat(endedAlready).isInstanceOf(SocketException.class);
            }
        }
        eventually("nothing is left", () -> fixture.traffic().openConnections() == 0);
    }

    @Test
    void guessesCountForTheClientAndNotForItsProxy() throws Exception {
        for (int count = 0; count < 3; count++) {
            try (GatewayRawClient guesser = from(PROXY, GatewayProtocol.HTTPS)) {
                guesser.say(header(CLIENT)).say(GET.formatted("wrong" + count)).readHead();
            }
        }
        try (GatewayRawClient guesser = from(PROXY, GatewayProtocol.HTTPS);
                GatewayRawClient other = from(PROXY, GatewayProtocol.HTTPS)) {
            assertThat(guesser.say(header(CLIENT)).say(GET.formatted("right")).readHead())
                    .startsWith("HTTP/1.1 429");
            assertThat(other.say(header(CLIENT_V6)).say(GET.formatted("right")).readAnswer())
                    .endsWith("Ok.\n");
        }
    }

    @Test
    void mysqlClientIsKnownBeforeTheDatabaseGreetsIt() throws Exception {
        try (GatewayRecordingDatabase greets = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.say("greeting");
            visit.readToEnd();
        })) {
            fixture.serve(GatewaySwitch.awake(greets.address()), CLIENTS, GatewayLimits.STANDARD);
            try (GatewayRawClient client = from(PROXY, GatewayProtocol.MYSQL)) {
                assertThat(client.say(header(CLIENT)).read(8)).asString().isEqualTo("greeting");
            }
            try (GatewayRawClient kept = from(PROXY, GatewayProtocol.MYSQL);
                    GatewayRawClient without = from(PROXY, GatewayProtocol.MYSQL)) {
                assertThat(kept.say(header(STRANGER)).endsWithoutAByte()).isTrue();
                assertThat(without.say("x").endsWithoutAByte()).isTrue();
            }
            assertThat(greets.visits()).hasSize(1);
        }
    }

    @Test
    void headerStandsBeforeTheHelloOfASharedPortToo() throws Exception {
        fixture.serveNamed(
                new UUID(0, 9), NAME, GatewaySwitch.awake(database.address()), CLIENTS, GatewayLimits.STANDARD);
        int port = fixture.shared().https();
        Socket socket = connected(PROXY, port);
        socket.getOutputStream().write(header(CLIENT));
        SSLSocket secured = (SSLSocket) fixture.trust().getSocketFactory().createSocket(socket, NAME, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(NAME)));
        secured.setSSLParameters(parameters);
        try (GatewayRawClient client = new GatewayRawClient(secured)) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
    }

    private GatewayRawClient from(String address, GatewayProtocol protocol) throws IOException {
        return new GatewayRawClient(connected(address, fixture.port(protocol)));
    }

    private static Socket connected(String from, int port) throws IOException {
        return new Socket(InetAddress.ofLiteral("127.0.0.1"), port, InetAddress.ofLiteral(from), 0);
    }

    private static byte[] withRequest(byte[] header) {
        byte[] request = GET.getBytes(StandardCharsets.US_ASCII);
        byte[] both = Arrays.copyOf(header, header.length + request.length);
        System.arraycopy(request, 0, both, header.length, request.length);
        return both;
    }

    private static byte[] local() {
        return header(0x20, 0, new byte[0]);
    }

    private static byte[] header(String client) {
        byte[] address = InetAddress.ofLiteral(client).getAddress();
        byte[] both = Arrays.copyOf(address, 2 * address.length + 4);
        return header(0x21, address.length == 4 ? 0x11 : 0x21, both);
    }

    private static byte[] header(int command, int family, byte[] addresses) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("\r\n\r\n\0\r\nQUIT\n".getBytes(StandardCharsets.US_ASCII));
        out.write(command);
        out.write(family);
        out.write(addresses.length >> 8);
        out.write(addresses.length);
        out.writeBytes(addresses);
        return out.toByteArray();
    }
}
