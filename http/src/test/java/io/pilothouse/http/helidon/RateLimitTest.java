package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final UUID OTHER = UUID.fromString("77777777-2222-4333-8444-555555555555");
    private static final String PATH = "/v1/organizations/" + TestHouse.ORGANIZATION + "/services";

    private final AtomicLong now =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(30).toNanos());
    private final RateLimit limit = new RateLimit(2, now::get, Optional.empty());

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private RateLimit.Standing take(UUID key) {
        return Objects.requireNonNull(limit.take(key));
    }

    private static RawClient.Reply ask(RawClient client, String path, String authorization) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + authorization + "\r\n")
                .read();
    }

    @Test
    void aKeyMayAskSoOftenInItsMinuteAndThenInTheNext() {
        assertThat(take(TestHouse.KEY)).isEqualTo(new RateLimit.Standing(2, 1, 60));
        pass(Duration.ofMillis(59_500));
        assertThat(take(TestHouse.KEY)).isEqualTo(new RateLimit.Standing(2, 0, 1));
        assertThat(take(TestHouse.KEY).isOver()).isTrue();
        pass(Duration.ofMillis(500));
        assertThat(take(TestHouse.KEY)).isEqualTo(new RateLimit.Standing(2, 1, 60));
    }

    @Test
    void oneKeyDoesNotUseUpWhatAnotherHas() {
        take(TestHouse.KEY);
        take(TestHouse.KEY);
        assertThat(take(TestHouse.KEY).isOver()).isTrue();
        assertThat(take(OTHER).isOver()).isFalse();
    }

    @Test
    void keysThatAskNoMoreAreForgotten() {
        for (int count = 0; count < 100; count++) {
            take(UUID.randomUUID());
        }
        assertThat(limit.remembered()).isEqualTo(100);
        pass(Duration.ofMinutes(1));
        take(OTHER);
        assertThat(limit.remembered()).isOne();
    }

    @Test
    void withoutALimitNothingIsCounted() {
        RateLimit none = new RateLimit(0, now::get, Optional.empty());
        assertThat(none.take(TestHouse.KEY)).isNull();
        assertThat(none.remembered()).isZero();
    }

    @Test
    void aClientThatAsksTooOftenLearnsWhenToRetryAndNothingIsDone() throws IOException {
        AtomicInteger handled = new AtomicInteger();
        Route route = new Route(
                "read", Verb.GET, "/v1/organizations/{organizationId}/services", Permission.SERVICE_READ, request -> {
                    handled.incrementAndGet();
                    return Answer.text(200, "text/plain", "hello");
                });
        try (TestHouse house = TestHouse.limited(limit, route);
                RawClient client = house.client()) {
            RawClient.Reply first = ask(client, PATH, TestHouse.GOOD);
            assertThat(first.status()).isEqualTo(200);
            assertThat(first.header("RateLimit-Limit")).isEqualTo("2");
            assertThat(first.header("RateLimit-Remaining")).isEqualTo("1");
            assertThat(first.header("RateLimit-Reset")).isEqualTo("60");
            assertThat(first.header("Retry-After")).isNull();
            assertThat(ask(client, "/v1/organizations/none/services", TestHouse.GOOD)
                            .header("RateLimit-Remaining"))
                    .isEqualTo("0");

            RawClient.Reply refused = ask(client, PATH, TestHouse.GOOD);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body())
                    .contains(
                            "\"error\":\"TOO_MANY_REQUESTS: More than 2 requests in a minute: try again in 60 seconds\"");
            assertThat(refused.header("RateLimit-Remaining")).isEqualTo("0");
            assertThat(refused.header("Retry-After")).isEqualTo("60");
            assertThat(refused.header("X-RateLimit-Reset")).isEqualTo("60");
            assertThat(handled).hasValue(1);

            // Who is unknown has no key to count for, and hears nothing of limits.
            RawClient.Reply unknown = ask(client, PATH, "Authorization: Basic Z29vZDp3cm9uZw==\r\n");
            assertThat(unknown.status()).isEqualTo(401);
            assertThat(unknown.header("RateLimit-Limit")).isNull();

            pass(Duration.ofMinutes(1));
            assertThat(ask(client, PATH, TestHouse.GOOD).status()).isEqualTo(200);
        }
    }
}
