package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.helidon.Entrance;
import io.pilothouse.http.helidon.Listener;
import io.pilothouse.http.helidon.ListenerLimits;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.incoming.tls.TlsFiles;
import io.pilothouse.incoming.tls.TlsServer;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.Option;
import io.pilothouse.server.config.Options;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The listeners; they stop all at once, so that together they take no longer than the slowest of their requests. */
final class Front implements AutoCloseable {
    private final Config config;
    private final Entrance entrance;
    private final ListenerLimits limits;
    private final List<Listener> listeners = new ArrayList<>();

    Front(Config config, Entrance entrance) {
        this.config = config;
        this.entrance = entrance;
        this.limits = ListenerLimits.standard().withConnections(Seats.atMost(config.get(Options.MAX_CONNECTIONS)));
    }

    /** What all listeners share, as the settings say. */
    static Entrance entrance(Config config, ExecutorService threads, Clock clock, SecureRandom random)
            throws StartRefused {
        Optional<Path> certificate = config.find(Options.TLS_CERT);
        Optional<Path> key = config.find(Options.TLS_KEY);
        if (certificate.isPresent() != key.isPresent()) {
            throw new StartRefused("tls-cert and tls-key are given together or not at all.");
        }
        Optional<TlsServer> tls = Optional.empty();
        if (certificate.isPresent() && key.isPresent()) {
            try {
                TlsFiles files = new TlsFiles(certificate.get(), key.get(), random);
                tls = Optional.of(new TlsServer(files, clock));
            } catch (GeneralSecurityException e) {
                throw new StartRefused("The certificate of tls-cert cannot be used: " + e.getMessage(), e);
            }
        }
        return new Entrance(
                threads,
                Room.ofHeap(),
                tls,
                new TrustedProxies(config.find(Options.TRUSTED_PROXIES).orElse(List.of())));
    }

    /** Begins to listen where the option says, and gives the address for clients on this machine. */
    String listen(String name, Option<HostPort> option, Gate gate) throws StartRefused {
        return listen(name, option, limits, gate);
    }

    /** The same for large bodies, which are passed on as they come. */
    String listenForStreams(String name, Option<HostPort> option, Gate gate) throws StartRefused {
        return listen(name, option, limits.forStreams(), gate);
    }

    private String listen(String name, Option<HostPort> option, ListenerLimits limits, Gate gate) throws StartRefused {
        HostPort wanted = config.get(option);
        try {
            InetAddress address = wanted.address();
            Listener listener =
                    Listener.start(name, new InetSocketAddress(address, wanted.port()), limits, gate, entrance);
            listeners.add(listener);
            return wanted.url(entrance.tls().isPresent(), address, listener.port());
        } catch (BindException e) {
            String why = isTaken(e) ? " is taken by another program" : " cannot be listened on";
            throw new StartRefused(wanted + why + ": choose another address with " + option.flag(), e);
        } catch (IOException e) {
            throw new StartRefused(wanted + " cannot be listened on: choose another address with " + option.flag(), e);
        }
    }

    private static boolean isTaken(BindException refusal) {
        return String.valueOf(refusal.getMessage()).contains("in use");
    }

    @Override
    public void close() {
        try (ExecutorService closers = Executors.newVirtualThreadPerTaskExecutor()) {
            listeners.forEach(listener -> closers.execute(listener::close));
        }
    }
}
