package io.pilothouse.server.connect;

import io.pilothouse.core.port.Clock;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsLeaves;
import io.pilothouse.incoming.tls.TlsServer;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.pipes.ConnectCluster;
import io.pilothouse.pipes.ConnectDoor;
import io.pilothouse.pipes.Connectors;
import io.pilothouse.server.config.HostPort;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Opens the door for tasks of Kafka Connect, with a certificate of the program's own authority for the name they use. */
public final class ConnectOpening {
    private static final Duration CONNECTS_WITHIN = Duration.ofSeconds(3);
    private static final int BACKLOG = 128;
    private static final int TOKEN_BYTES = 32;

    private final TlsAuthority authority;
    private final Clock clock;
    private final SecureRandom random;
    private final ThreadFactory readers;

    /** {@code authority} is the program's own. */
    public ConnectOpening(TlsAuthority authority, Clock clock, SecureRandom random, ThreadFactory readers) {
        this.authority = authority;
        this.clock = clock;
        this.random = random;
        this.readers = readers;
    }

    /** {@code workers} are the addresses of the cluster; tasks come to {@code named} where that is not {@code listen}. */
    public ConnectCluster open(List<String> workers, HostPort listen, Optional<HostPort> named)
            throws IOException, GeneralSecurityException {
        Set<String> names = new LinkedHashSet<>();
        names.add(named.orElse(listen).host());
        names.add(listen.host());
        TlsServer tls = new TlsServer(new TlsLeaves(authority, List.copyOf(names)), clock);
        String certificate = Files.readString(authority.certificateFile());
        ServerSocket listening = new ServerSocket(listen.port(), BACKLOG, listen.address());
        ConnectDoor door = new ConnectDoor(
                listening,
                accepted -> {
                    SSLSocket secured = tls.accept(accepted, new byte[0], Optional.empty());
                    secured.startHandshake();
                    return secured;
                },
                readers);
        HostPort address = named.orElseGet(() -> new HostPort(listen.host(), listening.getLocalPort()));
        OutgoingHttp http = new OutgoingHttp(
                OutgoingHttp.Resolver.ofMachine(),
                () -> (SSLSocketFactory) SSLSocketFactory.getDefault(),
                CONNECTS_WITHIN);
        Connectors connectors = new RestConnectors(http, workers);
        door.begin();
        return new ConnectCluster(connectors, door, address.toString(), certificate, this::token);
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
