package io.pilothouse.server;

import io.pilothouse.console.ApiPlace;
import io.pilothouse.console.Console;
import io.pilothouse.console.request.RequestWatch;
import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.query.QueryRuns;
import io.pilothouse.http.helidon.Entrance;
import io.pilothouse.http.helidon.Listener;
import io.pilothouse.http.helidon.ListenerLimits;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.BasicAuthentication;
import io.pilothouse.http.wire.BearerAuthentication;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Plain;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RouteTable;
import io.pilothouse.incoming.CalledAddress;
import io.pilothouse.incoming.Guesses;
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
import io.pilothouse.server.emulator.Emulator;
import io.pilothouse.server.log.LogWriter;
import io.pilothouse.server.log.RequestLines;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
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

/** The listeners with the gates behind them; they stop all at once, so that together they take no longer than the slowest of their requests. */
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

    /** The operations of each listener but the console's. */
    record Routes(
            List<AnyRoute> management,
            List<AnyRoute> alerts,
            List<AnyRoute> queries,
            List<AnyRoute> controls,
            List<PublicRoute> admin) {}

    /** By what clients are let in, how often, and what runs their SQL. */
    record Doors(Credentials credentials, Guesses logins, RateLimit rates, QueryRuns runs) {}

    /** What hears of requests: the metrics of all, the counter of alerts, the history, and one from outside. */
    record Observers(
            RequestObserver metrics, RequestObserver counter, RequestObserver history, RequestObserver outside) {}

    /** What is behind the listeners. */
    record Behind(
            ApiWiring api,
            Emulator emulator,
            Routes routes,
            Doors doors,
            Observers observers,
            LogWriter log,
            Clock clock,
            SecureRandom random) {}

    /** Begins to listen everywhere; {@code authority} is what clients have to trust, if it is the program's own. */
    Urls open(Behind behind, Optional<Path> authority) throws StartRefused {
        RateLimit rates = behind.doors().rates();
        RequestWatch seen = new RequestWatch(behind.clock(), config.get(Options.CONSOLE));
        boolean apart = config.consoleIsApart();
        boolean beside = config.get(Options.CONSOLE) && !apart;
        List<AnyRoute> shown =
                new ArrayList<>(behind.emulator().around(behind.routes().management()));
        shown.addAll(behind.routes().controls());
        if (beside) {
            shown.addAll(console(behind, ApiPlace.beside(), rates, seen, lines(behind, "management")));
        }
        String base = listen("management", Options.LISTEN, management(behind, shown, rates, seen));
        Optional<String> console = beside ? Optional.of(base) : Optional.empty();
        if (apart) {
            console = Optional.of(listenForPages(behind, placeOf(base), rates, seen));
        }
        return new Urls(
                base,
                listen("alerts", Options.ALERTS_LISTEN, alerts(behind, rates)),
                listenForStreams("query", Options.QUERY_LISTEN, queries(behind, rates, seen)),
                listen(
                        "admin",
                        Options.ADMIN_LISTEN,
                        Gate.open(behind.routes().admin(), new Plain(), request -> {}, lines(behind, "admin"))),
                console,
                authority);
    }

    private RequestLines lines(Behind behind, String listener) {
        return new RequestLines(behind.log(), config.get(Options.LOG_LEVEL), listener);
    }

    private Gate management(Behind behind, List<AnyRoute> shown, RateLimit rates, RequestWatch seen) {
        Observers observers = behind.observers();
        RequestLines lines = lines(behind, "management");
        return new Gate(
                new RouteTable(shown, behind.api().unserved()),
                new BasicAuthentication(
                        behind.doors().credentials(), behind.doors().logins()),
                rates,
                new Enveloped(),
                RequestObserver.all(List.of(
                        observers.metrics(),
                        observers.counter(),
                        observers.history(),
                        lines,
                        observers.outside(),
                        seen)),
                lines);
    }

    private Gate alerts(Behind behind, RateLimit rates) {
        Observers observers = behind.observers();
        RequestLines lines = lines(behind, "alerts");
        return new Gate(
                new RouteTable(behind.emulator().around(behind.routes().alerts())),
                new BearerAuthentication(
                        behind.doors().credentials(), behind.doors().logins()),
                rates,
                new Plain(),
                RequestObserver.all(List.of(
                        observers.metrics(), observers.counter(), observers.history(), lines, observers.outside())),
                lines);
    }

    private Gate queries(Behind behind, RateLimit rates, RequestWatch seen) {
        Observers observers = behind.observers();
        RequestLines lines = lines(behind, "query");
        return new Gate(
                new RouteTable(behind.emulator().around(behind.routes().queries())),
                new BasicAuthentication(
                        behind.doors().credentials(), behind.doors().logins()),
                rates,
                new Enveloped(),
                RequestObserver.all(List.of(observers.metrics(), observers.history(), lines, seen)),
                lines);
    }

    /** The console on a listener of its own, where nothing but its pages is. */
    private String listenForPages(Behind behind, ApiPlace place, RateLimit rates, RequestWatch seen)
            throws StartRefused {
        RequestLines lines = lines(behind, "console");
        RequestObserver observer = RequestObserver.all(
                List.of(behind.observers().metrics(), lines, behind.observers().outside()));
        return listen(
                "console",
                Options.CONSOLE_LISTEN,
                Gate.open(console(behind, place, rates, seen, lines), new Enveloped(), observer, lines));
    }

    private static List<PublicRoute> console(
            Behind behind, ApiPlace place, RateLimit rates, RequestWatch seen, RequestLines lines) {
        Observers observers = behind.observers();
        Console.Api api = new Console.Api(
                behind.routes().management(),
                behind.routes().alerts(),
                behind.doors().credentials(),
                behind.doors().logins(),
                rates,
                RequestObserver.all(List.of(observers.counter(), observers.history(), seen)),
                lines,
                seen);
        return behind.api()
                .console(
                        api.with(behind.routes().controls()),
                        place,
                        behind.doors().runs(),
                        behind.random());
    }

    /** Where the management API is for readers of pages on another listener. */
    private ApiPlace placeOf(String base) throws StartRefused {
        URI uri = URI.create(base);
        CalledAddress api = new CalledAddress(uri.getScheme(), uri.getRawAuthority());
        HostPort wanted = config.get(Options.LISTEN);
        try {
            return wanted.address().isAnyLocalAddress() ? ApiPlace.atPort(uri.getPort(), api) : ApiPlace.at(api);
        } catch (UnknownHostException e) {
            throw new StartRefused(wanted + " names a host that cannot be looked up", e);
        }
    }

    /** Begins to listen where the option says, and gives the address for clients on this machine. */
    String listen(String name, Option<HostPort> option, Gate gate) throws StartRefused {
        return listen(name, option, limits, gate);
    }

    /** The same for large bodies, which are passed on as they come. */
    private String listenForStreams(String name, Option<HostPort> option, Gate gate) throws StartRefused {
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
