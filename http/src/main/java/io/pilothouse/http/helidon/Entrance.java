package io.pilothouse.http.helidon;

import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.incoming.tls.TlsServer;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * What several listeners share.
 *
 * @param threads gives every task a thread of its own, a virtual one
 * @param tls ends TLS, where this listener speaks it
 * @param proxies whose word is taken for where a client is
 * @param room for the bytes of requests that are not answered yet
 */
public record Entrance(ExecutorService threads, Room room, Optional<TlsServer> tls, TrustedProxies proxies) {}
