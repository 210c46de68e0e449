package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiRaw;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/**
 * Thousands of hostile requests: each is refused in the shape of every refusal, or hung up on where it is no HTTP, and
 * afterwards the house is as it was.
 */
class FuzzTest {
    private static final int ROUNDS = Walk.length(5_200, 250_000);
    private static final int WORKERS = 4;
    private static final int SLOW_SENDERS = 8;

    @RegisterExtension
    static final House house = House.start();

    private final FuzzGround ground = new FuzzGround(house);
    private final List<Function<RandomGenerator, FuzzRequest>> makers = makers();
    private final Map<String, String> wrongs = new ConcurrentHashMap<>();

    private List<Function<RandomGenerator, FuzzRequest>> makers() {
        List<Function<RandomGenerator, FuzzRequest>> all = new ArrayList<>();
        FuzzBodies bodies = new FuzzBodies(ground);
        bodies.names().forEach(name -> all.add(random -> bodies.request(name, random)));
        FuzzHeads heads = new FuzzHeads(ground);
        heads.names().forEach(name -> all.add(random -> heads.request(name, random)));
        FuzzWires wires = new FuzzWires(ground);
        // HTTP can be broken in more ways than one.
        for (int i = 0; i < 6; i++) {
            all.add(wires::known);
            all.add(wires::mutated);
        }
        all.add(wires::noise);
        all.add(wires::oversized);
        all.add(wires::cutShort);
        return all;
    }

    @Test
    void hostileRequestsAreRefusedAndLeaveTheHouseAsItWas() throws InterruptedException, ExecutionException {
        Walk walk = Walk.begin(FuzzTest.class);
        house.settle();
        List<JsonNode> before = everything();
        // A file that is opened on first use is not a leak.
        attack(walk, 0, ROUNDS / 10);
        int threads = threads();
        long files = openFiles();
        List<ApiRaw> slow = beginSlowly();
        attack(walk, WORKERS, ROUNDS - ROUNDS / 10);
        endSlowly(slow);
        assertThat(wrongs.values()).as("what was answered wrongly, %s", walk).isEmpty();
        assertThat(everything()).as("what is there, %s", walk).isEqualTo(before);
        await("the connections to be closed", () -> openFiles() <= files);
        await("the threads to end", () -> threads() <= threads);
        JsonNode service = ground.tenant().made("{'name': 'Still served'}");
        house.settle();
        assertThat(ground.tenant().get(service).path("state").asString()).isEqualTo("running");
    }

    private List<JsonNode> everything() {
        Tenant tenant = ground.tenant();
        List<JsonNode> all = new ArrayList<>();
        for (String path : List.of(tenant.path(), tenant.services(), tenant.path() + "/activities")) {
            all.add(tenant.admin().get(path).ok());
        }
        tenant.admin().get(tenant.keys()).ok().forEach(key -> all.add(key.path("name")));
        all.add(house.root()
                .get("/v1/organizations/" + house.homeId() + "/activities")
                .ok());
        return all;
    }

    private void attack(Walk walk, int firstWalker, int rounds) throws InterruptedException, ExecutionException {
        List<Future<?>> workers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int worker = 0; worker < WORKERS; worker++) {
                RandomGenerator random = walk.random(firstWalker + worker);
                int first = worker;
                workers.add(threads.submit(() -> attackAlone(random, first, rounds)));
            }
        }
        for (Future<?> worker : workers) {
            worker.get();
        }
    }

    /** Every way in turn, and in each of them chance. */
    private void attackAlone(RandomGenerator random, int first, int rounds) {
        ApiRaw connection = house.raw();
        try {
            for (int round = first; round < rounds; round += WORKERS) {
                FuzzRequest request = makers.get(round % makers.size()).apply(random);
                if (!survives(connection, request)) {
                    connection.close();
                    connection = house.raw();
                }
            }
        } finally {
            connection.close();
        }
    }

    /** Sends one request and judges what comes of it; says whether the connection can take another. */
    private boolean survives(ApiRaw connection, FuzzRequest request) {
        boolean http = request.outcome() == FuzzRequest.Outcome.REFUSED;
        try {
            connection.send(request.bytes());
            if (!http) {
                connection.endOutput();
            }
            Optional<ApiAnswer> answer = http
                    ? Optional.of(connection.read(request.method(), request.target()))
                    : connection.readIfAny(request.name());
            answer.ifPresent(given -> requireExpected(request, given));
            return http && answer.stream().noneMatch(given -> "close".equals(given.header("connection")));
        } catch (AssertionError | RuntimeException wrong) {
            // Reported at the end, one of each kind, so that a run shows all that it found.
            wrongs.putIfAbsent(request.name(), request + "\n" + wrong);
            return false;
        }
    }

    private static void requireExpected(FuzzRequest request, ApiAnswer answer) {
        boolean refused = answer.status() >= 400 && answer.status() < 500;
        boolean harmless = request.outcome() == FuzzRequest.Outcome.ANY && answer.status() == 200;
        assertThat(refused || harmless).as("%s is refused", answer).isTrue();
    }

    private static List<ApiRaw> beginSlowly() {
        List<ApiRaw> slow = new ArrayList<>();
        for (int i = 0; i < SLOW_SENDERS; i++) {
            ApiRaw connection = house.raw();
            String head = "GET /v1/organizations HTTP/1.1\r\nHost: slow\r\nX: ";
            connection.send(head.substring(0, 1 + i * (head.length() - 1) / SLOW_SENDERS));
            slow.add(connection);
        }
        return slow;
    }

    private static void endSlowly(List<ApiRaw> slow) {
        for (ApiRaw connection : slow) {
            connection
                    .readIfAny("a slow sender")
                    .ifPresent(answer -> assertThat(answer.status()).isEqualTo(408));
            assertThat(connection.isClosedByServer()).isTrue();
            connection.close();
        }
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long openFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    private static void await(String what, BooleanSupplier condition) {
        // The idle threads that live longest, those of the HTTP client, end after a minute.
        long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the time for %s", what).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
