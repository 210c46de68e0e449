package io.pilothouse.core.port;

/** A nudge that there is work in the store; losing one costs a poll's delay and nothing else, so it never fails. */
@FunctionalInterface
public interface Wake {
    void nudge();
}
