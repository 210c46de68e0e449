package io.pilothouse.core.host;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Says that this host is there, and of the others which are gone: the services of one that is gone say so until it is
 * back. The process that says it writes the host's row in the same transaction, so that it cannot come too late.
 */
public final class HostWatch {
    private static final int PAGE = 100;

    /** Between two looks through all services of a host that stays away. */
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final Store store;
    private final Clock clock;
    private final Host itself;
    private final ServiceFollower followers;
    private final Wake wake;
    private final Map<UUID, Instant> lookedAfter = new HashMap<>();

    /** {@code itself} is this host as it describes itself. */
    public HostWatch(Store store, Clock clock, Host itself, ServiceFollower followers, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.itself = itself;
        this.followers = followers;
        this.wake = wake;
    }

    /** This host is there. If others took it for gone, all of its services are looked at again. */
    public void beat() {
        boolean missed = store.write(tables -> {
            Table<Host> hosts = tables.of(Host.KIND);
            Host known = hosts.find(itself.id()).orElseGet(() -> hosts.insert(itself));
            hosts.overwrite(known.seen(itself, clock.now()));
            return known.missed();
        });
        if (missed) {
            List<UUID> page = services(itself, null);
            while (!page.isEmpty()) {
                lookAt(page);
                page = services(itself, page.getLast());
            }
        }
    }

    private void lookAt(List<UUID> services) {
        store.change(tables -> {
            services.forEach(id -> tables.tasks().wake(Tasks.Kind.SERVICE, id, Tasks.Urgency.CHANGED, clock.now()));
            tables.afterCommit(wake::nudge);
        });
    }

    /** Has the services of hosts that are gone say so; which all of them do but for those that change meanwhile. */
    public void look() {
        Instant now = clock.now();
        for (Host host : store.read(HostPlaces::all)) {
            if (!host.id().equals(itself.id()) && host.isGone(now) && isTurnOf(host, now)) {
                List<UUID> page = services(host, null);
                while (!page.isEmpty()) {
                    miss(host, page);
                    page = services(host, page.getLast());
                }
            }
        }
    }

    /** A host that has just been missed is looked after at once, and one that stays away once in a while. */
    private boolean isTurnOf(Host gone, Instant now) {
        Instant last = lookedAfter.get(gone.id());
        boolean isTurn = !gone.missed() || last == null || !now.isBefore(last.plus(PAUSE));
        if (isTurn) {
            lookedAfter.put(gone.id(), now);
        }
        return isTurn;
    }

    private List<UUID> services(Host host, @Nullable UUID after) {
        return store.read(tables -> tables.tasks().placed(Tasks.Kind.SERVICE, host.id(), after, PAGE));
    }

    private void miss(Host host, List<UUID> services) {
        if (store.read(tables -> silent(tables, host, services)).isEmpty()) {
            return;
        }
        store.change(tables -> tables.of(Host.KIND)
                .find(host.id())
                .filter(now -> now.isGone(clock.now()))
                .ifPresent(gone -> {
                    tables.of(Host.KIND).overwrite(gone.asMissed());
                    silent(tables, gone, services).forEach(service -> blame(tables, gone, service));
                }));
    }

    /** Those that do not say so yet. */
    private static List<Service> silent(Tables tables, Host gone, List<UUID> services) {
        return services.stream()
                .flatMap(id -> tables.of(Service.KIND).find(id).stream())
                .filter(service -> !gone.absence().equals(service.seen().trouble()))
                .toList();
    }

    private void blame(Tables tables, Host gone, Service service) {
        Service next = service.withSeen(service.seen().withTrouble(gone.absence()));
        Service kept = tables.of(Service.KIND).overwrite(next);
        Instant now = clock.now();
        followers.changed(tables, service, kept, now);
    }
}
