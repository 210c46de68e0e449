package io.pilothouse.server;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.BackupPass;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.backup.BucketsOfService;
import io.pilothouse.core.backup.ProofBook;
import io.pilothouse.core.backup.ProofRequests;
import io.pilothouse.core.byoc.ByocOfService;
import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.engine.PlannedPass;
import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.key.Idempotency;
import io.pilothouse.core.part.PartsOfService;
import io.pilothouse.core.part.ScalingScheduleOfService;
import io.pilothouse.core.part.ScalingSchedulePass;
import io.pilothouse.core.pipe.PipesOfService;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.privateendpoint.PrivateEndpointsOfService;
import io.pilothouse.core.query.QueryRuns;
import io.pilothouse.core.query.QuerySeats;
import io.pilothouse.core.quota.QuotasOfService;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.timeline.Timeline;
import io.pilothouse.core.timeline.TimelineOfService;
import io.pilothouse.core.usage.UsageOfService;
import io.pilothouse.core.usage.UsagePrices;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.http.api.QueryRoutes;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.server.activity.ActivityKeeper;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.emulator.Emulator;
import io.pilothouse.server.host.HostRoutes;
import io.pilothouse.server.log.LogLevel;
import io.pilothouse.server.log.LogWriter;
import io.pilothouse.server.log.Logs;
import io.pilothouse.server.metrics.BackupMeter;
import io.pilothouse.server.metrics.ClockMeter;
import io.pilothouse.server.metrics.DiskWatch;
import io.pilothouse.server.metrics.EngineMeter;
import io.pilothouse.server.metrics.JvmGauges;
import io.pilothouse.server.metrics.LoginMeter;
import io.pilothouse.server.metrics.PipeMeter;
import io.pilothouse.server.metrics.PulseKeeper;
import io.pilothouse.server.metrics.RequestMetrics;
import io.pilothouse.server.metrics.StoreMeter;
import io.pilothouse.server.ready.ReadyFile;
import io.pilothouse.server.store.OpenStore;
import io.pilothouse.server.store.StoreChoice;
import io.pilothouse.server.upgrade.UpgradeWatch;
import io.pilothouse.server.verify.ProofRoutes;
import io.pilothouse.store.StoreRefused;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Every part of the program, made by a constructor call from top to bottom, and closed from bottom to top. */
final class Wiring {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(10);
    private static final Duration ACT_LIMIT = Duration.ofSeconds(60);
    private static final Duration PASSES_END_WITHIN = Duration.ofSeconds(2);
    private static final Duration MAX_ROUND = Duration.ofMinutes(1);

    private final Config config;
    private final Opened opened;
    private Surroundings surroundings;
    private Clock clock;

    private Wiring(Config config, Surroundings surroundings, Opened opened) {
        this.config = config;
        this.surroundings = surroundings;
        this.clock = surroundings.clock();
        this.opened = opened;
    }

    /** Starts everything; a start that fails closes the parts it opened. */
    static Running open(Config config, Surroundings surroundings) throws StartRefused {
        Opened opened = new Opened();
        boolean complete = false;
        try {
            Running running = new Wiring(config, surroundings, opened).open();
            complete = true;
            return running;
        } catch (StartRefused e) {
            throw e;
        } catch (CommandRefused e) {
            throw new StartRefused(e.sentence(), e);
        } catch (StoreRefused e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        } catch (StoreUnavailable e) {
            throw new StartRefused("The store cannot be read or written: " + e.getMessage(), e);
        } finally {
            if (!complete) {
                opened.close();
            }
        }
    }

    private Running open() throws CommandRefused {
        LogLevel logLevel = config.get(Options.LOG_LEVEL);
        LogWriter log = new LogWriter(surroundings.logs(), config.get(Options.LOG_FORMAT), clock);
        log.start();
        opened.add("log", log::close);
        Logs.sendAll(log, logLevel);
        Home folder = Home.open(config.get(Options.DATA));
        StoreMeter storeMeter = new StoreMeter();
        OpenStore kept = StoreChoice.of(config).openToWork(storeMeter, clock, surroundings.store());
        opened.add("store", kept::close);
        Store store = kept.store();
        ReadyFile.clearFormer(config);
        Emulator emulator = folder.emulator(config, kept.clock(), surroundings.random());
        clock = emulator.clock();
        surroundings = surroundings.at(clock);
        Home home = folder.keptBy(StoreChoice.of(config), store, surroundings.random());
        Bootstrap bootstrap = new Bootstrap(store, clock, config);
        Optional<Activity> beginning = bootstrap.beginning();
        SecretHash hash = home.secretHash(store, beginning.isEmpty(), surroundings.random());
        Vault vault = new VaultFile(home, store, surroundings.random()).open();
        SecretText secrets = new SecretText(surroundings.random());
        ApiKeyMaker keyMaker = new ApiKeyMaker(secrets, hash, clock);
        WebhookAddresses addresses =
                WebhookAddresses.allowing(config.find(Options.WEBHOOK_ALLOW).orElse(List.of()));
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("task-", 0).factory());
        opened.add("threads", threads::shutdownNow);
        DiskWatch disk = home.disk(config.find(LocalPlaneOptions.DISK_RESERVE));
        disk.start(threads);
        opened.add("watch of the disk", disk::close);
        BackupsOfService backups = new BackupsOfService();
        Timeline timeline = new Timeline(clock.now());
        ServiceFollower followers = ServiceFollower.all(List.of(
                new PipesOfService(),
                new ScalingScheduleOfService(),
                new PartsOfService(),
                new PrivateEndpointsOfService(clock),
                new UsageOfService(),
                new ByocOfService(),
                new QuotasOfService(config.quotas()),
                backups,
                new TimelineOfService(timeline)));
        EngineMeter engineMeter = new EngineMeter(store, clock);
        Guesses apiLogins = Guesses.atMost(config.get(Options.FAILED_LOGINS), surroundings.random(), kept.allowances());
        // A service is on one host, and clients of databases must not wait for the store.
        Guesses databaseLogins =
                Guesses.atMost(config.get(Options.FAILED_LOGINS), surroundings.random(), Optional.empty());
        PlaneParts parts = surroundings
                .plane()
                .make(new PlaneParts.Ground(
                        config,
                        clock,
                        surroundings.random(),
                        store,
                        beginning.map(Bootstrap::identity),
                        home,
                        followers,
                        new BucketsOfService(store.forTheEngine(), vault),
                        addresses,
                        threads,
                        databaseLogins,
                        opened))
                .through(emulator::around);
        AlertWiring alerting = new AlertWiring(config, surroundings, store, vault, addresses, opened);
        PipeWiring pipes = new PipeWiring(config, surroundings, store, vault, parts, home, threads, opened);
        ProofBook book = new ProofBook();
        Dispatcher dispatcher =
                dispatcher(kept, engineMeter, threads, parts, pipes, emulator, followers, timeline, book, alerting);
        ProofRequests proofs = new ProofRequests(store, clock, book, parts.backups(), dispatcher);
        parts.beginning().begin(dispatcher);
        pipes.begin(dispatcher);
        alerting.begin();
        opened.add("engine", () -> dispatcher.stop(PASSES_END_WITHIN));
        PulseKeeper pulses = PulseKeeper.over(parts.figures(), clock, threads, config.get(Options.CONSOLE));
        opened.add("plots", pulses::close);
        Roles roles = new Roles();
        ActivityKeeper history =
                ActivityKeeper.over(store.forTheEngine(), clock, config.get(Options.ACTIVITY_RETENTION_DAYS));
        opened.add("history", history::close);
        Credentials credentials = new Credentials(store, clock, hash, roles, history);
        ApiWiring api = new ApiWiring(new ApiParts(new ApiParts.Ground(
                store,
                clock,
                config.rules(),
                config.serviceDefaults(),
                new UsagePrices(config.get(Options.PRICE_MEMORY), config.get(Options.PRICE_STORAGE)),
                config.quotas(),
                secrets,
                hash,
                vault,
                addresses,
                keyMaker,
                roles,
                Bootstrap.firstMember(config),
                parts,
                pipes,
                backups,
                followers,
                timeline,
                alerting,
                pulses.history(),
                dispatcher,
                new OnceOnly(new Idempotency(store, clock, surroundings.random())),
                threads)));
        List<AnyRoute> management = api.management();
        List<AnyRoute> alerts = api.alerts();
        QueryRuns runs = new QueryRuns(store, parts.queries(), QuerySeats.usual());
        List<AnyRoute> queries = new QueryRoutes(runs).all();
        List<AnyRoute> requested = flat(List.of(management, alerts, queries));
        Emulator.World world = new Emulator.World(
                store, requested, alerting.counter(), dispatcher, parts.inside().isPresent(), threads);
        List<AnyRoute> controls = api.controls(emulator, world);
        RequestMetrics requests = new RequestMetrics(flat(List.of(requested, controls)));
        AdminRoutes admin = new AdminRoutes(
                store,
                new AdminRoutes.Description(
                        Version.ofProgram(),
                        config.rules().edition(),
                        parts.plane().name(),
                        parts.fence(),
                        pipes.limits(),
                        parts.queries().refusal().orElse("possible")),
                () -> dispatcher.standstill(MAX_ROUND),
                parts.wayIn()::refusal,
                disk::shortage,
                config.find(Options.ADMIN_TOKEN),
                List.of(
                        requests::write,
                        storeMeter::write,
                        text -> engineMeter.write(text, dispatcher::running, dispatcher::sinceLastRound),
                        new LoginMeter(Map.of("api", apiLogins, "databases", databaseLogins))::write,
                        new PipeMeter(pipes.progress())::write,
                        new BackupMeter(book, proofs, clock)::write,
                        log::write,
                        disk::write,
                        parts.meter(),
                        JvmGauges::write,
                        new ClockMeter(clock)::write),
                HostRoutes.and(new ProofRoutes(proofs).routes(), store, clock, dispatcher));
        Front front = new Front(config, Front.entrance(config, home, threads, clock.machine(), surroundings.random()));
        opened.add("listeners", front::close);
        // Before them, so that no delayed request holds them up.
        opened.add("delays", emulator::close);
        Urls urls = front.open(
                new Front.Behind(
                        api,
                        emulator,
                        new Front.Routes(management, alerts, queries, controls, admin.routes()),
                        new Front.Doors(
                                credentials,
                                apiLogins,
                                RateLimit.perMinute(config.get(Options.RATE_LIMIT), kept.allowances()),
                                runs),
                        new Front.Observers(requests, alerting.counter(), history, surroundings.requests()),
                        log,
                        clock,
                        surroundings.random()),
                Front.authority(config, home));
        alerting.listensAt(urls.alerts());
        CredentialsFile file = new CredentialsFile(home.credentials());
        String welcome;
        if (beginning.isEmpty()) {
            FirstAccess access = bootstrap.draw(secrets);
            // The file goes first: credentials that open nothing are harmless, lost ones are not.
            file.write(urls, access);
            bootstrap.keep(access, keyMaker, hash);
            welcome = Welcome.first(Version.ofProgram(), urls, access, file.path(), parts);
        } else {
            file.pointTo(urls);
            welcome = Welcome.again(Version.ofProgram(), urls, beginning.get().organizationId(), file, parts);
        }
        UpgradeWatch upgrades = UpgradeWatch.over(
                store, clock, parts.plane()::offers, followers, dispatcher, parts.wayIn()::serves, threads);
        opened.add("upgrades", upgrades::close);
        emulator.looksAfterMoves(history::turn, upgrades::look);
        // Last, so that a fleet with much to do does not hold up the first answer.
        kept.begin(dispatcher);
        return new Running(
                urls,
                welcome,
                bootstrap.ignored(hash),
                parts.plane().name(),
                management,
                alerts,
                controls,
                dispatcher,
                opened);
    }

    private static List<AnyRoute> flat(List<List<AnyRoute>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }

    private Dispatcher dispatcher(
            OpenStore kept,
            EngineMeter meter,
            ExecutorService threads,
            PlaneParts parts,
            PipeWiring pipes,
            Emulator emulator,
            ServiceFollower followers,
            Timeline timeline,
            ProofBook book,
            AlertWiring alerting) {
        Store store = kept.store().forTheEngine();
        PlannedPass.Ground ground = new PlannedPass.Ground(
                store,
                clock,
                new Comeback(Pace.USUAL, () -> ThreadLocalRandom.current().nextDouble()),
                new TimeLimit(threads, LOOK_LIMIT, ACT_LIMIT),
                meter::callFailed);
        Map<Tasks.Kind, Pass> passes = new EnumMap<>(alerting.passes(pipes.progress()));
        passes.put(Tasks.Kind.SERVICE, ServicePass.usual(ground, parts.plane(), followers, timeline));
        passes.put(Tasks.Kind.SCALING_SCHEDULE, new ScalingSchedulePass(store, clock, followers));
        passes.putAll(pipes.passes(ground));
        passes.put(Tasks.Kind.BACKUP, BackupPass.usual(ground, parts.backups(), book));
        passes.replaceAll((kind, pass) -> meter.counting(emulator.over(kind, pass)));
        return new Dispatcher(
                store,
                clock,
                passes,
                threads,
                "process " + ProcessHandle.current().pid() + " " + UUID.randomUUID(),
                kept.limits(),
                Pace.USUAL);
    }
}
