package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.helidon.Entrance;
import io.pilothouse.http.helidon.Listener;
import io.pilothouse.http.helidon.ListenerLimits;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsFiles;
import io.pilothouse.incoming.tls.TlsLeaves;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The listeners; they stop all at once, so that together they take no longer than the slowest of their requests. */
final class Front implements AutoCloseable {
    /** For clients on this machine. */
    private static final List<String> ALWAYS_NAMED = List.of("localhost", "127.0.0.1", "::1");

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
    static Entrance entrance(Config config, Home home, ExecutorService threads, Clock clock, SecureRandom random)
            throws StartRefused {
        return new Entrance(
                threads,
                Room.ofHeap(),
                tls(config, home, clock, random),
                new TrustedProxies(config.find(Options.TRUSTED_PROXIES).orElse(List.of())));
    }

    private static Optional<TlsServer> tls(Config config, Home home, Clock clock, SecureRandom random)
            throws StartRefused {
        Optional<Path> certificate = config.find(Options.TLS_CERT);
        Optional<Path> key = config.find(Options.TLS_KEY);
        Optional<List<String>> names = config.find(Options.TLS_NAMES);
        if (certificate.isPresent() != key.isPresent() || (certificate.isPresent() && names.isPresent())) {
            throw new StartRefused(
                    "tls-cert and tls-key are given together or not at all, and tls-names without them.");
        }
        try {
            if (certificate.isPresent() && key.isPresent()) {
                return Optional.of(new TlsServer(new TlsFiles(certificate.get(), key.get(), random), clock));
            }
            if (names.isPresent()) {
                Set<String> all = new LinkedHashSet<>(names.get());
                all.addAll(ALWAYS_NAMED);
                TlsAuthority authority = home.openAuthority(clock, random);
                return Optional.of(new TlsServer(new TlsLeaves(authority, List.copyOf(all)), clock));
            }
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new StartRefused("The certificate of tls-cert cannot be used: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        }
    }

    /** What clients of the listeners have to trust, where that is the program's own authority. */
    static Optional<Path> authority(Config config, Home home) {
        return config.find(Options.TLS_NAMES).map(names -> home.authority().resolve(TlsAuthority.CERTIFICATE_FILE));
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
