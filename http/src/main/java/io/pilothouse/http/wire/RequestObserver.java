package io.pilothouse.http.wire;

/** Hears of every request once, after its answer went out or was given up; must be quick and must not throw. */
@FunctionalInterface
public interface RequestObserver {
    void observe(RequestRecord request);
}
