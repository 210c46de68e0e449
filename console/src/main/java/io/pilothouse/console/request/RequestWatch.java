package io.pilothouse.console.request;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RequestRecord;
import java.util.List;

/** Keeps what passes a gate of the API in a ring, if that is wanted. Requests for pages of the console are not of the API. */
public final class RequestWatch implements RequestObserver {
    static final String QUERIES = "/service/";

    private static final List<String> OF_THE_API = List.of("/v1/", QUERIES);
    private static final long MAX_BYTES_OF_ONE = 1_000_000;
    private static final long MAX_BYTES = 8_000_000;

    private final Clock clock;
    private final boolean wanted;
    private final RequestRing ring = new RequestRing(MAX_BYTES_OF_ONE, MAX_BYTES);

    public RequestWatch(Clock clock, boolean wanted) {
        this.clock = clock;
        this.wanted = wanted;
    }

    public RequestRing ring() {
        return ring;
    }

    @Override
    public Exchange watched(Exchange exchange) {
        return wanted && OF_THE_API.stream().anyMatch(exchange.path()::startsWith)
                ? new WatchedExchange(exchange, ring, clock.now(), System.nanoTime())
                : exchange;
    }

    /** The exchange itself says what is kept, with its bodies. */
    @Override
    public void observe(RequestRecord request) {}
}
