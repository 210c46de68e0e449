package io.pilothouse.http.helidon;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpSecurity;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.pilothouse.http.wire.Gate;
import java.util.concurrent.atomic.AtomicBoolean;

/** Hands every request of the HTTP server to the gate, past the server's own routing and its error pages. */
final class GateRouting implements HttpRouting {
    private static final int UNAVAILABLE = 503;
    private static final String RETRY_AFTER = "1";
    private static final String NO_SEAT = "Too many connections are open: try again";

    private final Gate gate;
    private final ListenerLimits limits;
    private final AtomicBoolean stopping;
    private final HttpSecurity security = HttpSecurity.create();

    GateRouting(Gate gate, ListenerLimits limits, AtomicBoolean stopping) {
        this.gate = gate;
        this.limits = limits;
        this.stopping = stopping;
    }

    @Override
    public void route(ConnectionContext context, RoutingRequest request, RoutingResponse response) {
        if (!(context instanceof GuardedContext guarded)) {
            throw new IllegalStateException("Every connection of this listener is guarded");
        }
        guarded.beginWork();
        HelidonExchange exchange = new HelidonExchange(request, response, guarded, limits, stopping.get());
        try {
            if (guarded.turnedAway()) {
                exchange.answer(gate.refuse(UNAVAILABLE, "UNAVAILABLE", NO_SEAT).with("Retry-After", RETRY_AFTER));
            } else {
                gate.handle(exchange);
            }
        } catch (RuntimeException givenUp) {
            // The gate has logged it: here it only means that nothing more can be sent on this connection.
            throw new CloseConnectionException("The answer was broken off", givenUp);
        }
        exchange.finish();
    }

    @Override
    public HttpSecurity security() {
        return security;
    }
}
