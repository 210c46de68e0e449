package io.pilothouse.testkit.simulation;

import io.pilothouse.core.alert.AlertOperations;
import io.pilothouse.core.alert.AlertPass;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupPass;
import io.pilothouse.core.backup.BackupPlan;
import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.backup.ProofBook;
import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.delivery.DeliveryLog;
import io.pilothouse.core.delivery.DeliveryPass;
import io.pilothouse.core.delivery.DeliverySender;
import io.pilothouse.core.delivery.WebhookOperations;
import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.engine.PlannedPass.Ground;
import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.key.ApiKeyOperations;
import io.pilothouse.core.key.KeyHolders;
import io.pilothouse.core.metric.MetricReader;
import io.pilothouse.core.part.PartOperations;
import io.pilothouse.core.part.PartsOfService;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.part.ScalingScheduleOfService;
import io.pilothouse.core.part.ScalingSchedulePass;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipePass;
import io.pilothouse.core.pipe.PipePlan;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.PipeSchemaOperations;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.core.pipe.PipesOfService;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.role.Admins;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Patience;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceDefaults;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.service.ServicePlan;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.core.service.WayIn;
import io.pilothouse.core.usage.UsageOfService;
import io.pilothouse.core.webhook.WebhookAddresses;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** One control plane from its start to its death, put together as the program does it, from the ports of a simulated world. */
final class SimProcess {
    /** Few places, so that passes wait for each other; a turn without any nudge is rare, so that a week is short. */
    private static DispatchLimits limits(Duration lease) {
        return new DispatchLimits(3, 4, Duration.ofSeconds(1), lease, Duration.ofHours(2));
    }

    /** What has settled is looked at four times a day, for the same reason. */
    private static final Pace PACE = new Pace(
            Duration.ofMinutes(6),
            Pace.USUAL.firstLook(),
            Pace.USUAL.longestLook(),
            Pace.USUAL.firstBackOff(),
            Pace.USUAL.longestBackOff());

    /** Pipes are looked at as often however long they have been settled. */
    private static final Pace PIPE_PACE = new Pace(
            Duration.ofHours(6),
            Pace.USUAL.firstLook(),
            Pace.USUAL.longestLook(),
            Pace.USUAL.firstBackOff(),
            Pace.USUAL.longestBackOff());

    /** Calls are made on the one thread: they come back before anybody could wait for them. */
    private static final Duration NO_LIMIT = Duration.ofMinutes(10);

    final Store store;
    final Dispatcher dispatcher;
    final ServiceOperations services;
    final ServiceSleep sleep;
    final BackupOperations backups;
    final PartOperations schedules;
    final ApiKeyOperations keys;
    final AlertOperations alerts;
    final WebhookOperations webhooks;
    final PipeOperations pipes;

    /** The outside world, as this process reaches it. */
    record Outside(
            Store store,
            Clock clock,
            DataPlane plane,
            Backups backups,
            DeliverySender sender,
            PipeRunner runner,
            Executor executor,
            Wake wake,
            Supplier<ServicePorts> ports,
            SimWorld world,
            SimFence fence,
            boolean shared,
            Vault vault,
            SecureRandom random) {}

    SimProcess(Outside outside, String name) {
        store = outside.store();
        Clock clock = outside.clock();
        RuleBook rules = RuleBook.of(Edition.SEED);
        BackupsOfService backupsOfService = new BackupsOfService();
        ServiceFollower followers = ServiceFollower.all(List.of(
                new ScalingScheduleOfService(),
                new PartsOfService(),
                new PipesOfService(),
                new UsageOfService(),
                backupsOfService));
        SecretText secrets = new SecretText(outside.random());
        SecretHash hash = new SecretHash(new byte[32]);
        Wake wake = outside.wake();
        services = new ServiceOperations(
                store,
                clock,
                rules,
                ServiceDefaults.STANDARD,
                secrets,
                new HostsAndPorts(),
                new Drawing(outside.ports()),
                outside.plane()::database,
                backupsOfService,
                followers,
                wake);
        sleep = new ServiceSleep(store, clock, followers, wake);
        backups = new BackupOperations(store, clock, outside.backups()::refusal, wake);
        schedules = new PartOperations(store, clock, rules, new ScalingSchedule(), wake);
        keys = new ApiKeyOperations(
                store,
                clock,
                new ApiKeyMaker(secrets, hash, clock),
                new Admins(new Roles(), List.of(new KeyHolders(clock))));
        alerts = new AlertOperations(store, clock, wake);
        webhooks = new WebhookOperations(
                store,
                clock,
                outside.vault(),
                outside.random(),
                WebhookAddresses.allowing(List.of()),
                outside.sender(),
                () -> "http://alerts.example");
        pipes = new PipeOperations(
                store,
                clock,
                rules,
                outside.vault(),
                new PipeSchemaOperations(store, rules, PipeSchemaReader.none("Nothing is read here.")),
                wake);
        dispatcher = dispatcher(outside, followers, name);
    }

    private static Dispatcher dispatcher(Outside outside, ServiceFollower followers, String name) {
        Store store = outside.store();
        Clock clock = outside.clock();
        Ground ground = ground(outside, PACE);
        Map<Kind, Pass> passes = new EnumMap<>(Kind.class);
        passes.put(
                Kind.SERVICE,
                new ServicePass(ground, outside.plane(), new ServicePlan(Patience.USUAL, PACE), followers));
        passes.put(Kind.SCALING_SCHEDULE, new ScalingSchedulePass(store, clock, followers));
        passes.put(
                Kind.BACKUP,
                new BackupPass(
                        ground,
                        outside.backups(),
                        new BackupPlan(BackupPlan.PATIENCE, PACE, Duration.ZERO),
                        new ProofBook()));
        passes.put(Kind.ALERT, new AlertPass(store, clock, new MetricReader(PipeProgress.NONE)));
        passes.put(
                Kind.DELIVERY,
                new DeliveryPass(
                        store,
                        clock,
                        outside.vault(),
                        outside.sender(),
                        outside.world().chance()::nextDouble,
                        () -> "http://alerts.example",
                        new DeliveryLog()));
        passes.put(Kind.PIPE, new PipePass(ground(outside, PIPE_PACE), outside.runner(), new PipePlan(PACE)));
        passes.put(Kind.REVERSE_PRIVATE_ENDPOINT, claim -> {
            throw new SimBroken("No client made this: " + claim);
        });
        passes.replaceAll((_, pass) -> claim -> outside.fence().during(claim, () -> pass.run(claim)));
        DispatchLimits like = outside.shared() ? DispatchLimits.SHARED : DispatchLimits.USUAL;
        return new Dispatcher(
                store, clock, passes, task -> outside.executor().execute(task), name, limits(like.lease()), PACE);
    }

    private static Ground ground(Outside outside, Pace pace) {
        return new Ground(
                outside.store(),
                outside.clock(),
                new Comeback(pace, outside.world().chance()::nextDouble),
                new TimeLimit(Runnable::run, NO_LIMIT, NO_LIMIT),
                () -> {});
    }

    /** Every service at its own ports of one host. */
    private static final class HostsAndPorts implements Addresses {
        @Override
        public String host(Service service) {
            return "host";
        }

        @Override
        public List<Endpoint> of(Service service) {
            ServicePorts ports = service.access().ports();
            return ports == null ? List.of() : List.of(new Endpoint("https", "host", ports.https(), "default"));
        }
    }

    /** A way in for which a new service gets ports that may be another's. */
    private record Drawing(Supplier<ServicePorts> ports) implements WayIn {
        @Override
        public Optional<ServicePorts> draw() {
            return Optional.of(ports.get());
        }

        @Override
        public void follow(Service committed) {}

        @Override
        public Optional<String> refusal() {
            return Optional.empty();
        }
    }
}
