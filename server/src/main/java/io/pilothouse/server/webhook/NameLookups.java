package io.pilothouse.server.webhook;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that look up names: a lookup cannot be interrupted, and would hold the carrier of a virtual thread. */
public final class NameLookups {
    private static final int MAX_LOOKUPS = 16;
    private static final int IDLE_SECONDS = 10;

    private NameLookups() {}

    public static ExecutorService threads() {
        return new ThreadPoolExecutor(
                0,
                MAX_LOOKUPS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("name-lookup-", 0).factory());
    }
}
