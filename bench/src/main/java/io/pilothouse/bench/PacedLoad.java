package io.pilothouse.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Requests at a given rate, whether the earlier ones were answered or not: the time of each counts from when it was
 * due, so that a server that stalls is charged for it.
 */
final class PacedLoad {
    private static final int CLIENTS = 64;

    private PacedLoad() {}

    /** How long the reads and the writes took. */
    record Latencies(Spread reads, Spread writes) {}

    /** In milliseconds. */
    record Spread(double median, double p99) {}

    /** Request number n is {@code mix.apply(n)}; one that is not a GET is a write. */
    static Latencies run(URI server, IntFunction<Request> mix, int perSecond, Duration time)
            throws IOException, InterruptedException {
        int total = Math.toIntExact(time.toSeconds() * perSecond);
        long[] took = new long[total];
        long begun = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        long between = TimeUnit.SECONDS.toNanos(1) / perSecond;
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                clients.add(threads.submit(() -> {
                    try (Wire wire = new Wire(server)) {
                        for (int number = first; number < total; number += CLIENTS) {
                            long due = begun + number * between;
                            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                            wire.exchange(mix.apply(number));
                            took[number] = System.nanoTime() - due;
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("The load failed", e);
        }
        return new Latencies(spread(took, mix, true), spread(took, mix, false));
    }

    private static Spread spread(long[] took, IntFunction<Request> mix, boolean reads) {
        long[] sorted = IntStream.range(0, took.length)
                .filter(number -> mix.apply(number).method().equals("GET") == reads)
                .mapToLong(number -> took[number])
                .sorted()
                .toArray();
        return new Spread(millis(sorted, 0.5), millis(sorted, 0.99));
    }

    private static double millis(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) (sorted.length * share)] / 1e6;
    }
}
