package io.pilothouse.server.metrics;

import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RequestRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests by operation and status, and how long they took; each operation's counters are there from the start,
 * so that counting one allocates nothing. Safe for many threads.
 */
public final class RequestMetrics implements RequestObserver {
    private static final String NO_OPERATION = "none";
    private static final int STATUSES = 600;
    private static final long[] BOUNDS_IN_MICROS = {
        250,
        500,
        1_000,
        2_500,
        5_000,
        10_000,
        25_000,
        50_000,
        100_000,
        250_000,
        500_000,
        1_000_000,
        2_500_000,
        10_000_000
    };

    private final Map<String, Operation> operations;
    private final Operation noOperation = new Operation();

    public RequestMetrics(List<? extends AnyRoute> routes) {
        Map<String, Operation> known = new HashMap<>();
        routes.forEach(route -> known.put(route.operationId(), new Operation()));
        this.operations = Map.copyOf(known);
    }

    private static final class Operation {
        private final AtomicReferenceArray<LongAdder> byStatus = new AtomicReferenceArray<>(STATUSES);
        private final Distribution took = new Distribution(nanos());

        private static long[] nanos() {
            long[] bounds = new long[BOUNDS_IN_MICROS.length];
            for (int at = 0; at < bounds.length; at++) {
                bounds[at] = TimeUnit.MICROSECONDS.toNanos(BOUNDS_IN_MICROS[at]);
            }
            return bounds;
        }

        private LongAdder counter(int status) {
            int at = status < STATUSES && status > 0 ? status : 0;
            LongAdder counter = byStatus.get(at);
            if (counter != null) {
                return counter;
            }
            LongAdder first = new LongAdder();
            LongAdder faster = byStatus.compareAndExchange(at, null, first);
            return faster == null ? first : faster;
        }
    }

    @Override
    public void observe(RequestRecord request) {
        String operationId = request.operationId();
        Operation operation = operationId == null ? noOperation : operations.getOrDefault(operationId, noOperation);
        operation.counter(request.status()).increment();
        operation.took.add(request.durationNanos());
    }

    public void write(MetricsText text) {
        Map<String, Operation> all = new TreeMap<>(operations);
        all.put(NO_OPERATION, noOperation);
        text.family("pilothouse_requests_total", MetricsText.Kind.COUNTER, "Requests by operation and status.");
        all.forEach((operationId, operation) -> {
            for (int status = 0; status < STATUSES; status++) {
                LongAdder counter = operation.byStatus.get(status);
                if (counter != null) {
                    text.sample(
                            "pilothouse_requests_total",
                            counter.sum(),
                            "operation",
                            operationId,
                            "status",
                            Integer.toString(status));
                }
            }
        });
        text.family(
                "pilothouse_request_duration_seconds",
                MetricsText.Kind.HISTOGRAM,
                "From a request's head to the end of its answer.");
        all.forEach((operationId, operation) -> operation.took.write(
                text, "pilothouse_request_duration_seconds", MetricsText::seconds, "operation", operationId));
    }
}
