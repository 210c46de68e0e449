package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A JVM that runs ClickHouse and has work of its own meanwhile, in which it is stopped again and again. */
public final class BusyProcess {
    public static final String UNHARMED = "unharmed";

    private BusyProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread database = new Thread(
                null,
                () -> {
                    try {
                        new NativeCalls()
                                .runDatabase(
                                        Path.of(arguments[0]),
                                        List.of("clickhouse", "--query", "SELECT sleep(2) FORMAT Null"));
                    } catch (IOException failure) {
                        throw new AssertionError(failure);
                    }
                },
                "engine",
                8L << 20);
        Thread stops = new Thread(
                () -> {
                    while (database.isAlive()) {
                        System.gc();
                    }
                },
                "stops");
        database.start();
        stops.start();
        long done = 0;
        while (database.isAlive()) {
            done += work();
        }
        stops.join();
        System.out.println(done > 0 ? UNHARMED : "idle");
    }

    private static long work() {
        long sum = 0;
        for (int i = 0; i < 1_000_000; i++) {
            sum += i;
        }
        return sum;
    }
}
