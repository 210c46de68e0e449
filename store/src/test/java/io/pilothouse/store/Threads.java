package io.pilothouse.store;

import java.util.concurrent.ThreadFactory;

/** Threads for the writers of tests. */
final class Threads {
    static final ThreadFactory PLATFORM =
            Thread.ofPlatform().name("test-writer-", 0).daemon().factory();

    private Threads() {}
}
