package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Writers that make and change services, each time through another program, and look at them through a third; and what
 * everyone must see from then on.
 */
final class SharedLoad implements AutoCloseable {
    private static final int WRITERS = 6;
    private static final int SERVICES_OF_A_WRITER = 6;
    private static final int ANSWERS = 15;
    private static final long BETWEEN_WRITES_MILLIS = 100;
    private static final long PATIENCE_NANOS = 180_000_000_000L;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    private final SharedFleet fleet;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** The names that a service may have because a change of it was not answered, since the last that was. */
    private final Map<String, Set<String>> maybe = new ConcurrentHashMap<>();

    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicInteger answers = new AtomicInteger();
    private final ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor();

    SharedLoad(SharedFleet fleet, Walk walk) {
        this.fleet = fleet;
        for (int writer = 0; writer < WRITERS; writer++) {
            int number = writer;
            writers.execute(() -> write(number, walk.random(number + 1)));
        }
    }

    /** What must be shown, by the ids of services. */
    Map<String, String> names() {
        return names;
    }

    Queue<String> faults() {
        return faults;
    }

    boolean mayHave(String id, String name) {
        return name.equals(names.get(id)) || maybe.getOrDefault(id, Set.of()).contains(name);
    }

    /** Waits until more was answered, so that what comes next meets work. */
    void awaitAnswers() throws InterruptedException {
        int before = answers.get();
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (answers.get() < before + ANSWERS) {
            assertThat(faults).isEmpty();
            assertThat(System.nanoTime()).as("the time to write").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private void write(int writer, RandomGenerator random) {
        Map<Integer, String> mine = new HashMap<>();
        try {
            for (int number = 0; !enough.get(); number++) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_WRITES_MILLIS);
                int place = random.nextInt(SERVICES_OF_A_WRITER);
                String name = "Service " + writer + " " + number;
                String id = mine.get(place);
                Answer answer = id == null
                        ? ask(random, "POST", "/services", "{\"name\": \"" + name + "\"}")
                        : change(random, id, name);
                if (answer.status() == 200) {
                    String made = id == null ? idIn(answer.body()) : id;
                    mine.put(place, made);
                    names.put(made, name);
                    maybe.remove(made);
                    answers.incrementAndGet();
                    look(random, made, name);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            faults.add(e.toString());
        }
    }

    private Answer change(RandomGenerator random, String id, String name) throws InterruptedException {
        maybe.computeIfAbsent(id, _ -> ConcurrentHashMap.newKeySet()).add(name);
        return ask(random, "PATCH", "/services/" + id, "{\"name\": \"" + name + "\"}");
    }

    private void look(RandomGenerator random, String id, String name) throws InterruptedException {
        Answer answer = ask(random, "GET", "/services/" + id, "");
        if (answer.status() == 200 && !answer.body().contains("\"" + name + "\"")) {
            faults.add("after its answer, " + name + " is not in " + answer.body());
        }
    }

    /** What came of a request; the status is 0 if nothing did, which only a program that was disturbed may do. */
    private record Answer(int status, String body) {}

    private Answer ask(RandomGenerator random, String method, String path, String body) throws InterruptedException {
        int program = random.nextInt(SharedFleet.PROGRAMS);
        boolean before = fleet.isDisturbed(program);
        try {
            HttpResponse<String> answer = fleet.program(program).send(method, path, body, ANSWER_WITHIN);
            boolean busy = answer.statusCode() == 503
                    && answer.headers().firstValue("Retry-After").isPresent();
            if (answer.statusCode() != 200 && !busy) {
                faults.add(
                        method + " " + path + ": " + answer.statusCode() + " " + answer.body() + lastErrors(program));
            }
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            if (!before && !fleet.isDisturbed(program)) {
                faults.add(method + " " + path + ": " + e);
            }
            return new Answer(0, "");
        }
    }

    private String lastErrors(int program) throws IOException {
        String errors = fleet.program(program).program().errors();
        return " " + errors.substring(Math.max(0, errors.length() - 4_000));
    }

    static String idIn(String body) {
        return ApiJson.read(body.getBytes(StandardCharsets.UTF_8))
                .path("result")
                .path("service")
                .path("id")
                .asString();
    }

    /** Ends once each writer has its last answer. */
    @Override
    public void close() {
        enough.set(true);
        writers.close();
    }

    /** The programs, each once, in any order. */
    static List<Integer> anyOrder(RandomGenerator random) {
        int first = random.nextInt(SharedFleet.PROGRAMS);
        int second = (first + 1 + random.nextInt(SharedFleet.PROGRAMS - 1)) % SharedFleet.PROGRAMS;
        return List.of(first, second, SharedFleet.PROGRAMS - first - second);
    }
}
