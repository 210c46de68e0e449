package io.pilothouse.server;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test has started so far, ended the last one first: also where one after it does not start, or is skipped. */
final class StartedParts {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T started) {
        all.push(started);
        return started;
    }

    void endAll() throws Exception {
        while (!all.isEmpty()) {
            all.pop().close();
        }
    }
}
