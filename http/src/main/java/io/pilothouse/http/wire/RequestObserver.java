package io.pilothouse.http.wire;

import java.util.List;

/** Called for every request once, after its answer was sent or given up; must be quick and must not throw. */
@FunctionalInterface
public interface RequestObserver {
    void observe(RequestRecord request);

    /** The exchange to handle instead of this one, for one who watches what passes. */
    default Exchange watched(Exchange exchange) {
        return exchange;
    }

    /** Each of these in turn. */
    static RequestObserver all(List<RequestObserver> observers) {
        return new RequestObserver() {
            @Override
            public void observe(RequestRecord request) {
                for (RequestObserver observer : observers) {
                    observer.observe(request);
                }
            }

            @Override
            public Exchange watched(Exchange exchange) {
                Exchange watched = exchange;
                for (RequestObserver observer : observers) {
                    watched = observer.watched(watched);
                }
                return watched;
            }
        };
    }
}
