package io.pilothouse.http.helidon;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.AnswerShape;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.Authentication;
import io.pilothouse.http.wire.BasicAuthentication;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Plain;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.RequestRecord;
import io.pilothouse.http.wire.RouteTable;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.TrustedProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A listener on a free port in front of a few routes, with what its observer and its log recorded. */
public final class TestHouse implements AutoCloseable {
    public static final UUID ORGANIZATION = UUID.fromString("11111111-2222-4333-8444-555555555555");
    public static final UUID KEY = UUID.fromString("99999999-2222-4333-8444-555555555555");
    /** Basic of good:secret. */
    public static final String GOOD = "Authorization: Basic Z29vZDpzZWNyZXQ=\r\n";

    static final ListenerLimits QUICK = new ListenerLimits(
            8 * 1024,
            64 * 1024,
            100,
            Duration.ofMillis(1500),
            Duration.ofMillis(600),
            Duration.ofMillis(600),
            Duration.ofMillis(600),
            Duration.ofMillis(1500),
            Duration.ofSeconds(5));
    static final long ROOM = 4 << 20;
    private static final long DEADLINE_MILLIS = 10_000;

    final List<RequestRecord> seen = new CopyOnWriteArrayList<>();
    public final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final Room room = new Room(ROOM);
    final Listener listener;
    private final int port;

    private TestHouse(List<? extends AnyRoute> routes, ListenerLimits limits, AnswerShape shape) throws IOException {
        this(routes, limits, shape, RateLimit.perMinute(0));
    }

    private TestHouse(List<? extends AnyRoute> routes, ListenerLimits limits, AnswerShape shape, RateLimit rates)
            throws IOException {
        this(routes, limits, shape, rates, new Guesses(0, System::nanoTime, new byte[0]));
    }

    private TestHouse(
            List<? extends AnyRoute> routes, ListenerLimits limits, AnswerShape shape, RateLimit rates, Guesses guesses)
            throws IOException {
        this(routes, limits, shape, rates, guesses, null);
    }

    private TestHouse(
            List<? extends AnyRoute> routes,
            ListenerLimits limits,
            AnswerShape shape,
            RateLimit rates,
            Guesses guesses,
            @Nullable Entrance entrance)
            throws IOException {
        Gate gate = new Gate(
                new RouteTable(routes),
                authentication(EnumSet.complementOf(EnumSet.of(Permission.SERVICE_DELETE)), guesses),
                rates,
                shape,
                seen::add,
                (requestId, operationId, cause) -> failures.add(cause));
        this.listener = Listener.start(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                limits,
                gate,
                entrance == null
                        ? new Entrance(
                                Executors.newVirtualThreadPerTaskExecutor(),
                                room,
                                Optional.empty(),
                                TrustedProxies.NONE)
                        : entrance);
        this.port = listener.port();
    }

    public static TestHouse of(AnyRoute... routes) throws IOException {
        return new TestHouse(List.of(routes), ListenerLimits.standard(), new Enveloped());
    }

    public static TestHouse limited(RateLimit rates, AnyRoute... routes) throws IOException {
        return new TestHouse(List.of(routes), ListenerLimits.standard(), new Enveloped(), rates);
    }

    static TestHouse guessed(Guesses guesses, AnyRoute... routes) throws IOException {
        return new TestHouse(
                List.of(routes), ListenerLimits.standard(), new Enveloped(), RateLimit.perMinute(0), guesses);
    }

    static TestHouse of(Entrance entrance, ListenerLimits limits, AnyRoute... routes) throws IOException {
        return new TestHouse(
                List.of(routes),
                limits,
                new Enveloped(),
                RateLimit.perMinute(0),
                new Guesses(0, System::nanoTime, new byte[0]),
                entrance);
    }

    static TestHouse quick(AnyRoute... routes) throws IOException {
        return new TestHouse(List.of(routes), QUICK, new Enveloped());
    }

    /** The small sizes of {@link #QUICK} with the usual times. */
    static TestHouse small(AnyRoute... routes) throws IOException {
        ListenerLimits usual = ListenerLimits.standard();
        ListenerLimits small = new ListenerLimits(
                QUICK.headBytes(),
                QUICK.bodyBytes(),
                QUICK.connections(),
                usual.firstTime(),
                usual.headTime(),
                usual.bodyTime(),
                usual.writeTime(),
                usual.idleTime(),
                usual.stopTime());
        return new TestHouse(List.of(routes), small, new Enveloped());
    }

    static TestHouse of(ListenerLimits limits, AnyRoute... routes) throws IOException {
        return new TestHouse(List.of(routes), limits, new Enveloped());
    }

    static TestHouse ofAlerts(List<? extends AnyRoute> routes) throws IOException {
        return new TestHouse(routes, ListenerLimits.standard(), new Plain());
    }

    /** Threads that end with the test run, and the room of a small heap. */
    static Entrance entrance() {
        return new Entrance(
                Executors.newVirtualThreadPerTaskExecutor(), new Room(ROOM), Optional.empty(), TrustedProxies.NONE);
    }

    /** Knows one key, good:secret, which holds these rights in its organization. */
    static Authentication authentication(Set<Permission> permissions) {
        return authentication(permissions, new Guesses(0, System::nanoTime, new byte[0]));
    }

    private static Authentication authentication(Set<Permission> permissions, Guesses guesses) {
        BasicAuthentication.KeyCheck check = (keyId, secret, from) -> {
            if (!keyId.equals("good") || !secret.equals("secret")) {
                throw new Refused(Refused.Reason.UNAUTHORIZED, "Unknown, disabled or expired credentials");
            }
            return new Caller(ORGANIZATION, KEY, "good", permissions);
        };
        return new BasicAuthentication(check, guesses);
    }

    static PublicRoute open(String path, PublicRoute.Handler handler) {
        return new PublicRoute("open" + path, Verb.GET, path, handler);
    }

    public RawClient client() throws IOException {
        return new RawClient(port);
    }

    RawClient client(String from) throws IOException {
        return new RawClient(port, from);
    }

    /** The record of the only request so far; it is written after the answer, so it is waited for. */
    public RequestRecord onlyRecord() {
        await(() -> !seen.isEmpty());
        return seen.getFirst();
    }

    static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofMillis(DEADLINE_MILLIS).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("It did not come true in " + DEADLINE_MILLIS + " ms");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
