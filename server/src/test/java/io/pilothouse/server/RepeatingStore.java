package io.pilothouse.server;

import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work of every write twice, the first time for nothing, and holds it to asking the tables for the same both
 * times: whatever it draws must have been drawn before. It also knows whether a thread is inside a write.
 */
final class RepeatingStore implements Store {
    /** A nonce must never be used twice, so sealing draws one in each run. */
    private static final String SEALED = "sealed\\w+=[^,\\]]*";

    private final Store store;
    private final Clock clock;
    private final ThreadLocal<Boolean> inside;
    private final List<String> faults;

    RepeatingStore(Store store, Clock clock) {
        this(store, clock, ThreadLocal.withInitial(() -> false), new CopyOnWriteArrayList<>());
    }

    private RepeatingStore(Store store, Clock clock, ThreadLocal<Boolean> inside, List<String> faults) {
        this.store = store;
        this.clock = clock;
        this.inside = inside;
        this.faults = faults;
    }

    /** Ends the first run. */
    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Undone() {
            super(null, null, false, false);
        }
    }

    private record Call(String what, String result) {}

    /** The questions of one run to its tables, and their answers. */
    private static final class Run {
        private final List<Call> calls = new ArrayList<>();
        private final SplittableRandom random;

        Run(long seed) {
            this.random = new SplittableRandom(seed);
        }

        Tables over(Tables tables) {
            return (Tables) over("", tables, Tables.class);
        }

        private Object over(String path, Object target, Class<?> type) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                Object[] given = arguments == null ? new Object[0] : arguments;
                String name = path + method.getName();
                Class<?> part = method.getReturnType();
                if (part.isInterface() && part.getPackage() == Tables.class.getPackage()) {
                    return over(name + shown(given) + ".", method.invoke(target, given), part);
                }
                Object result = method.getName().equals("newId")
                        ? RowIds.at((Instant) given[0], random)
                        : invoke(target, method, given);
                calls.add(new Call(name + shown(given), plain(result)));
                return result;
            });
        }

        private static @Nullable Object invoke(Object target, Method method, Object[] given) throws Throwable {
            try {
                return method.invoke(target, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private static String shown(Object[] given) {
            return Arrays.stream(given)
                    .map(value -> value instanceof Runnable ? "a nudge" : plain(value))
                    .collect(Collectors.joining(", ", "(", ")"));
        }

        private static String plain(@Nullable Object value) {
            return String.valueOf(value).replaceAll(SEALED, "");
        }
    }

    @Override
    public <T> T read(Function<Tables, T> work) {
        return store.read(work);
    }

    @Override
    public <T> T write(Function<Tables, T> work) {
        if (inside.get()) {
            return store.write(work);
        }
        Instant before = clock.now();
        long seed = ThreadLocalRandom.current().nextLong();
        Deque<Run> runs = new ArrayDeque<>();
        Function<Tables, T> recorded = tables -> {
            // The store may run it more often than is asked of it.
            runs.add(new Run(seed));
            return inside(() -> work.apply(runs.getLast().over(tables)));
        };
        try {
            store.write(tables -> {
                var _ = recorded.apply(tables);
                throw new Undone();
            });
        } catch (Undone undone) {
            // Now for good.
        }
        T result = store.write(recorded);
        if (before.equals(clock.now())) {
            compare(runs.getFirst().calls, runs.getLast().calls);
        }
        return result;
    }

    private <T> T inside(Supplier<T> work) {
        inside.set(true);
        try {
            return work.get();
        } finally {
            inside.set(false);
        }
    }

    /** Stops where another's write in between has made a difference. */
    private void compare(List<Call> first, List<Call> second) {
        for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
            String one = i < first.size() ? first.get(i).what() : "no more";
            String other = i < second.size() ? second.get(i).what() : "no more";
            if (!one.equals(other)) {
                faults.add("work that was run again asked for another thing: " + one + ", then " + other);
                return;
            }
            if (!first.get(i).result().equals(second.get(i).result())) {
                return;
            }
        }
    }

    /** Refuses what reaches outside from inside a write. */
    void requireOutside(String what) {
        if (inside.get()) {
            faults.add("reached from inside a write: " + what);
            throw new AssertionError(faults.getLast());
        }
    }

    /** The mistakes so far. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public Store forTheEngine() {
        return new RepeatingStore(store.forTheEngine(), clock, inside, faults);
    }

    @Override
    public boolean reachable() {
        return store.reachable();
    }

    @Override
    public void close() {
        store.close();
    }
}
