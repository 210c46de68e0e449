package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.Room;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who tries passwords of a database is held up before the database hears of it, and nobody else is. */
class GatewayLoginTest {
    private static final int MAX_FAILURES = 4;
    private static final String WRONG =
            "HTTP/1.1 403 Forbidden\r\nX-ClickHouse-Exception-Code: 516\r\nContent-Length: 0\r\n\r\n";
    private static final String WAIT = "Too many failed logins: try again in 60 seconds.";

    private final AtomicLong nanos = new AtomicLong();
    private final Guesses logins = new Guesses(MAX_FAILURES, nanos::get, new byte[] {1});
    private final GatewayFixture fixture;

    GatewayLoginTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(
                folder,
                new GatewaySettings(
                        "localhost",
                        GatewaySettings.loopback().addresses(),
                        100,
                        Room.ofHeap(),
                        logins,
                        GatewayPages.ALL));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Knows the password {@code right}, however it comes. */
    private GatewayRecordingDatabase database() throws IOException {
        return new GatewayRecordingDatabase(fixture.threads, visit -> {
            for (String head = visit.readHead(); !head.isEmpty(); head = visit.readHead()) {
                boolean in = head.contains("right") || head.startsWith("GET /ping");
                visit.say(in ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nOk.\n" : WRONG);
            }
        });
    }

    @Test
    void addressThatGuessesPasswordsWaitsHoweverItShowsThem() throws Exception {
        try (GatewayRecordingDatabase database = database()) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            assertThat(ask("127.0.0.1", "/?user=a&password=wrong", "")).startsWith("HTTP/1.1 403 ");
            assertThat(ask("127.0.0.1", "/?p%61ssword=wrong2", "")).startsWith("HTTP/1.1 403 ");
            assertThat(ask("127.0.0.1", "/", "X-ClickHouse-Key: wrong\r\n")).startsWith("HTTP/1.1 403 ");
            assertThat(ask("127.0.0.1", "/", "Authorization: Basic wrong\r\n")).startsWith("HTTP/1.1 403 ");
            int asked = database.visits().size();
            for (String target : new String[] {"/", "/?password=right", "/?password=wrong"}) {
                assertThat(ask("127.0.0.1", target, ""))
                        .startsWith("HTTP/1.1 429 ")
                        .contains("Retry-After: 60\r\n")
                        .endsWith(WAIT + "\n");
            }
            assertThat(database.visits()).hasSize(asked);
            assertThat(ask("127.0.0.1", "/ping", "")).startsWith("HTTP/1.1 200 ");
            assertThat(ask("127.0.0.2", "/?password=right", "")).startsWith("HTTP/1.1 200 ");
            assertThat(ask("127.0.0.1", "/?password=right", "")).startsWith("HTTP/1.1 200 ");
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            assertThat(ask("127.0.0.1", "/?password=wrong", "")).startsWith("HTTP/1.1 403 ");
        }
    }

    @Test
    void guessCountsWhoeverHangsUpBeforeTheAnswerEnds() throws Exception {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readHead();
            visit.say("HTTP/1.1 403 Forbidden\r\nX-ClickHouse-Exception-Code: 516\r\n\r\nThe password");
            visit.readToEnd();
        })) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            try (GatewayRawClient client = fixture.plain(GatewayProtocol.HTTPS)) {
                client.say("GET /?password=wrong HTTP/1.1\r\nHost: h\r\n\r\n").readHead();
                assertThat(logins.failed()).isEqualTo(1);
            }
        }
    }

    @Test
    void nativeAndMysqlClientsThatGuessWaitToo() throws Exception {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.readByte();
            visit.say(new byte[] {2, 4, 2, 0, 0, 1, 'x'});
        })) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            for (int count = 0; count < MAX_FAILURES; count++) {
                try (GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE)) {
                    assertThat(client.say("wrong" + count).read()).isEqualTo(2);
                }
            }
            eventually("all were counted", () -> logins.failed() == MAX_FAILURES);
            int asked = database.visits().size();
            try (GatewayRawClient client = fixture.secured(GatewayProtocol.NATIVESECURE);
                    GatewayRawClient mysql = fixture.plain(GatewayProtocol.MYSQL)) {
                assertThat(client.say("hello").readToEnd()).contains(WAIT);
                assertThat(mysql.readToEnd()).endsWith(WAIT);
            }
            assertThat(database.visits()).hasSize(asked);
        }
    }

    @Test
    void mysqlClientThatIsRefusedByItsDatabaseCounts() throws Exception {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            visit.say(new byte[] {1, 0, 0, 0, 10});
            visit.readByte();
            visit.say(new byte[] {3, 0, 0, 2, (byte) 0xff, 21, 4});
        })) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            try (GatewayRawClient client = fixture.plain(GatewayProtocol.MYSQL)) {
                client.read(5);
                assertThat(client.say("x").readToEnd()).isNotEmpty();
            }
            eventually("it was counted", () -> logins.failed() == 1);
        }
    }

    private String ask(String from, String target, String fields) throws IOException {
        try (GatewayRawClient client = new GatewayRawClient(new Socket(
                InetAddress.ofLiteral("127.0.0.1"),
                fixture.port(GatewayProtocol.HTTPS),
                InetAddress.ofLiteral(from),
                0))) {
            return client.say("GET " + target + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n")
                    .readAnswer();
        }
    }
}
