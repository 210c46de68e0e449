package io.pilothouse.core.host;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Departure;
import io.pilothouse.core.service.Service.Departure.Stage;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.Wish;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Moves the services of this host to others while it is drained, one after another: nobody writes into a service any
 * more, a backup of it is made, and its row names another host, which restores that. The row says whose it is at every
 * moment, and the database of one that has left is never started here again; its data is deleted once it runs there.
 * Each turn looks at what is there and does one thing, so it does not matter where the one before it ended.
 */
public final class HostMoves {
    private static final Logger LOG = System.getLogger(HostMoves.class.getName());
    /** Pipes that do not come to rest by then are cut short by the end of the database. */
    private static final Duration PIPES_REST_WITHIN = Duration.ofSeconds(30);

    /** A database that has not come to run or to stop for a stage by then goes on where it is. */
    private static final Duration STAGE_WITHIN = Duration.ofMinutes(10);

    /** One that did not get away is tried again after this. */
    private static final Duration TRIED_AGAIN_AFTER = Duration.ofMinutes(10);

    /** One that has a reason to stay is asked for it again after this: it costs a few queries. */
    private static final Duration ASKED_AGAIN_AFTER = Duration.ofSeconds(10);

    private static final Set<PipePhase> AT_REST =
            Set.of(PipePhase.ABSENT, PipePhase.STOPPED, PipePhase.COMPLETED, PipePhase.FAILED);

    private final Store store;
    private final Clock clock;
    private final UUID here;
    private final Leaving leaving;
    private final ServiceFollower followers;
    private final Wake wake;
    private final Map<UUID, Instant> triedAgainAt = new HashMap<>();
    private @Nullable UUID last;

    /** Whether services may be marked here: all folders are looked through for it. */
    private boolean hasMarks = true;

    /** Whether the last turn found this host drained; the first one may have something to end. */
    private boolean drained = true;

    /** {@code here} is this host. */
    public HostMoves(Store store, Clock clock, UUID here, Leaving leaving, ServiceFollower followers, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.here = here;
        this.leaving = leaving;
        this.followers = followers;
        this.wake = wake;
    }

    /** Goes one step further. */
    public void turn() throws PlaneFault {
        if (hasMarks) {
            Map<UUID, UUID> marked = leaving.marked();
            hasMarks = !marked.isEmpty();
            for (Map.Entry<UUID, UUID> left : marked.entrySet()) {
                clear(left.getKey(), left.getValue());
            }
        }
        Optional<Host> itself = store.read(tables -> tables.of(Host.KIND).find(here));
        boolean draining = itself.map(Host::draining).orElse(false);
        if (!draining && !drained) {
            return;
        }
        drained = draining;
        List<Service> own = store.read(tables -> HostPlaces.servicesOf(tables, here));
        List<Service> onTheWay =
                own.stream().filter(row -> row.departure() != null).toList();
        for (Service service : onTheWay) {
            if (draining) {
                goOn(service);
            } else {
                stay(service, "its host is not drained any more");
            }
        }
        if (draining && onTheWay.isEmpty() && !isOnTheWay(last)) {
            begin(own);
        }
    }

    /** One that has left is on its way until it runs there; that of a host that is gone is not waited for. */
    private boolean isOnTheWay(@Nullable UUID id) {
        return id != null
                && store.read(tables -> tables.of(Service.KIND)
                        .find(id)
                        .filter(Service::isArriving)
                        .flatMap(row -> Optional.ofNullable(row.hostId()))
                        .flatMap(tables.of(Host.KIND)::find)
                        .filter(host -> !host.isGone(clock.now()))
                        .isPresent());
    }

    private void begin(List<Service> own) {
        Instant now = clock.now();
        for (Service service : own) {
            if (now.isBefore(triedAgainAt.getOrDefault(service.id(), Instant.MIN))) {
                continue;
            }
            if (store.read(tables -> staysFor(tables, service, now)).isPresent()) {
                triedAgainAt.put(service.id(), now.plus(ASKED_AGAIN_AFTER));
                continue;
            }
            Optional<Service> begun = change(service.id(), (tables, row) -> {
                if (staysFor(tables, row, now).isPresent()) {
                    return Optional.empty();
                }
                tables.of(Pipe.KIND)
                        .page(row.id(), null, RuleBook.MAX_PIPES)
                        .forEach(pipe -> tables.tasks().wake(Tasks.Kind.PIPE, pipe.id(), Tasks.Urgency.CHANGED, now));
                return Optional.of(at(row, Stage.CLOSING, null));
            });
            if (begun.isPresent()) {
                LOG.log(Level.INFO, "The service {0} leaves this host", service.id());
                leaving.follow(begun.get());
                return;
            }
        }
    }

    /** Why a service of a host that is drained does not move now, a sentence for operators; empty if it does. */
    static Optional<String> staysFor(Tables tables, Service row, Instant now) {
        if (row.isMoving() || row.wish() == Wish.DELETE) {
            return Optional.of(row.wish() == Wish.DELETE ? "It is being deleted" : "It is moving now");
        }
        boolean settled = switch (row.state()) {
            case RUNNING, STOPPED, IDLE -> row.seen().everRan();
            case PROVISIONING, STARTING, AWAKING, STOPPING, DEGRADED, FAILED, TERMINATING -> false;
        };
        if (!settled) {
            return Optional.of(
                    "It is " + row.state().word() + ", and moves once it has run and is running, idle or stopped");
        }
        Service.Pin pin = row.want().pin();
        if (pin != null && pin.isTried()) {
            return Optional.of("It is being upgraded");
        }
        if (BackupsOfService.isUnderWay(tables, row.id())) {
            return Optional.of("A backup of it is under way");
        }
        return BackupsOfService.staysFor(tables, row)
                .or(() -> HostPlaces.next(tables, row, now).isEmpty()
                        ? Optional.of("No other host that is there and not drained has its ports in its range")
                        : Optional.empty());
    }

    private void goOn(Service service) throws PlaneFault {
        Departure departure = Optional.ofNullable(service.departure()).orElseThrow();
        Instant now = clock.now();
        boolean late = !now.isBefore(departure.since().plus(STAGE_WITHIN));
        boolean stopped = service.seen().condition() == Condition.STOPPED
                || service.seen().condition() == Condition.ABSENT;
        switch (departure.stage()) {
            case CLOSING -> {
                leaving.follow(service);
                if (pipesRest(service) || !now.isBefore(departure.since().plus(PIPES_REST_WITHIN))) {
                    advance(service, (_, row) -> Optional.of(at(row, Stage.STOPPING, null)));
                }
            }
            case STOPPING -> {
                if (stopped) {
                    advance(
                            service,
                            (tables, row) -> Optional.of(at(
                                    row,
                                    Stage.COPYING,
                                    BackupsOfService.beginLast(tables, row, now).id())));
                } else if (late) {
                    stay(service, "its database did not stop");
                }
            }
            case COPYING -> copying(service, departure, late);
            case LEAVING -> {
                if (stopped) {
                    handOver(service, Optional.ofNullable(departure.backupId()).orElseThrow());
                } else if (late) {
                    stay(service, "its database did not stop");
                }
            }
        }
    }

    private boolean pipesRest(Service service) {
        return store.read(tables -> tables.of(Pipe.KIND).page(service.id(), null, RuleBook.MAX_PIPES).stream()
                .allMatch(pipe -> AT_REST.contains(pipe.seen().phase())));
    }

    private void copying(Service service, Departure departure, boolean late) {
        Optional<Backup> backup = store.read(tables -> backup(tables, departure));
        switch (backup.map(Backup::state).orElse(Backup.State.CLEARED)) {
            case DONE -> advance(service, (_, row) -> Optional.of(at(row, Stage.LEAVING, departure.backupId())));
            case FAILED, CLEARED, LEAVING ->
                stay(
                        service,
                        "its backup failed: " + backup.map(Backup::trouble).orElse("it is not there any more"));
            case IN_PROGRESS -> {
                Optional<String> refusal = leaving.refusal(service);
                if (refusal.isPresent()) {
                    stay(service, refusal.get());
                } else if (late && service.seen().condition() != Condition.RUNNING) {
                    stay(service, "its database did not come to run for its backup");
                }
            }
        }
    }

    private static Optional<Backup> backup(Tables tables, Departure departure) {
        return Optional.ofNullable(departure.backupId()).flatMap(tables.of(Backup.KIND)::find);
    }

    /** From the transaction on it is the other host's; before it, this host has made sure that it starts no more here. */
    private void handOver(Service service, UUID backupId) throws PlaneFault {
        hasMarks = true;
        leaving.mark(service.id(), backupId);
        Instant now = clock.now();
        boolean possible =
                store.read(tables -> HostPlaces.next(tables, service, now)).isPresent();
        Optional<Service> gone = possible
                ? change(service.id(), (tables, row) -> {
                    Optional<Backup> copied =
                            tables.of(Backup.KIND).find(backupId).filter(backup -> backup.state() == Backup.State.DONE);
                    Optional<Host> next = HostPlaces.next(tables, row, now);
                    if (copied.isEmpty() || next.isEmpty() || !Objects.equals(service.departure(), row.departure())) {
                        return Optional.empty();
                    }
                    Service there = row.arrivingAt(next.get().ofService(), backupId, now);
                    BackupsOfService.holdLast(tables, there, copied.get());
                    return Optional.of(there);
                })
                : Optional.empty();
        if (gone.isPresent()) {
            LOG.log(Level.INFO, "The service {0} has left this host", service.id());
            last = service.id();
            leaving.shut(service.id());
        } else {
            stay(service, "no other host takes it any more");
            leaving.unmark(service.id());
        }
    }

    /** What is marked has left or is about to; this tells which, and deletes what is not needed any more. */
    private void clear(UUID id, UUID backupId) throws PlaneFault {
        Optional<Service> found = store.read(tables -> tables.of(Service.KIND).find(id));
        if (found.isEmpty()) {
            // It was deleted where it went to.
            leaving.erase(id);
            return;
        }
        Service row = found.get();
        boolean isHere = here.equals(row.hostId());
        boolean hasLeft = row.fixed().origin() != null
                && row.fixed().origin().serviceId().equals(id)
                && row.fixed().origin().backupId().equals(backupId);
        boolean arrived = hasLeft
                && row.seen().everRan()
                && row.seen().condition() != Condition.LOST
                && row.seen().condition() != Condition.UNKNOWN;
        boolean comesBack = isHere && !hasLeft && row.isArriving();
        if ((!isHere && arrived) || comesBack) {
            leaving.erase(id);
        } else if (isHere && !hasLeft && row.departure() == null) {
            leaving.unmark(id);
        }
    }

    /** It goes on here as if it had not been asked to leave. */
    private void stay(Service service, String why) {
        Instant now = clock.now();
        Departure departure = service.departure();
        advance(service, (tables, row) -> {
            Optional.ofNullable(departure)
                    .flatMap(was -> backup(tables, was))
                    .filter(backup -> backup.state() == Backup.State.IN_PROGRESS)
                    .ifPresent(backup -> {
                        tables.of(Backup.KIND).overwrite(backup.failed("The service does not move after all", now));
                        tables.tasks().wake(Tasks.Kind.BACKUP, row.id(), Tasks.Urgency.ROUTINE, now);
                    });
            return Optional.of(row.withDeparture(null));
        });
        triedAgainAt.put(service.id(), now.plus(TRIED_AGAIN_AFTER));
        LOG.log(Level.WARNING, "The service {0} stays on this host for now: {1}", service.id(), why);
    }

    private Service at(Service row, Stage stage, @Nullable UUID backupId) {
        return row.withDeparture(new Departure(stage, clock.now(), backupId));
    }

    private interface Change {
        /** The next row; empty to leave it as it is. */
        Optional<Service> of(Tables tables, Service row);
    }

    /** Only from the stage that was looked at, so that a process that stood still does nothing twice. */
    private void advance(Service looked, Change change) {
        change(
                        looked.id(),
                        (tables, row) -> Objects.equals(looked.departure(), row.departure())
                                ? change.of(tables, row)
                                : Optional.empty())
                .ifPresent(leaving::follow);
    }

    private Optional<Service> change(UUID id, Change change) {
        return store.write(tables -> {
            Optional<Service> row = tables.of(Service.KIND)
                    .find(id)
                    .filter(found -> here.equals(found.hostId()) && found.wish() != Wish.DELETE);
            Optional<Service> next = row.flatMap(found -> change.of(tables, found));
            return next.map(wanted -> write(tables, row.orElseThrow(), wanted));
        });
    }

    private Service write(Tables tables, Service row, Service wanted) {
        Instant now = clock.now();
        Service kept = tables.of(Service.KIND).overwrite(wanted);
        if (!Optional.ofNullable(row.hostId()).equals(Optional.ofNullable(kept.hostId()))) {
            HostPlaces.assign(tables, kept);
        }
        tables.tasks().wake(Tasks.Kind.SERVICE, kept.id(), Tasks.Urgency.CHANGED, now);
        followers.changed(tables, row, kept, now);
        tables.afterCommit(wake::nudge);
        return kept;
    }
}
