package io.pilothouse.gateway;

import java.net.InetSocketAddress;

/** Whether, and where, a service's database can be reached over one protocol. */
public sealed interface GatewayReach {
    /** The database listens here. */
    record Ready(InetSocketAddress address) implements GatewayReach {}

    /** Nothing listens yet, and waking the service (or waiting for its start) will change that; why, for its clients. */
    record Asleep(String sentence) implements GatewayReach {
        public Asleep() {
            this("The database is still starting.");
        }
    }

    /** This database never speaks the protocol; the sentence is shown to the client. */
    record Unsupported(String sentence) implements GatewayReach {}

    /** The service does not run and must not be woken by a client; the sentence is shown to the client. */
    record Unavailable(String sentence) implements GatewayReach {}

    /** Another gateway serves it; the sentence says which and is shown to the client. */
    record Elsewhere(String sentence) implements GatewayReach {}
}
