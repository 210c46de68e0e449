package io.pilothouse.testkit.simulation;

import io.pilothouse.core.backup.BackupChange;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.scaling.ScalingDraft;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.service.NewPassword;
import io.pilothouse.core.service.NewService;
import io.pilothouse.core.service.PasswordChange;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceChange;
import io.pilothouse.core.service.ServiceDraft;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.core.service.Wish;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Clients of one organization that ask for anything at any time, and note what was written for them. */
final class SimClients {
    private static final int MAX_SERVICES = 5;

    private final SimWorld world;
    private final SimFleet fleet;
    private final SimModel model;
    private final Permit permit;
    private final SimRequests requests;
    private final SimWatchers watchers;
    private final SimPipes pipes;

    SimClients(SimWorld world, SimFleet fleet, SimModel model, UUID organizationId, List<SimTiles.Place> tiles) {
        this.world = world;
        this.fleet = fleet;
        this.model = model;
        this.requests = new SimRequests(world, fleet);
        this.permit = new Caller(organizationId, new UUID(0, 1), "client", EnumSet.allOf(Permission.class))
                .permit(Permission.SERVICE_WRITE, organizationId, new UUID(0, 2));
        this.watchers = new SimWatchers(requests, fleet, model, permit, tiles);
        this.pipes = new SimPipes(requests, model, permit);
    }

    SimWatchers watchers() {
        return watchers;
    }

    /** One request of some client. */
    void ask() {
        int roll = world.chance().nextInt(115);
        if (roll < 16) {
            createService(null);
        } else if (roll < 30) {
            requests.oneOf(model.services.keySet())
                    .ifPresent(id -> command(
                            id,
                            requests.oneOf(List.of("start", "stop", "awake")).orElseThrow()));
        } else if (roll < 40) {
            requests.oneOf(model.services.keySet()).ifPresent(this::deleteService);
        } else if (roll < 46) {
            requests.oneOf(model.services.keySet()).ifPresent(this::rename);
        } else if (roll < 50) {
            requests.oneOf(model.services.keySet()).ifPresent(this::scale);
        } else if (roll < 53) {
            requests.oneOf(model.services.keySet()).ifPresent(this::changePassword);
        } else if (roll < 60) {
            requests.oneOf(model.services.keySet()).ifPresent(this::use);
        } else if (roll < 64) {
            requests.oneOf(model.services.keySet()).ifPresent(this::backUp);
        } else if (roll < 67) {
            requests.oneOf(model.services.keySet()).ifPresent(this::configureBackups);
        } else if (roll < 70) {
            requests.oneOf(model.backups.keySet()).ifPresent(this::createService);
        } else if (roll < 74) {
            requests.oneOf(model.services.keySet()).ifPresent(this::schedule);
        } else if (roll < 82) {
            watchers.key();
        } else if (roll < 88) {
            watchers.webhook();
        } else if (roll < 100) {
            watchers.alert();
        } else {
            pipes.ask();
        }
    }

    private void createService(@Nullable UUID backupId) {
        if (model.services.size() >= MAX_SERVICES) {
            return;
        }
        String name = requests.name("service");
        int replicas = 1 + requests.chance().nextInt(3);
        ServiceDraft draft = new ServiceDraft(
                name,
                "aws",
                "us-east-1",
                null,
                List.of(),
                scaling(replicas),
                null,
                null,
                backupId,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Tree.Members.NONE);
        requests.send(
                "create " + name,
                made -> {
                    Service row = ((NewService) made).view().service();
                    SimModel.Wanted wanted = SimModel.Wanted.of(row);
                    if (!wanted.equals(new SimModel.Wanted(name, Wish.RUN, replicas, wanted.password(), 24))) {
                        throw new SimBroken("Another service was made than was asked for: " + wanted);
                    }
                    model.services.put(row.id(), wanted);
                },
                process -> SimRequests.write(process, () -> process.services.create(permit, draft, new Faults())));
    }

    private static ScalingDraft scaling(int replicas) {
        return new ScalingDraft(null, null, null, null, (double) replicas, null, null, null, null, null);
    }

    private void change(String what, UUID id, UnaryOperator<SimModel.Wanted> change, Consumer<SimProcess> request) {
        requests.send(
                what + " " + id,
                _ -> model.services.computeIfPresent(id, (_, wanted) -> change.apply(wanted)),
                request);
    }

    void command(UUID id, String word) {
        requests.send(
                word + " " + id,
                seen -> {
                    Wish wish = ((ServiceView) seen).service().wish();
                    boolean stops = word.equals("stop");
                    if (stops != (wish == Wish.STOP)) {
                        throw new SimBroken("After " + word + " it is wanted to " + wish);
                    }
                    model.services.computeIfPresent(id, (_, wanted) -> wanted.wishing(wish));
                },
                process -> process.services.command(permit, id, word, Precondition.none(), new Faults()));
    }

    void deleteService(UUID id) {
        requests.send(
                "delete " + id,
                _ -> model.deleted(id),
                process -> process.services.delete(permit, id, Precondition.none()));
    }

    private void rename(UUID id) {
        String name = requests.name("service");
        ServiceChange change = new ServiceChange(name, null, null, null, null, null, null, Tree.Members.NONE);
        change(
                "rename",
                id,
                wanted -> wanted.named(name),
                process -> process.services.update(permit, id, change, Precondition.none(), new Faults()));
    }

    private void scale(UUID id) {
        int replicas = 1 + requests.chance().nextInt(3);
        change(
                "scale",
                id,
                wanted -> wanted.sized(replicas),
                process -> process.services.scale(permit, id, scaling(replicas), Precondition.none(), new Faults()));
    }

    private void changePassword(UUID id) {
        requests.send(
                "password of " + id,
                given -> {
                    String password = Objects.requireNonNull(((NewPassword) given).password());
                    String hash = SecretText.hash(password).sha256();
                    model.services.computeIfPresent(id, (_, wanted) -> wanted.opened(hash));
                },
                process -> process.services.changePassword(
                        permit, id, new PasswordChange(null, null), Precondition.none(), new Faults()));
    }

    /** Nobody uses it any more, or somebody does again: it is put to sleep, or woken. */
    private void use(UUID id) {
        boolean sleeps = requests.chance().nextBoolean();
        requests.send(
                (sleeps ? "sleep " : "use ") + id,
                found -> ((Optional<?>) found)
                        .map(Service.class::cast)
                        .ifPresent(
                                row -> model.services.computeIfPresent(id, (_, wanted) -> wanted.wishing(row.wish()))),
                process -> {
                    if (sleeps) {
                        process.sleep.sleep(id);
                    } else {
                        process.sleep.wake(id);
                    }
                });
    }

    /** The plane has noticed that an engine died, and wakes its task. */
    void noticed(UUID id) {
        fleet.request(_ -> {}, process -> {
            try {
                process.sleep.look(id);
            } catch (StoreUnavailable e) {
                world.trace().add(world.now(), 1, "nobody notices: " + e.getMessage());
            }
        });
    }

    private void backUp(UUID id) {
        requests.send(
                "back up " + id,
                made -> {
                    UUID backupId = ((BackupView) made).backup().id();
                    model.backups.put(backupId, new SimModel.Asked(id, fleet.now()));
                },
                process -> SimRequests.write(process, () -> process.backups.create(permit, id, new Faults())));
    }

    private void configureBackups(UUID id) {
        int hours = 6 * (1 + requests.chance().nextInt(8));
        BackupChange change = new BackupChange(
                BackupChange.Part.of((double) hours), BackupChange.Part.absent(), BackupChange.Part.absent());
        change(
                "backups of",
                id,
                wanted -> wanted.backedUp(hours),
                process -> process.backups.updateConfiguration(permit, id, change, Precondition.none(), new Faults()));
    }

    private void schedule(UUID id) {
        if (model.schedules.containsKey(id) && requests.chance().nextBoolean()) {
            requests.send(
                    "unschedule " + id,
                    _ -> model.schedules.remove(id),
                    process -> process.schedules.delete(permit, id, Precondition.none()));
            return;
        }
        double replicas = 1 + requests.chance().nextInt(3);
        Tree entry = new Tree.Members(Map.of(
                "name", new Tree.Text("entry"),
                "weekdays",
                        new Tree.Items(List.of(new Tree.Figure(requests.chance().nextInt(7)))),
                "startHourUtc", new Tree.Figure(requests.chance().nextInt(12)),
                "endHourUtc", new Tree.Figure(12 + requests.chance().nextInt(12)),
                "numReplicas", new Tree.Figure(replicas)));
        Tree.Members fields = new Tree.Members(Map.of("entries", new Tree.Items(List.of(entry))));
        requests.send(
                "schedule " + id,
                _ -> model.schedules.put(id, replicas),
                process -> SimRequests.write(
                        process,
                        () -> process.schedules.prepare(permit, id, fields, Precondition.none(), new Faults())));
    }
}
