package io.pilothouse.server;

import io.pilothouse.console.Console;
import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.backup.BackupPass;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.backup.BucketsOfService;
import io.pilothouse.core.backup.ProofBook;
import io.pilothouse.core.backup.ProofRequests;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.byoc.ByocOfService;
import io.pilothouse.core.engine.Comeback;
import io.pilothouse.core.engine.DispatchLimits;
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
import io.pilothouse.core.pipe.PipePass;
import io.pilothouse.core.pipe.PipePlan;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.PipesOfService;
import io.pilothouse.core.pipe.ReversePrivateEndpointPass;
import io.pilothouse.core.pipe.ReversePrivateEndpointPlan;
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
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Patience;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.service.ServicePlan;
import io.pilothouse.core.usage.UsageOfService;
import io.pilothouse.core.usage.UsagePrices;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.http.api.QueryRoutes;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.BasicAuthentication;
import io.pilothouse.http.wire.BearerAuthentication;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Plain;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RouteTable;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.plane.simulated.SimulatedReversePrivateEndpoints;
import io.pilothouse.server.activity.ActivityKeeper;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.LogLevel;
import io.pilothouse.server.log.LogWriter;
import io.pilothouse.server.log.Logs;
import io.pilothouse.server.log.RequestLines;
import io.pilothouse.server.metrics.BackupMeter;
import io.pilothouse.server.metrics.ClockMeter;
import io.pilothouse.server.metrics.DiskWatch;
import io.pilothouse.server.metrics.EngineMeter;
import io.pilothouse.server.metrics.JvmGauges;
import io.pilothouse.server.metrics.LoginMeter;
import io.pilothouse.server.metrics.PipeMeter;
import io.pilothouse.server.metrics.RequestMetrics;
import io.pilothouse.server.metrics.StoreMeter;
import io.pilothouse.server.store.StoreChoice;
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
import java.util.stream.Stream;

/** Every part of the program, made by a constructor call from top to bottom, and closed from bottom to top. */
final class Wiring {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(10);
    private static final Duration ACT_LIMIT = Duration.ofSeconds(60);
    private static final int QUERIES_OF_A_SERVICE = 50;
    private static final int QUERIES = 500;
    private static final Duration PASSES_END_WITHIN = Duration.ofSeconds(2);
    private static final Duration MAX_ROUND = Duration.ofMinutes(1);

    private final Config config;
    private final Surroundings surroundings;
    private final Clock clock;
    private final Opened opened;

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

    private Running open() throws StartRefused {
        LogLevel logLevel = config.get(Options.LOG_LEVEL);
        LogWriter log = new LogWriter(surroundings.logs(), config.get(Options.LOG_FORMAT), clock);
        log.start();
        opened.add("log", log::close);
        Logs.ofProcess().sendTo(log, logLevel);

        Home home = Home.open(config.get(Options.DATA));
        StoreMeter storeMeter = new StoreMeter();
        Store store = surroundings.store().apply(StoreChoice.of(config).open(storeMeter));
        opened.add("store", store::close);
        Bootstrap bootstrap = new Bootstrap(store, clock, config);
        Optional<Activity> beginning = bootstrap.beginning();
        SecretHash hash = home.secretHash(store, beginning.isEmpty(), surroundings.random());
        Vault vault = new VaultFile(home, store, surroundings.random()).open();
        SecretText secrets = new SecretText(surroundings.random());
        ApiKeyMaker keyMaker = new ApiKeyMaker(secrets, hash, clock);
        RuleBook rules = config.rules();

        WebhookAddresses addresses =
                WebhookAddresses.allowing(config.find(Options.WEBHOOK_ALLOW).orElse(List.of()));
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("task-", 0).factory());
        opened.add("threads", threads::shutdownNow);
        DiskWatch disk = home.disk(config.find(LocalPlaneOptions.DISK_RESERVE));
        disk.start(threads);
        opened.add("watch of the disk", disk::close);
        BackupsOfService backups = new BackupsOfService();
        ServiceFollower followers = ServiceFollower.all(List.of(
                new PipesOfService(),
                new ScalingScheduleOfService(),
                new PartsOfService(),
                new PrivateEndpointsOfService(clock),
                new UsageOfService(),
                new ByocOfService(),
                new QuotasOfService(config.quotas()),
                backups));
        EngineMeter engineMeter = new EngineMeter(store, clock);
        Guesses apiLogins = guesses();
        Guesses databaseLogins = guesses();
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
                        opened));
        DataPlane plane = parts.plane();
        AlertWiring alerting = new AlertWiring(config, surroundings, store, vault, addresses, opened);
        PipeWiring pipes = new PipeWiring(config, surroundings, store, vault, parts, home, threads, opened);
        ProofBook book = new ProofBook();
        Dispatcher dispatcher = dispatcher(
                store.forTheEngine(),
                engineMeter,
                threads,
                parts,
                pipes.runner(),
                followers,
                book,
                alerting.passes(pipes.progress()));
        ProofRequests proofs = new ProofRequests(store, clock, book, parts.backups(), dispatcher);
        parts.beginning().begin(dispatcher);
        pipes.begin(dispatcher);
        alerting.begin();
        opened.add("engine", () -> dispatcher.stop(PASSES_END_WITHIN));

        Roles roles = new Roles();
        ActivityKeeper history = history(store);
        Credentials credentials = new Credentials(store, clock, hash, roles, history);
        ApiWiring api = new ApiWiring(new ApiParts(new ApiParts.Ground(
                store,
                clock,
                rules,
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
                alerting,
                dispatcher,
                new OnceOnly(new Idempotency(store, clock, surroundings.random())),
                threads)));
        List<AnyRoute> management = api.management();
        List<AnyRoute> alerts = api.alerts();
        List<AnyRoute> queries = new QueryRoutes(
                        new QueryRuns(store, parts.queries(), new QuerySeats(QUERIES_OF_A_SERVICE, QUERIES)))
                .all();

        RequestMetrics requests = new RequestMetrics(
                Stream.of(management, alerts, queries).flatMap(List::stream).toList());
        AdminRoutes admin = new AdminRoutes(
                store,
                new AdminRoutes.Description(
                        Version.ofProgram(),
                        rules.edition(),
                        plane.name(),
                        parts.fence(),
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
                new ProofRoutes(proofs).routes());
        RequestLines managementLines = new RequestLines(log, logLevel, "management");
        RequestLines queryLines = new RequestLines(log, logLevel, "query");
        RequestLines alertsLines = new RequestLines(log, logLevel, "alerts");
        RateLimit rates = RateLimit.perMinute(config.get(Options.RATE_LIMIT));
        RequestObserver ofForms = RequestObserver.all(List.of(alerting.counter(), history));
        List<AnyRoute> entrances = api.withConsole(
                config.get(Options.CONSOLE),
                new Console.Api(management, credentials, apiLogins, rates, ofForms, managementLines),
                surroundings.random());
        Front front = new Front(config, Front.entrance(config, home, threads, clock, surroundings.random()));
        opened.add("listeners", front::close);
        Urls urls = new Urls(
                front.listen(
                        "management",
                        Options.LISTEN,
                        new Gate(
                                new RouteTable(entrances, api.unserved()),
                                new BasicAuthentication(credentials, apiLogins),
                                rates,
                                new Enveloped(),
                                RequestObserver.all(List.of(
                                        requests,
                                        alerting.counter(),
                                        history,
                                        managementLines,
                                        surroundings.requests())),
                                managementLines)),
                front.listen(
                        "alerts",
                        Options.ALERTS_LISTEN,
                        new Gate(
                                new RouteTable(alerts),
                                new BearerAuthentication(credentials, apiLogins),
                                rates,
                                new Plain(),
                                RequestObserver.all(List.of(
                                        requests, alerting.counter(), history, alertsLines, surroundings.requests())),
                                alertsLines)),
                front.listenForStreams(
                        "query",
                        Options.QUERY_LISTEN,
                        new Gate(
                                new RouteTable(queries),
                                new BasicAuthentication(credentials, apiLogins),
                                rates,
                                new Enveloped(),
                                RequestObserver.all(List.of(requests, history, queryLines)),
                                queryLines)),
                front.listen(
                        "admin",
                        Options.ADMIN_LISTEN,
                        Gate.open(
                                admin.routes(), new Plain(), request -> {}, new RequestLines(log, logLevel, "admin"))),
                config.get(Options.CONSOLE),
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
        // Last, so that a fleet with much to do does not hold up the first answer.
        dispatcher.takeOver();
        dispatcher.start();
        return new Running(
                urls, welcome, bootstrap.ignored(hash), plane.name(), management, alerts, dispatcher, opened);
    }

    private ActivityKeeper history(Store store) {
        int days = config.get(Options.ACTIVITY_RETENTION_DAYS);
        ActivityKeeper history = new ActivityKeeper(
                store.forTheEngine(), clock, days == 0 ? Optional.empty() : Optional.of(Duration.ofDays(days)));
        history.start();
        opened.add("history", history::close);
        return history;
    }

    private Guesses guesses() {
        byte[] salt = new byte[32];
        surroundings.random().nextBytes(salt);
        return new Guesses(config.get(Options.FAILED_LOGINS), System::nanoTime, salt);
    }

    private Dispatcher dispatcher(
            Store store,
            EngineMeter meter,
            ExecutorService threads,
            PlaneParts parts,
            PipeRunner pipes,
            ServiceFollower followers,
            ProofBook book,
            Map<Tasks.Kind, Pass> more) {
        PlannedPass.Ground ground = new PlannedPass.Ground(
                store,
                clock,
                new Comeback(Pace.USUAL, () -> ThreadLocalRandom.current().nextDouble()),
                new TimeLimit(threads, LOOK_LIMIT, ACT_LIMIT),
                meter::callFailed);
        Map<Tasks.Kind, Pass> passes = new EnumMap<>(more);
        passes.put(
                Tasks.Kind.SERVICE,
                new ServicePass(ground, parts.plane(), new ServicePlan(Patience.USUAL, Pace.USUAL), followers));
        passes.put(Tasks.Kind.SCALING_SCHEDULE, new ScalingSchedulePass(store, clock, followers));
        passes.put(Tasks.Kind.PIPE, new PipePass(ground, pipes, new PipePlan(Pace.USUAL)));
        passes.put(
                Tasks.Kind.REVERSE_PRIVATE_ENDPOINT,
                new ReversePrivateEndpointPass(
                        ground,
                        new SimulatedReversePrivateEndpoints(clock, PlaneParts.pipePhase(config)),
                        new ReversePrivateEndpointPlan(Pace.USUAL)));
        passes.put(Tasks.Kind.BACKUP, BackupPass.usual(ground, parts.backups(), book));
        passes.replaceAll((kind, pass) -> meter.counting(pass));
        return new Dispatcher(
                store,
                clock,
                passes,
                threads,
                "process " + ProcessHandle.current().pid() + " " + UUID.randomUUID(),
                DispatchLimits.USUAL,
                Pace.USUAL);
    }
}
