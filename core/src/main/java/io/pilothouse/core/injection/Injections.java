package io.pilothouse.core.injection;

import io.pilothouse.core.injection.Injection.OnRequest;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The injections in force, in the order in which they were set: the first that strikes is the one. What strikes follows
 * from the seed alone, so that the same requests in the same order meet the same faults again. Safe for many threads;
 * while none is set, a request costs one read.
 */
public final class Injections {
    private static final Logger LOG = System.getLogger(Injections.class.getName());

    private static final LiveInjection[] NONE = {};

    private long seed;
    private int numbered;
    /** An array, because going over one takes no memory. */
    private volatile LiveInjection[] live = NONE;

    /** None yet; a plan may bring a seed of its own. */
    public Injections(long seed) {
        this.seed = seed;
    }

    /** The seed, and each injection with what it has struck so far. */
    public record Standing(long seed, List<Count> injections) {
        public Standing {
            injections = List.copyOf(injections);
        }
    }

    /** How often an injection could have struck, and how often it did. */
    public record Count(Injection injection, long met, long struck) {}

    /** Takes this in as the last; false if its name is taken. */
    public synchronized boolean add(Injection injection) {
        if (has(injection.name())) {
            return false;
        }
        List<LiveInjection> more = new ArrayList<>(List.of(live));
        more.add(new LiveInjection(injection, seed, numbered));
        numbered++;
        live = more.toArray(NONE);
        return true;
    }

    private boolean has(String name) {
        return Stream.of(live).anyMatch(each -> each.injection().name().equals(name));
    }

    /** Forgets everything, and begins with these and this seed; a request meets all that were, or all that are. */
    public synchronized void begin(long newSeed, List<Injection> injections) {
        seed = newSeed;
        numbered = injections.size();
        live = IntStream.range(0, numbered)
                .mapToObj(number -> new LiveInjection(injections.get(number), newSeed, number))
                .toArray(LiveInjection[]::new);
    }

    /** Empty if there is none of this name. */
    public synchronized Optional<Injection> remove(String name) {
        List<LiveInjection> rest = new ArrayList<>(List.of(live));
        Optional<LiveInjection> gone = rest.stream()
                .filter(each -> each.injection().name().equals(name))
                .findFirst();
        gone.ifPresent(rest::remove);
        live = rest.toArray(NONE);
        return gone.map(LiveInjection::injection);
    }

    public synchronized Standing standing() {
        return new Standing(seed, Stream.of(live).map(LiveInjection::count).toList());
    }

    /** A name that none has. */
    public synchronized String freeName() {
        int number = numbered + 1;
        while (has("fault-" + number)) {
            number++;
        }
        return "fault-" + number;
    }

    /** What strikes this request; null for nothing. Each call is one request more. */
    public @Nullable Injection strike(String operationId, UUID keyId, UUID organizationId) {
        for (LiveInjection each : live) {
            Injection injection = each.injection();
            if (injection.effect() instanceof OnRequest
                    && injection.scope().covers(operationId, keyId, organizationId)
                    && each.strikes(operationId)) {
                return injection;
            }
        }
        return null;
    }

    /** This look at a service that is to run, or what is seen instead; each service is struck once and for good. */
    public Sight seen(Service service, Sight sight) {
        for (LiveInjection each : live) {
            if (each.injection().effect() instanceof ServiceTrouble trouble
                    && each.injection().scope().covers(service)
                    && trouble.fits(service, sight)
                    && strikes(each, service)) {
                return trouble.on(
                        sight,
                        "The emulator was asked for this: fault "
                                + each.injection().name());
            }
        }
        return sight;
    }

    private static boolean strikes(LiveInjection injection, Service service) {
        Boolean known = injection.decided(service.id());
        if (known != null) {
            return known;
        }
        boolean strikes = injection.strikes(service.id());
        if (strikes) {
            LOG.log(
                    Level.INFO,
                    "Service {0} meets the injected fault {1}",
                    service.id(),
                    injection.injection().label());
        }
        return strikes;
    }

    /** Whether a service is held on its way, so that it must not be started. */
    public boolean holds(Service service) {
        for (LiveInjection each : live) {
            if (each.injection().effect() == ServiceTrouble.PROVISIONING
                    && Boolean.TRUE.equals(each.decided(service.id()))) {
                return true;
            }
        }
        return false;
    }

    /** A service is to be deleted: nothing about it is remembered. */
    public void forget(UUID serviceId) {
        for (LiveInjection each : live) {
            each.forget(serviceId);
        }
    }
}
