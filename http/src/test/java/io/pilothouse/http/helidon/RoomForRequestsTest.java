package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.Room;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that are not whole yet share one room; what finds none is a 503, and what had room goes on. */
class RoomForRequestsTest {
    /** Half of it is one address's share. */
    private static final int SHARE = (int) (TestHouse.ROOM / 2);

    private static final int LARGE = 512 * 1024;
    private static final PublicRoute ECHO =
            new PublicRoute("echo", Verb.POST, "/echo", exchange -> Answer.json(exchange.body()));
    private static final Route OWN = new Route("own", Verb.POST, "/own", Permission.SERVICE_READ, request -> {
        request.objectIfAny();
        return Answer.text(200, "text/plain", "read");
    });

    private final List<RawClient> slow = new ArrayList<>();

    @Test
    void bodyWithoutRoomIsA503AndTheOthersGoOn() throws IOException {
        try (TestHouse house = TestHouse.of(ECHO)) {
            try {
                for (int filled = 0; filled < SHARE; filled += LARGE) {
                    hold(house, begin(house, "127.0.0.1"));
                }
                assertRefused(begin(house, "127.0.0.1"));
                try (RawClient small = house.client()) {
                    assertThat(small.ask("POST /echo", "{}").status()).isEqualTo(200);
                }
                hold(house, begin(house, "127.0.0.2"));
                for (RawClient each : slow) {
                    assertThat(each.send("}").read().status()).isEqualTo(200);
                }
                assertThat(begin(house, "127.0.0.1").send("}").read().status()).isEqualTo(200);
            } finally {
                leave();
            }
        }
    }

    @Test
    void clientThatLeavesGivesItsRoomBack() throws IOException {
        try (TestHouse house = TestHouse.of(ECHO)) {
            for (int round = 0; round < 4 * TestHouse.ROOM / LARGE; round++) {
                try (RawClient client = begin(house, "127.0.0.1")) {
                    int before = round;
                    client.hangUp();
                    TestHouse.await(() -> house.seen.size() > before);
                }
            }
            assertThat(house.seen).allMatch(request -> request.status() == 499);
        }
    }

    @Test
    void oneKeyNeverHasAllOfIt() throws IOException {
        try (TestHouse house = TestHouse.of(OWN)) {
            try {
                for (int filled = 0; filled < SHARE; filled += LARGE) {
                    hold(house, begin(house, "127.0.0." + (filled / LARGE + 1), "/own", TestHouse.GOOD));
                }
                assertRefused(begin(house, "127.0.0.200", "/own", TestHouse.GOOD));
            } finally {
                leave();
            }
        }
    }

    /** Waits until all of it has arrived, so that the next is the one that finds no room. */
    private void hold(TestHouse house, RawClient client) {
        slow.add(client);
        TestHouse.await(() -> house.room.taken() >= (long) slow.size() * (LARGE - 2 * Room.FREE));
    }

    private static void assertRefused(RawClient client) throws IOException {
        try (client) {
            RawClient.Reply refusal = client.read();
            assertThat(refusal.status()).isEqualTo(503);
            assertThat(refusal.header("Retry-After")).isEqualTo("1");
            assertThat(refusal.body()).contains("try again");
        }
    }

    private static RawClient begin(TestHouse house, String from) throws IOException {
        return begin(house, from, "/echo", "");
    }

    /** All of a large body but its last byte. */
    private static RawClient begin(TestHouse house, String from, String path, String fields) throws IOException {
        RawClient client = house.client(from);
        client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + fields
                + "Content-Length: " + (LARGE + 1) + "\r\n\r\n");
        client.send("{" + " ".repeat(LARGE - 1));
        return client;
    }

    private void leave() throws IOException {
        for (RawClient each : slow) {
            each.close();
        }
    }
}
