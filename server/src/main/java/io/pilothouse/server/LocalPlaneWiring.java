package io.pilothouse.server;

import com.sun.management.OperatingSystemMXBean;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostMoves;
import io.pilothouse.core.host.HostWatch;
import io.pilothouse.core.host.Leaving;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.core.service.WayIn;
import io.pilothouse.core.snapshot.CopiesMark;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewaySettings;
import io.pilothouse.gateway.door.DoorDatabases;
import io.pilothouse.gateway.door.DoorRows;
import io.pilothouse.gateway.door.Doors;
import io.pilothouse.gateway.door.GatedPlane;
import io.pilothouse.gateway.door.GatewayAddresses;
import io.pilothouse.gateway.door.GatewayPortFile;
import io.pilothouse.gateway.door.GatewayPorts;
import io.pilothouse.gateway.door.IdleWatch;
import io.pilothouse.gateway.door.Signposts;
import io.pilothouse.gateway.door.SleepRequests;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.incoming.Room;
import io.pilothouse.incoming.Seats;
import io.pilothouse.incoming.TrustedProxies;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsFiles;
import io.pilothouse.incoming.tls.TlsLeaves;
import io.pilothouse.outgoing.CheckedNames;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.pipes.ControlGroups;
import io.pilothouse.plane.local.BackupFiles;
import io.pilothouse.plane.local.BackupProofs;
import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.DatabaseBackups;
import io.pilothouse.plane.local.DatabaseCommand;
import io.pilothouse.plane.local.DatabaseFailure;
import io.pilothouse.plane.local.DatabaseSetup;
import io.pilothouse.plane.local.Installs;
import io.pilothouse.plane.local.LocalBackups;
import io.pilothouse.plane.local.LocalDatabases;
import io.pilothouse.plane.local.LocalDoorDatabases;
import io.pilothouse.plane.local.LocalFigures;
import io.pilothouse.plane.local.LocalOwnDatabases;
import io.pilothouse.plane.local.LocalPlane;
import io.pilothouse.plane.local.LocalQueryDatabases;
import io.pilothouse.plane.local.LocalSettings;
import io.pilothouse.plane.local.UnservedPipes;
import io.pilothouse.plane.local.bucket.BucketTransfers;
import io.pilothouse.plane.local.bucket.Buckets;
import io.pilothouse.plane.local.bucket.StoreClient;
import io.pilothouse.plane.local.disk.FileSums;
import io.pilothouse.plane.local.kept.LocalSnapshotData;
import io.pilothouse.plane.local.share.DiskShares;
import io.pilothouse.plane.local.turn.Budget;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.host.HostLeaving;
import io.pilothouse.server.host.HostRounds;
import io.pilothouse.server.host.OtherDoorRows;
import io.pilothouse.server.host.OwnDoorRows;
import io.pilothouse.server.host.OwnHost;
import io.pilothouse.server.host.OwnServices;
import io.pilothouse.server.host.PlacedDoors;
import io.pilothouse.server.host.ServiceDoors;
import io.pilothouse.server.metrics.DiskShareMeter;
import io.pilothouse.server.webhook.NameLookups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.net.ssl.SSLSocketFactory;

/** The parts of the local plane, made and joined in order: databases, gateway, doors, and who watches for idleness. */
final class LocalPlaneWiring {
    private static final Logger LOG = System.getLogger(LocalPlaneWiring.class.getName());
    private static final Duration IDLE_PERIOD = Duration.ofSeconds(5);
    private static final Duration CLIENTS_LEAVE_WITHIN = Duration.ofSeconds(10);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);
    private static final String BUNDLED = """
            Databases are the bundled ClickHouse: HTTPS only, no SQL users (docs/services.md). All of ClickHouse from the next start on:

            pip install clickhousectl && clickhousectl local install stable""";

    private final PlaneParts.Ground ground;
    private final ClickHouse clickhouse;
    private final Installs installs;
    private final LateWake wake = new LateWake();

    private LocalPlaneWiring(PlaneParts.Ground ground, ClickHouse clickhouse, Installs installs) {
        this.ground = ground;
        this.clickhouse = clickhouse;
        this.installs = installs;
    }

    /** A nudge that reaches the engine once there is one. */
    private static final class LateWake implements Wake {
        private volatile Wake target = () -> {};

        @Override
        public void nudge() {
            target.nudge();
        }
    }

    static PlaneParts open(PlaneParts.Ground ground, ClickHouse clickhouse, Installs installs) throws StartRefused {
        try {
            return new LocalPlaneWiring(ground, clickhouse, installs).open();
        } catch (DatabaseFailure e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        } catch (IOException | UncheckedIOException | GeneralSecurityException e) {
            throw new StartRefused("The local plane cannot be started: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefused("The start was cut short.", e);
        }
    }

    private PlaneParts open()
            throws DatabaseFailure, IOException, GeneralSecurityException, InterruptedException, StartRefused {
        Config config = ground.config();
        Path home = ground.home().path().toAbsolutePath();
        new StorePair(home.resolve("services"))
                .require(ground.storeIdentity(), config.get(LocalPlaneOptions.NEW_STORE));
        ServiceSleep operations = new ServiceSleep(ground.store(), ground.clock(), ground.followers(), wake);
        SleepRequests rest = ServiceDoors.rest(operations);
        DatabaseCommand.ChildJava java = DatabaseCommand.ChildJava.ofThisProcess();
        DatabaseSetup setup = new DatabaseSetup(
                clickhouse,
                home.resolve("services"),
                config.get(LocalPlaneOptions.ENGINE_PORTS),
                new UserChoice(config.get(LocalPlaneOptions.ENGINE_USER), clickhouse, java).choose(home),
                java,
                config.get(LocalPlaneOptions.EGRESS),
                DatabaseFence.around(clickhouse, config.get(LocalPlaneOptions.UNFENCED_ENGINE)),
                budget(config, ground.home()),
                ControlGroups.below(Path.of("/sys/fs/cgroup"), "pilothouse-databases", ProcessLimits.Share.GIVES_WAY),
                config.get(LocalPlaneOptions.KEEP_SERVICES),
                DatabaseSetup.Patience.USUAL,
                ground.clock(),
                ground.threads());
        DatabaseFence fence = new DatabaseFence(
                setup.isFenced(), setup.gaps(), config.reachable(), config.get(LocalPlaneOptions.UNFENCED_ENGINE));
        fence.require();
        LocalDatabases databases = new LocalDatabases(setup, installs, rest::look);
        ground.opened().add("databases", databases::close);
        Optional<Host> here = OwnHost.of(config, home, setup.budget().databases(), ground.clock());
        TlsAuthority authority = ground.home().openAuthority(ground.clock().machine(), ground.random());
        Optional<SharedPorts> shared = LocalPlaneOptions.shared(config);
        GatewaySettings settings = settings(config, authority, shared);
        Gateway gateway = new Gateway(settings, authority, ground.threads(), ground.clock());
        ground.opened().add("gateway", () -> gateway.close(CLIENTS_LEAVE_WITHIN));
        DoorRows rows = new OwnDoorRows(ground.store(), here, operations);
        GatewayPortFile earlier = new GatewayPortFile(home.resolve("gateway-ports"));
        GatewayPorts ports = new GatewayPorts(
                config.get(LocalPlaneOptions.GATEWAY_PORTS),
                gateway::bindable,
                rows::ports,
                earlier.ports().values().stream()
                        .flatMap(had -> had.all().stream())
                        .toList(),
                here.isPresent() ? this::shuffle : _ -> {});
        Buckets buckets = buckets();
        BackupFiles files = files(home.resolve("backups"), buckets);
        DatabaseBackups kept = new DatabaseBackups(databases, files);
        Optional<BackupProofs> proofs = BackupProofs.open(
                setup, home.resolve("proofs"), config.get(LocalPlaneOptions.BACKUP_PROOF_DAYS), databases, files);
        proofs.ifPresent(each -> ground.opened().add("proofs of backups", each::close));
        LocalBackups backups = new LocalBackups(kept, proofs);
        LocalOwnDatabases own = new LocalOwnDatabases(databases, kept);
        LocalSettings clickhouseSettings = new LocalSettings(databases, home.resolve("clickhouse-settings"));
        DiskShares shares = shares(rest);
        LocalPlane plane = new LocalPlane(databases, kept, clickhouseSettings, shares);
        plane.watchDisk(ground.threads());
        DoorDatabases behind = new LocalDoorDatabases(databases, kept, backups, own);
        GatewayAddresses addresses = new GatewayAddresses(settings.host(), shared);
        Doors doors = new Doors(gateway, addresses, ports, behind, rest, rows, earlier.ports());
        Optional<HostRounds> word = here.map(host -> {
            Signposts signposts = new OtherDoorRows(ground.store().forTheEngine(), host)
                    .signposts(gateway, addresses, settings, config);
            return word(host, new HostLeaving(plane, backups, doors, signposts), signposts);
        });
        LocalSnapshotData data = new LocalSnapshotData(
                databases,
                new LocalSnapshotData.Places(
                        home.resolve("snapshots"), home.resolve("services"), home.resolve("backups")),
                setup.budget().keptFreeBytes(),
                ground.threads(),
                id -> {
                    doors.forget(Set.of(id));
                    kept.forget(id);
                    backups.forget(id);
                    shares.forget(id);
                });
        data.begin(CopiesMark.find(ground.store()));
        CopiesMark.remove(ground.store());
        IdleWatch idle = new IdleWatch(doors, behind, ground.clock());
        ground.opened().add("watch for idle services", idle::close);
        List<String> notices = new ArrayList<>(databases.warnings());
        fence.exposure().ifPresent(notices::add);
        notices.forEach(warning -> LOG.log(Level.WARNING, warning));
        if (clickhouse instanceof ClickHouse.Bundled) {
            notices.add(BUNDLED);
        }
        return new PlaneParts(
                new GatedPlane(plane, doors),
                backups,
                new UnservedPipes(),
                PipeSchemaReader.none("This server has no worker that looks at sources."),
                addresses,
                here.<WayIn>map(host ->
                                new PlacedDoors(doors, host.id(), ground.store(), ground.clock(), this::shuffle))
                        .orElse(doors),
                new LocalFigures(databases),
                new LocalQueryDatabases(databases, doors::use, ground.threads()),
                clickhouseSettings,
                target -> begin(target, here, databases, gateway, doors, earlier, idle, word),
                notices,
                fence.words(),
                config.find(LocalPlaneOptions.SERVICE_CERT).isPresent()
                        ? Optional.empty()
                        : Optional.of(authority.certificateFile()),
                new DiskShareMeter(shares)::write,
                Optional.of(new PlaneParts.Inside(own, operations, buckets.roles())),
                Optional.of(doors::forget),
                Optional.of(data));
    }

    /** Processes that share the store may draw from one range. */
    private void shuffle(List<Integer> fresh) {
        Collections.shuffle(fresh, ground.random());
    }

    /** What tells the others that this host is there. */
    private HostRounds word(Host here, Leaving leaving, Signposts signposts) {
        Store store = ground.store().forTheEngine();
        HostRounds word = new HostRounds(
                new HostWatch(store, ground.clock(), here, ground.followers(), wake),
                new HostMoves(store, ground.clock(), here.id(), leaving, ground.followers(), wake),
                signposts);
        ground.opened().add("word to other hosts", word::close);
        return word;
    }

    private DiskShares shares(SleepRequests rest) {
        DiskShares shares = new DiskShares(LocalPlaneOptions.share(ground.config()), rest::look);
        ground.opened().add("shares of the disk", shares::close);
        return shares;
    }

    private GatewaySettings settings(Config config, TlsAuthority authority, Optional<SharedPorts> shared)
            throws StartRefused {
        Optional<Path> certificate = config.find(LocalPlaneOptions.SERVICE_CERT);
        Optional<Path> key = config.find(LocalPlaneOptions.SERVICE_KEY);
        if (certificate.isPresent() != key.isPresent() || (certificate.isPresent() && shared.isEmpty())) {
            throw new StartRefused("service-cert, service-key and service-domain are given together; with"
                    + " service-domain alone, the program's own authority makes the certificate.");
        }
        GatewaySettings settings = new GatewaySettings(
                        config.get(LocalPlaneOptions.GATEWAY_HOST),
                        List.of(config.get(LocalPlaneOptions.GATEWAY_LISTEN)),
                        Seats.atMost(config.get(Options.MAX_CONNECTIONS)),
                        Room.ofHeap(),
                        ground.logins(),
                        config.get(LocalPlaneOptions.DATABASE_PAGES))
                .trusting(
                        new TrustedProxies(config.find(Options.TRUSTED_PROXIES).orElse(List.of())));
        if (shared.isEmpty()) {
            return settings;
        }
        SharedPorts ports = shared.get();
        return settings.sharing(
                ports,
                certificate.isPresent() && key.isPresent()
                        ? new TlsFiles(certificate.get(), key.get(), ground.random()).covering(ports.wildcard())
                        : new TlsLeaves(authority, List.of(ports.wildcard(), ports.domain())));
    }

    private static Budget budget(Config config, Home home) throws StartRefused {
        Runtime runtime = Runtime.getRuntime();
        long memory = config.find(LocalPlaneOptions.ENGINE_MEMORY)
                .orElseGet(() -> Budget.memoryBeside(machineBytes(), runtime.maxMemory()));
        return new Budget(
                memory,
                Math.max(2, runtime.availableProcessors()),
                home.reserve(config.find(LocalPlaneOptions.DISK_RESERVE)));
    }

    /** In a container, what the container may take. */
    private static long machineBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    private Buckets buckets() {
        CheckedNames names = new CheckedNames(
                OutgoingHttp.Resolver.ofMachine(), ground.addresses()::allow, CONNECT_WITHIN, NameLookups.threads());
        ground.opened().add("names of buckets", names::close);
        OutgoingHttp http =
                new OutgoingHttp(names, () -> (SSLSocketFactory) SSLSocketFactory.getDefault(), CONNECT_WITHIN);
        return new Buckets(
                StoreClient.over(http, ground.clock()), ground.clock(), LocalPlaneOptions.identity(ground.config()));
    }

    private BackupFiles files(Path folder, Buckets buckets) {
        return new BackupFiles(
                folder,
                ground.places(),
                new BucketTransfers(buckets, ground.threads()),
                new FileSums(ground.threads()));
    }

    /** Doors come first: clients of databases that ran on wait for them. What runs for nobody is behind no door. */
    private void begin(
            Wake target,
            Optional<Host> here,
            LocalDatabases databases,
            Gateway gateway,
            Doors doors,
            GatewayPortFile earlier,
            IdleWatch idle,
            Optional<HostRounds> word)
            throws StartRefused {
        wake.target = target;
        try {
            Set<UUID> present = databases.present();
            OwnServices services = new OwnServices(ground.store(), ground.clock(), here, present::contains);
            services.begin(row -> serve(doors, row));
            word.ifPresent(each -> each.start(ground.threads()));
            openShared(gateway);
            LocalDatabases.Swept swept = databases.sweep(services.known(present));
            swept.ended().forEach(id -> LOG.log(Level.WARNING, "Ended a database of {0}, which is no service", id));
            swept.foldersKept()
                    .forEach(id -> LOG.log(
                            Level.WARNING, "The folder services/{0} belongs to no service; it is left as it is", id));
            putAside(earlier, services);
            idle.start(ground.threads(), IDLE_PERIOD);
        } catch (DatabaseFailure e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new StartRefused("The file gateway-ports cannot be put aside: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartRefused("The start was cut short.", e);
        }
    }

    private static void openShared(Gateway gateway) throws StartRefused {
        try {
            gateway.openShared();
        } catch (IOException e) {
            throw new StartRefused(e.getMessage() + ": choose other ports with --service-ports", e);
        }
    }

    private static void serve(Doors doors, Service row) {
        try {
            doors.serve(row);
        } catch (PlaneFault e) {
            // The engine's look at it fails the same way, and is where its state comes from.
            LOG.log(Level.WARNING, "The service " + row.id() + " cannot be served", e);
        }
    }

    /** A file that knows none of the services here belongs to another store, which may be put back. */
    private static void putAside(GatewayPortFile earlier, OwnServices services) throws IOException {
        Set<UUID> had = earlier.ports().keySet();
        if (had.isEmpty() || !services.known(had).isEmpty()) {
            earlier.putAside();
        } else {
            LOG.log(Level.WARNING, "The file gateway-ports names no service of this store; it is left as it is");
        }
    }
}
