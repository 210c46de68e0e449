package io.pilothouse.core.host;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which host a new service goes to, at the cost of a look at each host; and whose the tasks of a service are. */
public final class HostPlaces {
    /** More machines than anybody gives to one store. */
    private static final int MAX_HOSTS = 1_000;

    /** More than the ports of a machine are enough for. */
    private static final int MAX_SERVICES = 20_000;

    private HostPlaces() {}

    /** Every host that was ever there and was not removed. */
    public static List<Host> all(Tables tables) {
        return tables.of(Host.KIND).all(null, MAX_HOSTS);
    }

    /** How many services it has. */
    public static long services(Tables tables, UUID hostId) {
        return tables.tasks().countPlaced(Tasks.Kind.SERVICE, hostId);
    }

    /** Those services. */
    static List<Service> servicesOf(Tables tables, UUID hostId) {
        return tables.tasks().placed(Tasks.Kind.SERVICE, hostId, null, MAX_SERVICES).stream()
                .flatMap(id -> tables.of(Service.KIND).find(id).stream())
                .filter(service -> hostId.equals(service.hostId()))
                .toList();
    }

    /** Leaves every task of a service to the host that is in its row. */
    public static void assign(Tables tables, Service row) {
        Tasks tasks = tables.tasks();
        tasks.place(Tasks.Kind.SERVICE, row.id(), row.hostId());
        tasks.place(Tasks.Kind.BACKUP, row.id(), row.hostId());
        tables.of(Pipe.KIND)
                .page(row.id(), null, RuleBook.MAX_PIPES)
                .forEach(pipe -> tasks.place(Tasks.Kind.PIPE, pipe.id(), row.hostId()));
    }

    /**
     * The hosts that a new service can go to, the one with the most free memory first: as much as there would be if all
     * services ran. One that begins with a backup goes where that is.
     *
     * @throws Refused if there are none
     */
    public static List<Host> open(Tables tables, @Nullable BackupOrigin origin, Instant now) {
        Optional<Host> home = Optional.ofNullable(origin)
                .flatMap(from -> tables.tasks().findHost(Tasks.Kind.BACKUP, from.serviceId()))
                .flatMap(tables.of(Host.KIND)::find);
        if (home.isPresent()) {
            if (home.get().isGone(now)) {
                throw refused("The backup is on the host " + home.get().name() + ", which is gone since "
                        + home.get().seenAt() + ".");
            }
            return List.of(home.get());
        }
        List<Host> open = open(tables, now);
        if (open.isEmpty()) {
            throw refused("No host takes a new service now: each is gone or drained. ./pilothouse hosts list shows"
                    + " them.");
        }
        return open;
    }

    private static List<Host> open(Tables tables, Instant now) {
        return all(tables).stream()
                .filter(host -> !host.draining() && !host.isGone(now))
                .map(host -> new Choice(host, host.room().databases() - services(tables, host.id())))
                .sorted(Comparator.comparingLong(Choice::free)
                        .reversed()
                        .thenComparing(choice -> choice.host().name()))
                .map(Choice::host)
                .toList();
    }

    /** The host that a service goes to from its own, the one with the most free memory that may serve its ports. */
    static Optional<Host> next(Tables tables, Service service, Instant now) {
        ServicePorts ports = service.access().ports();
        return open(tables, now).stream()
                .filter(host -> !host.id().equals(service.hostId()))
                .filter(host -> ports == null || ports.all().stream().allMatch(host.room()::mayHave))
                .findFirst();
    }

    private record Choice(Host host, long free) {}

    private static Refused refused(String why) {
        return new Refused(Refused.Reason.CONFLICT, why);
    }
}
