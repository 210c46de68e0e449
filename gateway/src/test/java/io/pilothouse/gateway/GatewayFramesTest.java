package io.pilothouse.gateway;

import static io.pilothouse.gateway.GatewayEventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.incoming.Seats;
import io.pilothouse.testkit.HttpStreams;
import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No message passes the gateway that another parser frames in another way: neither Netty, nor llhttp, which is Node's
 * and written in another language.
 */
class GatewayFramesTest {
    private static final int CASES = Walk.length(25_000, 500_000);
    private static final int CONNECTIONS = Walk.length(500, 20_000);
    private static final int AT_ONCE = 500;
    private static final int SHOWN = 10;

    @TempDir
    private Path folder;

    private final List<String> differences = new ArrayList<>();
    private int passed;

    @Test
    void everyRequestThatPassesIsFramedAlikeByAll() throws IOException, InterruptedException {
        GatewayOwnFrames own = own();
        HttpStreams streams =
                new HttpStreams(Walk.begin(GatewayFramesTest.class).random());
        try (GatewayLlhttpFrames llhttp = GatewayLlhttpFrames.start(folder)) {
            for (int left = CASES; left > 0; left -= AT_ONCE) {
                List<byte[]> cases = new ArrayList<>();
                for (int count = 0; count < AT_ONCE; count++) {
                    byte[] stream = streams.requests();
                    cases.add(stream);
                    llhttp.ask(true, stream);
                }
                List<GatewayFramed> theirs = llhttp.answer();
                for (int at = 0; at < AT_ONCE; at++) {
                    byte[] stream = cases.get(at);
                    GatewayFramed ours = own.requests(stream);
                    passed += ours.messages().size();
                    compare(stream, ours, GatewayNettyFrames.of(true, stream), "Netty");
                    compare(stream, ours, theirs.get(at), "llhttp");
                }
            }
        }
        assertThat(own.room().taken()).isZero();
        assertThat(passed).as("requests that were not refused").isGreaterThan(CASES / 4);
        assertThat(differences).isEmpty();
    }

    /** Where one ends after which the next may follow, there it ends for all. */
    @Test
    void everyAnswerThatLeavesItsConnectionOpenEndsWhereItEndsForAll() throws IOException, InterruptedException {
        HttpStreams streams =
                new HttpStreams(Walk.begin(GatewayFramesTest.class).random());
        try (GatewayLlhttpFrames llhttp = GatewayLlhttpFrames.start(folder)) {
            for (int left = CASES; left > 0; left -= AT_ONCE) {
                List<byte[]> whole = new ArrayList<>();
                List<Integer> places = new ArrayList<>();
                for (int count = 0; count < AT_ONCE; count++) {
                    byte[] stream = streams.answers();
                    List<Integer> ends = GatewayOwnFrames.answers(stream, false);
                    for (int place = 0; place < ends.size(); place++) {
                        byte[] part = Arrays.copyOf(stream, ends.get(place));
                        whole.add(part);
                        places.add(place);
                        llhttp.ask(false, part);
                        llhttp.ask(false, Arrays.copyOf(part, part.length - 1));
                    }
                }
                passed += whole.size();
                List<GatewayFramed> theirs = llhttp.answer();
                for (int at = 0; at < whole.size(); at++) {
                    byte[] part = whole.get(at);
                    byte[] lacking = Arrays.copyOf(part, part.length - 1);
                    compareEnd(part, places.get(at), theirs.get(2 * at), theirs.get(2 * at + 1), "llhttp");
                    compareEnd(
                            part,
                            places.get(at),
                            GatewayNettyFrames.of(false, part),
                            GatewayNettyFrames.of(false, lacking),
                            "Netty");
                }
            }
        }
        assertThat(passed).as("answers that left their connection open").isGreaterThan(CASES / 8);
        assertThat(differences).isEmpty();
    }

    /** Whatever it says of a body, an answer to HEAD has none; the parser of Node cannot be told what was asked. */
    @Test
    void everyAnswerToHeadThatLeavesItsConnectionOpenEndsWhereItEndsForNetty() {
        HttpStreams streams =
                new HttpStreams(Walk.begin(GatewayFramesTest.class).random());
        for (int left = CASES; left > 0; left--) {
            byte[] stream = streams.answers();
            List<Integer> ends = GatewayOwnFrames.answers(stream, true);
            for (int place = 0; place < ends.size(); place++) {
                byte[] part = Arrays.copyOf(stream, ends.get(place));
                passed++;
                compareEnd(
                        part,
                        place,
                        GatewayNettyFrames.ofAnswersToHead(part),
                        GatewayNettyFrames.ofAnswersToHead(Arrays.copyOf(part, part.length - 1)),
                        "Netty");
            }
        }
        assertThat(passed).as("answers that left their connection open").isGreaterThan(CASES / 8);
        assertThat(differences).isEmpty();
    }

    /** Over real sockets, with a client that ends its side behind whatever it has sent. */
    @Test
    void noConnectionHangsAndNothingIsLeft() throws IOException, GeneralSecurityException {
        GatewaySettings settings = GatewaySettings.loopback();
        HttpStreams streams =
                new HttpStreams(Walk.begin(GatewayFramesTest.class).random());
        try (GatewayFixture fixture = new GatewayFixture(folder, settings);
                GatewayRecordingDatabase database =
                        new GatewayRecordingDatabase(fixture.threads, GatewayRecordingDatabase::answerEach)) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            for (int left = CONNECTIONS; left > 0; left--) {
                byte[] stream = streams.requests();
                try (GatewayRawClient client = fixture.plain()) {
                    client.say(stream);
                    client.endOutput();
                    client.readToEnd();
                } catch (SocketTimeoutException hangs) {
                    throw new AssertionError(
                            "A connection hangs: " + shown(new String(stream, StandardCharsets.ISO_8859_1)), hangs);
                }
            }
            fixture.awaitAllGone(CONNECTIONS);
            assertThat(fixture.traffic().queriesInFlight()).isZero();
            assertThat(settings.room().taken()).isZero();
            eventually(
                    "no connection to the database is left",
                    () -> database.visits().stream().allMatch(visit -> visit.over));
        }
    }

    private void compare(byte[] stream, GatewayFramed ours, GatewayFramed theirs, String whose) {
        if (ours.differsFrom(theirs)) {
            differs(stream, "ours " + ours + ", " + whose + " " + theirs);
        }
    }

    private void compareEnd(byte[] part, int before, GatewayFramed whole, GatewayFramed lacking, String whose) {
        boolean ends = whole.end().isOver() || (whole.end() == GatewayFramed.End.IDLE && last(whole) == before + 1);
        boolean waits = lacking.end().isOver() || last(lacking) == before;
        if (!ends || !waits) {
            differs(part, "ends for us, not for " + whose + ": " + whole + ", and without its last byte " + lacking);
        }
    }

    /** How many answers are whole, without those that only say to wait. */
    private static long last(GatewayFramed framed) {
        return framed.messages().stream().filter(each -> !each.startsWith("1")).count();
    }

    private void differs(byte[] stream, String how) {
        if (differences.size() < SHOWN) {
            differences.add(shown(new String(stream, StandardCharsets.ISO_8859_1)) + " -> " + shown(how));
        }
    }

    /** In one line, with a number for whatever cannot be seen. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars()
                .mapToObj(each -> switch (each) {
                    case '\r' -> "\\r";
                    case '\n' -> "\\n";
                    default ->
                        each < ' ' || each > '~'
                                ? String.format(Locale.ROOT, "\\x%02x", each)
                                : Character.toString(each);
                })
                .forEach(shown::append);
        return shown.toString();
    }

    private static GatewayOwnFrames own() {
        GatewaySettings settings = GatewaySettings.loopback();
        GatewayService service = new GatewayService(
                GatewayFixture.SERVICE,
                GatewayFixture.OWNER,
                Map.of(),
                GatewayFixture.LOOPBACK,
                GatewayLimits.STANDARD,
                GatewaySwitch.always(new GatewayReach.Asleep()));
        return new GatewayOwnFrames(new GatewayRegistration(service, new Seats(10), settings, Instant::now));
    }
}
