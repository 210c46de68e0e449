package io.pilothouse.core.host;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What operators do to hosts: have one get rid of its services and get no new ones, and take one out of the list. */
public final class HostOperations {
    private static final int PAGE = 100;

    private final Store store;
    private final Clock clock;
    private final Wake wake;

    public HostOperations(Store store, Clock clock, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.wake = wake;
    }

    /** A host, and how many services are on it. */
    public record Counted(Host host, long services, boolean isGone) {}

    public List<Counted> list() {
        return store.read(tables -> HostPlaces.all(tables).stream()
                .map(host -> counted(tables, host))
                .toList());
    }

    private Counted counted(Tables tables, Host host) {
        return new Counted(host, HostPlaces.services(tables, host.id()), host.isGone(clock.now()));
    }

    /** Keeps new services away from a host, which moves its own to others meanwhile; or no longer. */
    public Counted drain(UUID id, boolean drained) {
        return store.write(tables ->
                counted(tables, tables.of(Host.KIND).overwrite(get(tables, id).drained(drained))));
    }

    /** A service that does not move now, and why. */
    public record Staying(UUID id, String name, String why) {}

    /** The first services of this host that would not leave it now if it is drained. */
    public List<Staying> staying(UUID hostId) {
        Instant now = clock.now();
        return store.read(tables -> {
            get(tables, hostId);
            return HostPlaces.servicesOf(tables, hostId).stream()
                    .flatMap(row -> HostMoves.staysFor(tables, row, now).stream()
                            .map(why -> new Staying(row.id(), row.name(), why)))
                    .limit(PAGE)
                    .toList();
        });
    }

    /**
     * Takes a host that is gone out of the list. Its services, if it has any, have to be {@code givenUp}: they go to
     * other hosts, which find none of their data, so that they can be deleted and their backups elsewhere restored.
     *
     * @return the host, and how many services it had
     */
    public Counted remove(UUID id, boolean givenUp) {
        Counted found = store.read(tables -> counted(tables, get(tables, id)));
        if (!found.isGone()) {
            throw conflict("The host " + found.host().name() + " is there: stop its program first");
        }
        if (found.services() > 0 && !givenUp) {
            throw conflict("The host " + found.host().name() + " still has services (" + found.services()
                    + "). Start it again and delete them; or, if their data is lost for good, give it up with"
                    + " ./pilothouse hosts abandon");
        }
        List<UUID> page = services(id);
        while (!page.isEmpty()) {
            handOver(id, page);
            page = services(id);
        }
        store.change(tables -> {
            Host gone = gone(tables, id);
            if (HostPlaces.services(tables, id) > 0) {
                throw conflict("The host " + gone.name() + " got a service just now: ask again");
            }
            tables.of(Host.KIND).delete(id, gone.version());
        });
        return found;
    }

    private List<UUID> services(UUID host) {
        return store.read(tables -> tables.tasks().placed(Tasks.Kind.SERVICE, host, null, PAGE));
    }

    /** The host's row is written too, so that it cannot come back in this very moment. */
    private void handOver(UUID host, List<UUID> services) {
        store.change(tables -> {
            tables.of(Host.KIND).overwrite(gone(tables, host).asMissed());
            Instant now = clock.now();
            Service.Host next = HostPlaces.open(tables, null, now).getFirst().ofService();
            Table<Service> rows = tables.of(Service.KIND);
            for (UUID id : services) {
                rows.find(id).ifPresent(row -> {
                    HostPlaces.assign(tables, rows.overwrite(row.withHost(next)));
                    tables.tasks().wake(Tasks.Kind.SERVICE, id, Tasks.Urgency.CHANGED, now);
                });
            }
            tables.afterCommit(wake::nudge);
        });
    }

    private Host gone(Tables tables, UUID id) {
        Host host = get(tables, id);
        if (!host.isGone(clock.now())) {
            throw conflict("The host " + host.name() + " is back: stop its program first");
        }
        return host;
    }

    private static Host get(Tables tables, UUID id) {
        return tables.of(Host.KIND).find(id).orElseThrow(() -> Refused.notFound("Host"));
    }

    private static Refused conflict(String why) {
        return new Refused(Refused.Reason.CONFLICT, why);
    }
}
