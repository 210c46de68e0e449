package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.Guesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who tries keys is held up, and nobody else is. */
class GuessingTest {
    private static final int MAX_FAILURES = 5;
    private static final Route OWN = new Route("own", Verb.GET, "/own", Permission.SERVICE_READ, request -> {
        request.checkedPermit();
        return Answer.text(200, "text/plain", "in");
    });

    private final AtomicLong nanos = new AtomicLong();
    private final Guesses guesses = new Guesses(MAX_FAILURES, nanos::get, new byte[] {7});

    @Test
    void addressThatGuessesWaitsAndTheRightKeyElsewhereDoesNot() throws IOException {
        try (TestHouse house = TestHouse.guessed(guesses, OWN)) {
            for (int count = 0; count < MAX_FAILURES; count++) {
                assertThat(ask(house, "127.0.0.1", "good:wrong" + count).status())
                        .isEqualTo(401);
            }
            for (String pair : new String[] {"good:secret", "other:x", "no pair"}) {
                RawClient.Reply held = ask(house, "127.0.0.1", pair);
                assertThat(held.status()).isEqualTo(429);
                assertThat(held.header("Retry-After")).isEqualTo("60");
                assertThat(held.body()).contains("Too many failed logins: try again in 60 seconds");
            }
            assertThat(ask(house, "127.0.0.2", "good:secret").status()).isEqualTo(200);
            // It was right once, so it is no guess.
            assertThat(ask(house, "127.0.0.1", "good:secret").status()).isEqualTo(200);
            assertThat(ask(house, "127.0.0.1", "good:wrong").status()).isEqualTo(429);
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            assertThat(ask(house, "127.0.0.1", "good:wrong").status()).isEqualTo(401);
            assertThat(guesses.failed()).isEqualTo(MAX_FAILURES + 1);
            assertThat(guesses.heldUp()).isEqualTo(4);
            assertThat(Objects.requireNonNull(house.seen.getFirst().client()).host())
                    .isEqualTo("127.0.0.1");
        }
    }

    @Test
    void keyThatManyAddressesGuessStaysOpenToItsOwner() throws IOException {
        try (TestHouse house = TestHouse.guessed(guesses, OWN)) {
            for (int count = 1; count <= MAX_FAILURES; count++) {
                assertThat(ask(house, "127.0.0." + count, "good:wrong").status())
                        .isEqualTo(401);
            }
            assertThat(ask(house, "127.0.0.1", "good:again").status()).isEqualTo(429);
            assertThat(ask(house, "127.0.0.200", "good:secret").status()).isEqualTo(200);
        }
    }

    private static RawClient.Reply ask(TestHouse house, String from, String pair) throws IOException {
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII));
        try (RawClient client = house.client(from)) {
            return client.send("GET /own HTTP/1.1\r\nHost: a\r\nAuthorization: Basic " + encoded + "\r\n\r\n")
                    .read();
        }
    }
}
