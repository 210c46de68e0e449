package io.pilothouse.http.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.injection.Injection;
import io.pilothouse.core.injection.Injection.Effect;
import io.pilothouse.core.injection.Injection.Frequency;
import io.pilothouse.core.injection.Injections;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.helidon.RawClient;
import io.pilothouse.http.helidon.TestHouse;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Injected faults as clients meet them, over sockets. */
class InjectedRoutesTest {
    private static final String PATH = "/v1/organizations/" + TestHouse.ORGANIZATION + "/services";
    private static final String GET = "GET " + PATH + " HTTP/1.1\r\nHost: a\r\n" + TestHouse.GOOD + "\r\n";
    private static final String FAULT = "X-Pilothouse-Fault";

    private final AtomicInteger done = new AtomicInteger();
    private final Injections injections = new Injections(1);
    private final InjectedRoutes injected = new InjectedRoutes(injections, 0);
    private final Route route = new Route(
            "read", Verb.GET, "/v1/organizations/{organizationId}/services", Permission.SERVICE_READ, request -> {
                done.incrementAndGet();
                return Answer.text(200, "text/plain", "hello");
            });

    private void set(Effect effect, Frequency frequency) {
        injections.add(new Injection("one", new Injection.Scope(List.of("read"), null, null, null), effect, frequency));
    }

    private void always(Effect effect) {
        set(effect, Frequency.ALWAYS);
    }

    private TestHouse house(Route... routes) throws IOException {
        return TestHouse.of(injected.around(List.of(routes)).toArray(AnyRoute[]::new));
    }

    private static String head(RawClient.Reply reply, String name) {
        return reply.headers().getOrDefault(name, "none");
    }

    @Test
    void withoutFaultTheAnswerIsAsItWouldBe() throws IOException {
        try (TestHouse house = house(route);
                RawClient client = house.client()) {
            RawClient.Reply reply = client.send(GET).read();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.headers()).doesNotContainKey(FAULT);
            assertThat(house.onlyRecord().fault()).isNull();
        }
    }

    @Test
    void statusIsAnsweredInTheShapeOfTheApiAndNothingIsDone() throws IOException {
        always(new Injection.Answered(503, Duration.ZERO, 4));
        try (TestHouse house = house(route);
                RawClient client = house.client()) {
            RawClient.Reply reply = client.send(GET).read();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body())
                    .startsWith(
                            "{\"status\":503,\"error\":\"UNAVAILABLE: The emulator was asked for this: fault one\"");
            assertThat(head(reply, FAULT)).isEqualTo("one (answer 503)");
            assertThat(head(reply, "Retry-After")).isEqualTo("4");
            assertThat(done).hasValue(0);
            assertThat(house.onlyRecord().fault()).isEqualTo("one (answer 503)");
        }
    }

    @Test
    void everyStatusHasItsWordAndLeavesTheConnectionUsable() throws IOException {
        try (TestHouse house = house(route);
                RawClient client = house.client()) {
            List<String> words =
                    List.of("BAD_REQUEST", "REQUEST_TIMEOUT", "INTERNAL_ERROR", "BAD_GATEWAY", "GATEWAY_TIMEOUT");
            List<Integer> statuses = List.of(400, 408, 500, 502, 504);
            for (int i = 0; i < statuses.size(); i++) {
                injections.remove("one");
                always(new Injection.Answered(statuses.get(i), Duration.ZERO, 1));
                RawClient.Reply reply = client.send(GET).read();
                assertThat(reply.status()).isEqualTo(statuses.get(i));
                assertThat(reply.body()).contains("\"error\":\"" + words.get(i) + ": ");
                assertThat(reply.headers()).doesNotContainKey("Retry-After");
            }
        }
    }

    @Test
    void burstOfTooManyRequestsHasTheHeadersOfTheLimitOnce() throws IOException {
        set(new Injection.Answered(429, Duration.ZERO, 2), new Frequency(1, 0, 2, 2));
        RateLimit rates = RateLimit.perMinute(50);
        try (TestHouse house = TestHouse.limited(
                        rates,
                        new InjectedRoutes(injections, 50)
                                .around(List.of(route))
                                .toArray(AnyRoute[]::new));
                RawClient client = house.client()) {
            for (int i = 0; i < 2; i++) {
                RawClient.Reply reply = client.send(GET).read();
                assertThat(reply.status()).isEqualTo(429);
                assertThat(reply.body()).contains("\"error\":\"TOO_MANY_REQUESTS: ");
                assertThat(head(reply, "RateLimit-Limit")).isEqualTo("50");
                assertThat(head(reply, "RateLimit-Remaining")).isEqualTo("0");
                assertThat(head(reply, "RateLimit-Reset")).isEqualTo("2");
                assertThat(head(reply, "Retry-After")).isEqualTo("2");
                assertThat(head(reply, "X-RateLimit-Reset")).isEqualTo("2");
            }
            RawClient.Reply after = client.send(GET).read();
            assertThat(after.status()).isEqualTo(200);
            assertThat(head(after, "RateLimit-Remaining")).isEqualTo("47");
        }
    }

    @Test
    void delayedRequestIsDoneAndItsRefusalIsMarkedToo() throws IOException {
        always(new Injection.Delayed(Duration.ofMillis(30)));
        Route refusing = new Route(route.operationId(), route.verb(), route.path(), route.permission(), _ -> {
            throw Refused.notFound("Service");
        });
        for (Route each : List.of(route, refusing)) {
            try (TestHouse house = house(each);
                    RawClient client = house.client()) {
                long began = System.nanoTime();
                RawClient.Reply reply = client.send(GET).read();
                assertThat(System.nanoTime() - began)
                        .isGreaterThan(Duration.ofMillis(30).toNanos());
                assertThat(reply.status()).isEqualTo(each.equals(route) ? 200 : 404);
                assertThat(head(reply, FAULT)).isEqualTo("one (delay 30 ms)");
            }
        }
    }

    @Test
    void stopOfTheServerEndsDelays() throws IOException {
        always(new Injection.Delayed(Duration.ofSeconds(60)));
        try (TestHouse house = house(route);
                RawClient client = house.client()) {
            CompletableFuture<Void> stop = CompletableFuture.runAsync(injected::close);
            assertThat(client.send(GET).read().status()).isEqualTo(200);
            stop.join();
        }
    }

    @Test
    void connectionIsCutBeforeAnythingIsDone() throws IOException {
        always(new Injection.Cut(false, Duration.ZERO));
        try (TestHouse house = house(route);
                RawClient client = house.client()) {
            assertThat(client.send(GET).isClosedByServer()).isTrue();
            assertThat(house.onlyRecord().status()).isEqualTo(499);
            assertThat(house.onlyRecord().fault()).isEqualTo("one (cut before)");
            assertThat(done).hasValue(0);
            assertThat(house.failures).isEmpty();
        }
    }

    @Test
    void connectionIsCutAfterTheRequestWasDoneAndItsAnswerIsLost() throws IOException {
        set(new Injection.Cut(true, Duration.ZERO), new Frequency(1, 0, 1, 1));
        Route post = new Route(
                "read", Verb.POST, "/v1/organizations/{organizationId}/services", Permission.SERVICE_READ, request -> {
                    request.object();
                    done.incrementAndGet();
                    return Answer.json("{}".getBytes(StandardCharsets.UTF_8));
                });
        String body = "{\"name\": \"One\"}";
        String request = "POST " + PATH + " HTTP/1.1\r\nHost: a\r\n" + TestHouse.GOOD
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        try (TestHouse house = house(post)) {
            try (RawClient client = house.client()) {
                assertThat(client.send(request).isClosedByServer()).isTrue();
                assertThat(house.onlyRecord().fault()).isEqualTo("one (cut after)");
                assertThat(done).hasValue(1);
            }
            try (RawClient client = house.client()) {
                assertThat(client.send(request).read().status()).isEqualTo(200);
                assertThat(done).hasValue(2);
            }
        }
    }

    @Test
    void whoMayNotAskHearsSoWhateverIsSet() throws IOException {
        always(new Injection.Answered(500, Duration.ZERO, 1));
        try (TestHouse house = house(route);
                RawClient client = house.client()) {
            assertThat(client.send("GET " + PATH + " HTTP/1.1\r\nHost: a\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(401);
            assertThat(injections.standing().injections().getFirst().met()).isZero();
        }
    }

    @Test
    void publicRoutesAreLeftAsTheyAre() {
        PublicRoute open = new PublicRoute("open", Verb.GET, "/open", _ -> Answer.notModified());
        assertThat(injected.around(List.of(open))).containsExactly(open);
    }

    @Test
    void requestCostsNoMemoryWhileNoneIsSet() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 200_000;
        long least = Long.MAX_VALUE;
        for (int measured = 0; measured < 5; measured++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                if (injections.strike("read", TestHouse.KEY, TestHouse.ORGANIZATION) != null) {
                    done.incrementAndGet();
                }
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(done).hasValue(0);
        // Less than a byte for a request: what is left is the measuring itself.
        assertThat(least).isLessThan(rounds / 2);
    }
}
