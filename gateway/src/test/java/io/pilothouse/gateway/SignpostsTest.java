package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.door.GatewayAddresses;
import io.pilothouse.gateway.door.Signposts;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients who come to the wrong one of several hosts hear at real ports where their service is. */
class SignpostsTest {
    private static final UUID HERE = new UUID(0, 1);
    private static final Service.Host THERE = new Service.Host(new UUID(0, 2), "192.0.2.7");
    private static final int SEATS = 8;

    @TempDir
    private Path folder;

    private final GatewayRows rows = new GatewayRows(HERE);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private GatewayFixture fixture() throws IOException, GeneralSecurityException {
        return opened(new GatewayFixture(folder, GatewayFixture.seats(SEATS)));
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    private Signposts signposts(GatewayFixture fixture, Optional<SharedPorts> shared) {
        return new Signposts(
                fixture.gateway,
                new GatewayAddresses("localhost", shared),
                rows,
                GatewaySettings.loopback().addresses(),
                _ -> true,
                1_000);
    }

    private static Service there(UUID id, GatewayFixture fixture) {
        return at(ServiceSample.wanted(id, GatewayFixture.OWNER, Instant.EPOCH), THERE)
                .withAccess(new Access(
                        List.of(new IpAccessEntry("127.0.0.1", null)),
                        List.of(),
                        true,
                        new ServicePorts(
                                fixture.port(GatewayProtocol.HTTPS),
                                fixture.port(GatewayProtocol.NATIVESECURE),
                                fixture.port(GatewayProtocol.MYSQL))));
    }

    private static Service at(Service row, Service.@Nullable Host host) {
        return row.withHost(host);
    }

    private static Service letting(Service row, String source) {
        Access access = row.access();
        return row.withAccess(new Access(
                List.of(new IpAccessEntry(source, null)), access.privateEndpointIds(), access.mysql(), access.ports()));
    }

    private static String sentence(String host, int port) {
        return "This service is on another host: connect to " + host + ", port " + port + ".";
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    private static String overHttp(GatewayFixture fixture) {
        return overHttp(fixture.port(GatewayProtocol.HTTPS));
    }

    private static String overHttp(int port) {
        try (GatewayRawClient client = new GatewayRawClient(new Socket(InetAddress.ofLiteral("127.0.0.1"), port))) {
            return client.get("/").readToEnd();
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    void clientsOfEachProtocolHearWhereTheirServiceIs()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        rows.keep(there(GatewayFixture.SERVICE, fixture));
        signposts(fixture, Optional.empty()).begin();

        try (GatewayRawClient client = fixture.secured(GatewayProtocol.HTTPS)) {
            String said = sentence("192.0.2.7", fixture.port(GatewayProtocol.HTTPS)) + "\n";
            assertThat(client.get("/?query=SELECT+1").readToEnd())
                    .startsWith("HTTP/1.1 421 Misdirected Request\r\n")
                    .doesNotContain("Retry-After")
                    .endsWith("\r\n\r\n" + said);
        }
        try (GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE)) {
            String said = "DB::Exception: " + sentence("192.0.2.7", fixture.port(GatewayProtocol.NATIVESECURE));
            assertThat(client.say("\0\nClickHouse").readToEnd().getBytes(StandardCharsets.ISO_8859_1))
                    .startsWith(2, 210, 0, 0, 0)
                    .asString()
                    .contains(said);
        }
        try (GatewayRawClient client = fixture.plain(GatewayProtocol.MYSQL)) {
            String said = client.readToEnd();
            assertThat(said).endsWith(sentence("192.0.2.7", fixture.port(GatewayProtocol.MYSQL)));
            assertThat(said.getBytes(StandardCharsets.ISO_8859_1)[4]).isEqualTo((byte) 0xff);
        }
    }

    @Test
    void clientWhomTheListKeepsOutLearnsNothingWhateverTheListWasBefore()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        Service open = there(GatewayFixture.SERVICE, fixture);
        rows.keep(letting(open, "192.0.2.0/24"));
        signposts(fixture, Optional.empty()).begin();
        for (GatewayProtocol protocol : GatewayProtocol.values()) {
            try (GatewayRawClient client = fixture.plain(protocol)) {
                assertThat(client.endsWithoutAByte()).as(protocol.name()).isTrue();
            }
        }
        // No round comes between: a client's own look finds the list of now.
        rows.keep(open);
        eventually("it is let in", () -> overHttp(fixture).contains("421"));
        rows.keep(letting(open, "192.0.2.0/24"));
        eventually("it is kept out", () -> overHttp(fixture).isEmpty());
    }

    @Test
    void serviceThatMovesIsWhereItsRowSaysAndOneThatComesHereIsServed()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        Service row = there(GatewayFixture.SERVICE, fixture);
        rows.keep(row);
        Signposts signposts = signposts(fixture, Optional.empty());
        signposts.begin();
        rows.keep(at(row, new Service.Host(new UUID(0, 3), "192.0.2.9")));
        eventually("the new host is named", () -> overHttp(fixture).contains("connect to 192.0.2.9, port "));

        rows.keep(at(row, new Service.Host(HERE, "localhost")));
        eventually("nobody is sent away from here", () -> !listens(fixture.port(GatewayProtocol.HTTPS)));

        signposts.follow(row);
        GatewayRecordingDatabase database =
                opened(new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach));
        fixture.serve(GatewaySwitch.awake(database.address()));
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
        signposts.follow(row);
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readAnswer()).as("an older row").endsWith("Ok.\n");
        }
        signposts.round();
        assertThat(listens(fixture.port(GatewayProtocol.MYSQL))).isTrue();

        fixture.gateway.withdraw(GatewayFixture.SERVICE, Duration.ZERO);
        rows.keep(row);
        signposts.look(row.id());
        assertThat(overHttp(fixture)).as("once it has left").contains("connect to 192.0.2.7");
    }

    @Test
    void deletedServiceFreesItsPortsWithTheNextRound()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        Service row = there(GatewayFixture.SERVICE, fixture);
        rows.keep(row);
        Signposts signposts = signposts(fixture, Optional.empty());
        signposts.begin();
        assertThat(listens(fixture.port(GatewayProtocol.MYSQL))).isTrue();
        rows.clear();
        signposts.round();
        eventually("nobody listens", () -> !listens(fixture.port(GatewayProtocol.MYSQL)));

        rows.keep(row);
        signposts.round();
        assertThat(listens(fixture.port(GatewayProtocol.MYSQL))).isTrue();
        rows.keep(row.withWish(Wish.DELETE, Instant.EPOCH));
        signposts.round();
        eventually("nobody listens", () -> !listens(fixture.port(GatewayProtocol.MYSQL)));
        rows.keep(row);
        signposts.round();
        rows.alone();
        signposts.round();
        eventually("nobody listens without other hosts", () -> !listens(fixture.port(GatewayProtocol.MYSQL)));
    }

    @Test
    void portOfADeletedServiceIsItsNextOwnersAtOnce()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        Service former = there(new UUID(7, 7), fixture);
        Signposts signposts = signposts(fixture, Optional.empty());
        signposts.follow(former);
        Service next = at(there(new UUID(7, 8), fixture), new Service.Host(new UUID(0, 3), "192.0.2.9"));
        rows.keep(next);
        signposts.follow(next);
        assertThat(overHttp(fixture)).as("on another host too").contains("connect to 192.0.2.9");
        assertThat(fixture.gateway.bindable(fixture.port(GatewayProtocol.HTTPS)))
                .as("free to be drawn")
                .isTrue();
        GatewayRecordingDatabase database =
                opened(new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach));
        fixture.serve(GatewaySwitch.awake(database.address()));
        try (GatewayRawClient client = fixture.plain()) {
            assertThat(client.get("/").readAnswer()).endsWith("Ok.\n");
        }
    }

    @Test
    void portThatAnotherProgramHasIsLeftToIt() throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        rows.keep(there(GatewayFixture.SERVICE, fixture));
        Signposts signposts = signposts(fixture, Optional.empty());
        try (ServerSocket program =
                new ServerSocket(fixture.port(GatewayProtocol.NATIVESECURE), 1, InetAddress.ofLiteral("127.0.0.1"))) {
            signposts.begin();
            signposts.round();
            assertThat(program.isBound()).isTrue();
            assertThat(overHttp(fixture)).contains("421");
        }
        signposts.round();
        assertThat(listens(fixture.port(GatewayProtocol.NATIVESECURE)))
                .as("once it has ended")
                .isTrue();
    }

    @Test
    void portsOfAHostOnThisMachineAreLeftToIt() throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        rows.keep(at(there(GatewayFixture.SERVICE, fixture), new Service.Host(THERE.id(), "localhost")));
        signposts(fixture, Optional.empty()).begin();
        assertThat(listens(fixture.port(GatewayProtocol.HTTPS))).isFalse();
    }

    @Test
    void withoutTheStoreClientsHearWhatWasKnown() throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        rows.keep(there(GatewayFixture.SERVICE, fixture));
        signposts(fixture, Optional.empty()).begin();
        rows.goAway();
        assertThat(overHttp(fixture)).contains("connect to 192.0.2.7");
    }

    @Test
    void clientsWhoSayNothingTakeNoMoreThanTheirSeats()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        rows.keep(there(GatewayFixture.SERVICE, fixture));
        signposts(fixture, Optional.empty()).begin();
        int others = fixture.serveOther(
                UUID.randomUUID(),
                GatewaySwitch.always(new GatewayReach.Unavailable("It rests.")),
                GatewayLimits.STANDARD);
        for (int count = 0; count < 60; count++) {
            opened(fixture.plain());
        }
        GatewayRawClient first = (GatewayRawClient) opened.get(1);
        assertThat(first.endsWithoutAByte()).as("it made room").isTrue();
        // One that has said nothing yet may itself make room for those of the crowd who are still to come.
        eventually("another service has room", () -> overHttp(others).contains("It rests."));
        eventually("this one too", () -> overHttp(fixture).contains("421"));
    }

    @Test
    void roundCostsTheSameWithAnyNumberOfServicesAndFindsTheNewestFirst()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = fixture();
        for (int count = 0; count < 1_000; count++) {
            rows.keep(at(ServiceSample.wanted(new UUID(1, count), GatewayFixture.OWNER, Instant.EPOCH), THERE));
        }
        Signposts signposts = signposts(fixture, Optional.empty());
        signposts.begin();
        rows.keep(there(new UUID(2, 0), fixture));
        int before = rows.read();
        signposts.round();
        assertThat(rows.read() - before).isLessThanOrEqualTo(200);
        assertThat(overHttp(fixture)).contains("421");
    }

    @Test
    void nameOfAServiceThatIsOrWasOnAnotherHostLeadsToTheSentence()
            throws IOException, GeneralSecurityException, InterruptedException {
        GatewayFixture fixture = opened(GatewayFixture.sharing(folder, GatewaySettings.loopback()));
        UUID id = UUID.fromString("0191d3a2-0000-7000-8000-00000000abcd");
        Service row = at(ServiceSample.wanted(id, GatewayFixture.OWNER, Instant.EPOCH), THERE);
        rows.keep(at(row, new Service.Host(THERE.id(), "db2.example.org")));
        // The domain of another host is looked up; of this one's, the certificate is.
        String name = Addresses.nameUnder(GatewayFixture.DOMAIN, id);
        Signposts signposts = signposts(fixture, Optional.of(fixture.shared()));
        signposts.begin();
        String there = Addresses.nameUnder("db2.example.org", id);
        try (GatewayRawClient client = named(fixture, name)) {
            assertThat(client.get("/").readToEnd())
                    .startsWith("HTTP/1.1 421 ")
                    .endsWith(sentence(there, fixture.shared().https()) + "\n");
        }
        signposts.round();
        rows.keep(letting(row, "192.0.2.0/24"));
        eventually("it is kept out", () -> isUnrecognized(fixture, name));
        assertThat(isUnrecognized(fixture, Addresses.nameUnder(GatewayFixture.DOMAIN, new UUID(0, 5))))
                .isTrue();
    }

    private boolean isUnrecognized(GatewayFixture fixture, String name) {
        try (GatewayRawClient client = named(fixture, name)) {
            return client.get("/").readToEnd().isEmpty();
        } catch (IOException | GeneralSecurityException refused) {
            return String.valueOf(refused.getMessage()).contains("unrecognized_name");
        }
    }

    private static GatewayRawClient named(GatewayFixture fixture, String name)
            throws IOException, GeneralSecurityException {
        return fixture.named(name, fixture.shared().https());
    }
}
