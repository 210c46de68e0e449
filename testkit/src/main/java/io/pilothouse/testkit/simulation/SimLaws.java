package io.pilothouse.testkit.simulation;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks.Backlog;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.webhook.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What must be true after every step, and what must have come about once nothing goes wrong any more. */
final class SimLaws {
    private static final Set<Kind<?>> ALL =
            Set.of(Service.KIND, ApiKey.KIND, Webhook.KIND, Alert.KIND, Backup.KIND, Delivery.KIND, Pipe.KIND);
    private static final int MAX_ROWS = 200;

    /** Shorter than the day that is promised, by more than the clocks are ever wrong. */
    private static final Duration PATIENCE_OF_MESSAGES = Duration.ofHours(10);

    private static final Duration LATE = Duration.ofMinutes(1);

    private static final Duration RETENTION_OF_BACKUPS = Duration.ofHours(6);

    private final Store store;
    private final SimFleet fleet;
    private final SimModel model;
    private final SimEngines engines;
    private final SimArchives archives;
    private final SimReceiver receiver;
    private final SimPipeLaws pipes;
    private final UUID organizationId;
    private final Set<UUID> done = new HashSet<>();
    private final Map<UUID, Long> data = new HashMap<>();
    private final Set<UUID> queued = new HashSet<>();
    private Map<UUID, Delivery> waiting = new LinkedHashMap<>();

    SimLaws(Store store, SimFleet fleet, SimModel model, SimHost.Things things, UUID organizationId) {
        this.store = store;
        this.fleet = fleet;
        this.model = model;
        this.engines = things.engines();
        this.archives = things.archives();
        this.receiver = things.receiver();
        this.pipes = new SimPipeLaws(model, things.workers());
        this.organizationId = organizationId;
    }

    /** After every step: everything of the kinds that it may have changed. */
    void hold(Set<Kind<?>> changed) {
        store.read(tables -> {
            if (changed.contains(Service.KIND) || changed.contains(ServicePart.KIND)) {
                Map<UUID, Service> services = rows(tables, Service.KIND);
                holdServices(services);
                holdEngines(services);
                holdSchedules(tables, services);
            }
            if (changed.contains(Pipe.KIND) || changed.contains(Service.KIND)) {
                pipes.hold(tables);
            }
            if (changed.contains(ApiKey.KIND)) {
                holdNames("key", model.keys, rows(tables, ApiKey.KIND), ApiKey::name);
            }
            if (changed.contains(Webhook.KIND)) {
                holdNames("webhook", model.webhooks, rows(tables, Webhook.KIND), Webhook::name);
            }
            if (changed.contains(Alert.KIND)) {
                holdNames(
                        "alert",
                        model.alerts,
                        rows(tables, Alert.KIND),
                        alert -> alert.rule().name());
            }
            if (changed.contains(Backup.KIND)) {
                holdBackups(tables);
            }
            if (changed.contains(Delivery.KIND)) {
                holdMessages(tables);
            }
            return true;
        });
    }

    private <T extends Stored> Map<UUID, T> rows(Tables tables, Kind<T> kind) {
        return byId(tables.of(kind).page(organizationId, null, MAX_ROWS));
    }

    private static <T extends Stored> Map<UUID, T> byId(List<T> rows) {
        return rows.stream()
                .collect(Collectors.toMap(Stored::id, Function.identity(), (one, _) -> one, LinkedHashMap::new));
    }

    private void holdServices(Map<UUID, Service> services) {
        model.services
                .entrySet()
                .removeIf(wanted -> wanted.getValue().wish() == Wish.DELETE && !services.containsKey(wanted.getKey()));
        require(
                services.keySet().equals(model.services.keySet()),
                () -> "Services are " + services.keySet() + " and not " + model.services.keySet());
        Set<Integer> ports = new HashSet<>();
        services.values().forEach(row -> {
            SimModel.Wanted is = SimModel.Wanted.of(row);
            require(
                    is.equals(model.services.get(row.id())),
                    () -> "Service " + row.id() + " is " + is + " and not " + model.services.get(row.id()));
            Optional.ofNullable(row.access().ports())
                    .ifPresent(own -> own.all()
                            .forEach(port -> require(ports.add(port), () -> "Port " + port + " has two services")));
            if (row.seen().everRan() && row.wish() != Wish.DELETE) {
                long has =
                        engines.data(row.id()).orElseThrow(() -> new SimBroken("The data of " + row.id() + " is gone"));
                Long had = data.putIfAbsent(row.id(), has);
                require(had == null || had == has, () -> "Service " + row.id() + " has other data than it had");
            }
        });
    }

    private void holdEngines(Map<UUID, Service> services) {
        engines.there().forEach(id -> require(services.containsKey(id), () -> "An engine is left of service " + id));
    }

    private static <T extends Stored> void holdNames(
            String kind, Map<UUID, String> wanted, Map<UUID, T> rows, Function<T, String> name) {
        require(
                rows.keySet().equals(wanted.keySet()),
                () -> "Of kind " + kind + " there are " + rows.keySet() + " and not " + wanted.keySet());
        rows.forEach((id, row) -> require(
                name.apply(row).equals(wanted.get(id)),
                () -> kind + " " + id + " is called " + name.apply(row) + " and not " + wanted.get(id)));
    }

    private void holdSchedules(Tables tables, Map<UUID, Service> services) {
        model.schedules.keySet().removeIf(id -> !services.containsKey(id));
        services.values().stream().filter(row -> row.wish() != Wish.DELETE).forEach(row -> {
            Optional<Double> is = ServicePart.find(tables, row, new ScalingSchedule())
                    .flatMap(part -> part.fields().objects("entries").getFirst().number("numReplicas"));
            require(
                    is.equals(Optional.ofNullable(model.schedules.get(row.id()))),
                    () -> "The schedule of " + row.id() + " is " + is);
        });
    }

    /** One that was asked for is made or fails; once it is done it is there for as long as it must be kept. */
    private void holdBackups(Tables tables) {
        Instant now = fleet.now();
        model.backups.entrySet().removeIf(asked -> holdsNoLonger(tables, asked.getKey(), asked.getValue(), now));
    }

    private boolean holdsNoLonger(Tables tables, UUID id, SimModel.Asked asked, Instant now) {
        Optional<Backup> row = tables.of(Backup.KIND).find(id);
        if (row.filter(backup -> backup.state() == Backup.State.DONE).isPresent()) {
            done.add(id);
            require(archives.there().contains(id), () -> "Backup " + id + " is done and has no bytes");
        }
        // One that is under way goes with its service.
        boolean mayGo = !done.contains(id)
                && tables.of(Service.KIND)
                        .find(asked.serviceId())
                        .filter(service -> service.wish() != Wish.DELETE)
                        .isEmpty();
        boolean expired = asked.at().plus(RETENTION_OF_BACKUPS).isBefore(now);
        require(row.isPresent() || mayGo || expired, () -> "Backup " + id + " is gone before its time");
        return row.isEmpty();
    }

    /** A message goes once it has arrived, or with its webhook, or after a day. */
    private void holdMessages(Tables tables) {
        Map<UUID, Delivery> now = rows(tables, Delivery.KIND);
        waiting.forEach((id, delivery) -> require(
                now.containsKey(id)
                        || receiver.has(id)
                        || !model.webhooks.containsKey(delivery.webhookId())
                        || delivery.queuedAt().plus(PATIENCE_OF_MESSAGES).isBefore(fleet.now()),
                () -> "Message " + id + " is gone and has not arrived"));
        now.keySet().stream()
                .filter(id -> !waiting.containsKey(id))
                .forEach(id -> require(queued.add(id), () -> "Message " + id + " is queued for the second time"));
        waiting = now;
    }

    /** Once faults have stopped for long enough, and nobody has asked for anything meanwhile. */
    void settled() {
        hold(ALL);
        store.read(tables -> {
            tables.of(Service.KIND).page(organizationId, null, MAX_ROWS).forEach(this::settled);
            pipes.settled(tables);
            require(waiting.isEmpty(), () -> "Messages still wait: " + waiting.keySet());
            Backlog backlog = tables.tasks().backlog(fleet.now().minus(LATE));
            require(backlog.due() == 0, () -> "Work is due and nobody does it: " + backlog);
            return true;
        });
        Set<UUID> archived = archives.there();
        Set<UUID> known = store.read(tables -> archived.stream()
                .filter(id -> tables.of(Backup.KIND).find(id).isPresent())
                .collect(Collectors.toSet()));
        require(known.equals(archived), () -> "There are bytes of no backup: " + archived);
    }

    private void settled(Service row) {
        ServiceState wanted = switch (row.wish()) {
            case RUN -> ServiceState.RUNNING;
            case SLEEP -> ServiceState.IDLE;
            case STOP -> ServiceState.STOPPED;
            case DELETE -> throw new SimBroken("Service " + row.id() + " is still there");
        };
        require(row.state() == wanted, () -> "Service " + row.id() + " is " + row.state() + ": " + row.seen());
        if (row.wish() == Wish.RUN) {
            require(engines.runsAs(row), () -> "Service " + row.id() + " does not run as it is wanted");
        } else {
            Condition is = engines.condition(row.id());
            require(is == Condition.STOPPED || is == Condition.ABSENT, () -> "Service " + row.id() + " is " + is);
        }
    }

    /** Soon after every service was deleted. */
    void pipesEnded() {
        hold(ALL);
        pipes.empty();
    }

    /** Once everything was deleted, and its time has run out. */
    void empty() {
        hold(ALL);
        require(model.services.isEmpty(), () -> "Services are left: " + model.services);
        require(engines.there().isEmpty(), () -> "Engines are left: " + engines.there());
        require(archives.there().isEmpty(), () -> "Backups are left: " + archives.there());
        store.read(tables -> {
            require(
                    tables.tasks().nextDue().isEmpty(),
                    () -> "Tasks are left: " + tables.tasks().backlog(Instant.MAX));
            Set<Integer> taken = new HashSet<>(tables.ports().known().reserved());
            tables.ports().known().free().forEach(taken::remove);
            require(taken.isEmpty(), () -> "Ports are left: " + taken);
            return true;
        });
    }

    static void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new SimBroken(otherwise.get());
        }
    }
}
