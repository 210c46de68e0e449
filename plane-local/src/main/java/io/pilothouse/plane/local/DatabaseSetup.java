package io.pilothouse.plane.local;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.turn.Budget;
import io.pilothouse.plane.local.user.DatabaseUsers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * The choices for all databases of this machine; {@code egress} is where their SQL may connect to,
 * {@code fences} are what this system can hold the bundled ClickHouse with,
 * {@code budget} what they may take together, {@code limits} hold each to its part, and with {@code keep}
 * they outlive the control plane.
 */
public record DatabaseSetup(
        ClickHouse clickhouse,
        Path root,
        PortSets.PortRange ports,
        DatabaseUsers users,
        DatabaseCommand.ChildJava java,
        Egress egress,
        Fences fences,
        Budget budget,
        ProcessLimits limits,
        boolean keep,
        Patience patience,
        Clock clock,
        ExecutorService threads) {
    private static final String UNFENCED =
            "A clickhouse program has no fence around it: it refuses hosts that --egress does not name, by name and port"
                    + " and not by address, and which files SQL can read is up to the program.";
    private static final String PORTS_ALONE =
            "A clickhouse program is held to its own files, and to the ports of --egress (443 by default): by its own"
                    + " settings it refuses hosts that are not named there, and nothing holds it to addresses.";
    private static final int FIRST_VERSION_WITH_MANY_METHODS = 26;

    /** How long an answer, a start and a stop may take before the next measure is taken. */
    public record Patience(Duration answer, Duration start, Duration stop) {
        public static final Patience USUAL =
                new Patience(Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofSeconds(30));
    }

    /**
     * The same for databases of no service, at the last of the ports: they reach nothing, so that tables which fetch by
     * themselves take nothing away from those of the service, and they end with the control plane.
     */
    DatabaseSetup apart(Path otherRoot) {
        return new DatabaseSetup(
                clickhouse,
                otherRoot,
                new PortSets.PortRange(ports.last() - PortSet.SIZE + 1, ports.last()),
                users,
                java,
                Egress.NONE,
                fences,
                budget,
                limits,
                false,
                patience,
                clock,
                threads);
    }

    /** What is held of what this system can hold. */
    Fences held() {
        return switch (clickhouse) {
            case ClickHouse.Bundled bundled -> fences;
            case ClickHouse.Binary binary -> binary.isScript() ? Fences.NONE : fences.ofAProgram();
            case ClickHouse.None none -> Fences.NONE;
        };
    }

    /** What this machine does not keep the SQL of a service from, in sentences for a person. */
    public List<String> gaps() {
        return switch (clickhouse) {
            case ClickHouse.Bundled bundled -> fences.gaps();
            case ClickHouse.Binary binary -> List.of(held().hold() ? PORTS_ALONE : UNFENCED);
            case ClickHouse.None none -> List.of();
        };
    }

    /** Whether SQL reaches neither files nor places of others. */
    public boolean isFenced() {
        return switch (clickhouse) {
            case ClickHouse.Bundled bundled -> fences.hold();
            case ClickHouse.Binary binary -> held().hold();
            case ClickHouse.None none -> true;
        };
    }

    /** What this ClickHouse reads when it starts. */
    ConfigFiles files(ServiceFolder folder, PortSet portSet, ClickHouse started) {
        return new ConfigFiles(folder, portSet, kind(started), held().files(), egress, budget);
    }

    ConfigFiles.DatabaseKind kind() {
        return kind(clickhouse);
    }

    private static ConfigFiles.DatabaseKind kind(ClickHouse clickhouse) {
        return switch (clickhouse) {
            case ClickHouse.Bundled bundled -> ConfigFiles.DatabaseKind.BUNDLED;
            case ClickHouse.Binary binary ->
                binary.majorVersion() >= FIRST_VERSION_WITH_MANY_METHODS
                        ? ConfigFiles.DatabaseKind.SERVER
                        : ConfigFiles.DatabaseKind.OLD_SERVER;
            // No process is ever started with it.
            case ClickHouse.None none -> ConfigFiles.DatabaseKind.OLD_SERVER;
        };
    }
}
