package io.pilothouse.http.wire;

/** Called for every request once, after its answer was sent or given up; must be quick and must not throw. */
@FunctionalInterface
public interface RequestObserver {
    void observe(RequestRecord request);
}
