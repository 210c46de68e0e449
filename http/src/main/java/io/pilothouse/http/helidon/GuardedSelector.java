package io.pilothouse.http.helidon;

import io.helidon.common.Builder;
import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.pilothouse.http.wire.Gate;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** Puts a guard around every connection of a protocol. */
final class GuardedSelector implements ServerConnectionSelector {
    private final ServerConnectionSelector inner;
    private final ListenerLimits limits;
    private final TransportErrors errors;
    private final AtomicBoolean stopping;
    private final Router router;

    GuardedSelector(ServerConnectionSelector inner, Gate gate, ListenerLimits limits, AtomicBoolean stopping) {
        this.inner = inner;
        this.limits = limits;
        this.errors = new TransportErrors(gate);
        this.stopping = stopping;
        GateRouting routing = new GateRouting(gate, limits, stopping);
        this.router = Router.builder().addRouting(new ReadyRouting(routing)).build();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        GuardedContext guarded = new GuardedContext(context, limits, router);
        return new GuardedConnection(inner.connection(guarded), guarded, errors, stopping);
    }

    /** The builder of a routing, which a router requires in place of the routing itself. */
    private record ReadyRouting(GateRouting routing) implements Builder<ReadyRouting, GateRouting> {
        @Override
        public GateRouting build() {
            return routing;
        }
    }

    @Override
    public int bytesToIdentifyConnection() {
        return inner.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return inner.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return inner.supportedApplicationProtocols();
    }
}
