package io.pilothouse.http.wire;

import java.util.List;

/** Called for every request once, after its answer was sent or given up; must be quick and must not throw. */
@FunctionalInterface
public interface RequestObserver {
    void observe(RequestRecord request);

    /** Each of these in turn. */
    static RequestObserver all(List<RequestObserver> observers) {
        return request -> {
            for (RequestObserver observer : observers) {
                observer.observe(request);
            }
        };
    }
}
