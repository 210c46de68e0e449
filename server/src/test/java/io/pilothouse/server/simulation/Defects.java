package io.pilothouse.server.simulation;

import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.testkit.StoreAround;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Stores with a defect each, which a simulation has to find. */
final class Defects {
    private static final int MAX_LANE = 100;

    private Defects() {}

    /** What an interface does for a call of this name, in place of what it did. */
    @FunctionalInterface
    private interface Spoiled {
        Object answer(Object given, Object[] arguments);
    }

    private static <T> T spoil(Class<T> type, T sound, String method, Spoiled spoiled) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, called, arguments) -> {
                    try {
                        Object given = called.invoke(sound, arguments);
                        return called.getName().equals(method) ? spoiled.answer(given, arguments) : given;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** Each work gets tables that are spoiled in this way. */
    private static Store with(Store store, Function<Tables, Tables> spoil) {
        return new StoreAround(store) {
            @Override
            public <T> T read(Function<Tables, T> work) {
                return store.read(tables -> work.apply(spoil.apply(tables)));
            }

            @Override
            public <T> T write(Function<Tables, T> work) {
                return store.write(tables -> work.apply(spoil.apply(tables)));
            }
        };
    }

    /** Of all writes, each hundredth is answered and not kept. */
    static Store forgetful(Store store) {
        return new StoreAround(store) {
            private int writes;

            @Override
            public <T> T write(Function<Tables, T> work) {
                return ++writes % 100 == 0 ? forgotten(work) : store.write(work);
            }

            private <T> T forgotten(Function<Tables, T> work) {
                List<T> result = new ArrayList<>();
                try {
                    return store.write(tables -> {
                        result.add(work.apply(tables));
                        throw new IllegalStateException("forgotten");
                    });
                } catch (IllegalStateException e) {
                    if (result.isEmpty()) {
                        throw e;
                    }
                    return result.getLast();
                }
            }
        };
    }

    /** A port is given to everybody who asks for it. */
    static Store givingPortsTwice(Store store) {
        return with(
                store,
                tables -> spoil(Tables.class, tables, "ports", (given, _) -> new Ports() {
                    @Override
                    public void reserve(UUID serviceId, List<Integer> ports) {}

                    @Override
                    public void release(UUID serviceId, List<Integer> ports, Instant now) {}

                    @Override
                    public Known known() {
                        return ((Ports) given).known();
                    }
                }));
    }

    /** Of a lane, the newest message is sent first. */
    static Store overtaking(Store store) {
        return with(
                store,
                tables -> spoil(
                        Tables.class,
                        tables,
                        "of",
                        (given, arguments) -> Delivery.KIND.equals(arguments[0]) ? newestFirst(given) : given));
    }

    /** The pipes of a service are not found when it is deleted. */
    static Store losingSightOfPipes(Store store) {
        return with(
                store,
                tables -> spoil(
                        Tables.class,
                        tables,
                        "of",
                        (given, arguments) -> Pipe.KIND.equals(arguments[0])
                                ? spoil(Table.class, (Table<?>) given, "page", (_, _) -> List.of())
                                : given));
    }

    /** A task is given back by anybody, also by one who has lost it. */
    static Store ignoringTokens(Store store) {
        return withTasks(store, tasks -> spoil(Tasks.class, tasks, "release", (_, _) -> true));
    }

    /** A process that looks for work ends the leases of all others. */
    static Store endingLeases(Store store) {
        return withTasks(
                store,
                tasks -> prepare(
                        Tasks.class,
                        tasks,
                        "claim",
                        arguments -> tasks.endLeases((Instant) arguments[1], (Instant) arguments[2])));
    }

    /** A lease lasts for an hour, whatever was asked for. */
    static Store makingLongLeases(Store store) {
        return withTasks(
                store,
                tasks -> prepare(
                        Tasks.class,
                        tasks,
                        "claim",
                        arguments -> arguments[2] = ((Instant) arguments[2]).plus(Duration.ofHours(1))));
    }

    private static Store withTasks(Store store, UnaryOperator<Tasks> spoiled) {
        return with(store, tables -> spoil(Tables.class, tables, "tasks", (given, _) -> spoiled.apply((Tasks) given)));
    }

    /** Before a call of this name something happens, perhaps to its arguments. */
    private static <T> T prepare(Class<T> type, T sound, String method, Consumer<Object[]> first) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        first.accept(arguments);
                    }
                    try {
                        return called.invoke(sound, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Object newestFirst(Object table) {
        @SuppressWarnings("unchecked")
        Table<Delivery> deliveries = (Table<Delivery>) table;
        return spoil(Table.class, deliveries, "findByReference", (_, arguments) -> {
            Optional<Delivery> newest = deliveries.listByReference((String) arguments[0], MAX_LANE).stream()
                    .max(Comparator.comparing(Delivery::createdAt));
            return newest;
        });
    }
}
