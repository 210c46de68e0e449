package io.pilothouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.incoming.Room;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that a database shows without a password pass only where the operator named them. */
class GatewayPagesTest {
    @TempDir
    private Path folder;

    private GatewayFixture open(String pages) throws IOException, GeneralSecurityException {
        return new GatewayFixture(
                folder,
                new GatewaySettings(
                        "localhost",
                        GatewaySettings.loopback().addresses(),
                        100,
                        Room.ofHeap(),
                        GatewayFixture.anyLogins(),
                        GatewayPages.parse(pages).orElseThrow()));
    }

    @Test
    void sqlTheHealthCheckAndNamedPagesPassAndNothingElseReachesTheDatabase() throws Exception {
        try (GatewayFixture fixture = open("play,clickstack");
                GatewayRecordingDatabase database =
                        new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach)) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            for (String target :
                    new String[] {"/", "/?query=1", "/ping", "/play", "/play?user=a", "/clickstack/a.js", "/js/x"}) {
                assertThat(ask(fixture, target)).as(target).startsWith("HTTP/1.1 200 ");
            }
            int visits = database.received().split("GET ", -1).length;
            for (String target : new String[] {
                "/dashboard",
                "/dashboard?user=default&password=x",
                "/dashboardx",
                "/playx",
                "/binary",
                "/replicas_status",
                "/js",
                "//play",
                "*",
                "?query=1",
                "http://localhost/dashboard"
            }) {
                assertThat(ask(fixture, target))
                        .as(target)
                        .startsWith("HTTP/1.1 404 Not Found\r\n")
                        .endsWith("opens pages of ClickHouse with --database-pages.\n");
            }
            assertThat(database.received().split("GET ", -1)).hasSize(visits);
        }
    }

    @Test
    void pageThatIsNotThereWakesNothing() throws Exception {
        try (GatewayFixture fixture = open("none")) {
            AtomicInteger wakes = new AtomicInteger();
            fixture.serve(new GatewayBackend() {
                @Override
                public GatewayReach reach(GatewayProtocol protocol) {
                    return new GatewayReach.Asleep();
                }

                @Override
                public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) {
                    wakes.incrementAndGet();
                    return new GatewayReach.Unavailable("It sleeps on.");
                }
            });
            assertThat(ask(fixture, "/play")).startsWith("HTTP/1.1 404 ");
            assertThat(ask(fixture, "/js/a")).startsWith("HTTP/1.1 404 ");
            assertThat(wakes).hasValue(0);
            assertThat(ask(fixture, "/")).startsWith("HTTP/1.1 503 ");
            assertThat(wakes).hasValue(1);
        }
    }

    @Test
    void allOpensWhateverThereIs() {
        assertThat(GatewayPages.ALL.allow("/anything/at?all")).isTrue();
        assertThat(GatewayPages.parse("all")).contains(GatewayPages.ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "play,", "none,play", "play,all", "/play", "Play", "a b"})
    void whatIsNoListOfPagesIsRefused(String text) {
        assertThat(GatewayPages.parse(text)).isEmpty();
    }

    private static String ask(GatewayFixture fixture, String target) throws Exception {
        try (GatewayRawClient client = fixture.secured(GatewayProtocol.HTTPS, "TLSv1.3")) {
            return client.get(target).readAnswer();
        }
    }
}
