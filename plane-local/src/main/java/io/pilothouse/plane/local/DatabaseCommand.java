package io.pilothouse.plane.local;

import io.pilothouse.plane.local.bundled.BundledMain;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.bundled.FencedMain;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.plane.local.user.RunAs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a database's process is started: its command line, its few variables, and where its output goes. */
public final class DatabaseCommand {
    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-Xmx16m",
            "-Xss512k",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED");

    private static final Path NEW_SESSION = Path.of("/usr/bin/setsid");
    private static final Path NICE = Path.of("/usr/bin/nice");

    /** A third of the control plane's share of a processor that both want. */
    private static final String GIVES_WAY = "5";

    private final ChildJava java;
    private final boolean withParent;
    private final Fences fences;
    private final Egress egress;

    /** The Java that runs the bundled ClickHouse: its program, and its class path. */
    public record ChildJava(Path program, String classPath) {
        /** What this process runs on, with paths that hold in another folder. */
        public static ChildJava ofThisProcess() {
            String separator = System.getProperty("path.separator");
            return new ChildJava(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    Stream.of(System.getProperty("java.class.path").split(separator))
                            .map(entry -> Path.of(entry).toAbsolutePath().toString())
                            .collect(Collectors.joining(separator)));
        }

        /**
         * What a JVM needs that ClickHouse runs in. The JVM stops its threads by a SIGSEGV, which ClickHouse takes for
         * a crash of its own: a database that was to end hung now and then. With this part of Java first, it asks only
         * for the signals that are not the JVM's.
         */
        public Map<String, String> variables() {
            Path signals = program.resolveSibling("../lib/libjsig.so").normalize();
            return Files.isReadable(signals) ? Map.of("LD_PRELOAD", signals.toString()) : Map.of();
        }
    }

    DatabaseCommand(ChildJava java, boolean withParent, Fences fences, Egress egress) {
        this.java = java;
        this.withParent = withParent;
        this.fences = fences;
        this.egress = egress;
    }

    /** Whether a process started now ends with the control plane; a server of its own never does. */
    boolean endsWithParent(ClickHouse clickhouse) {
        return withParent && clickhouse instanceof ClickHouse.Bundled;
    }

    Process start(ClickHouse clickhouse, ServiceFolder folder, RunAs user) throws IOException, DatabaseFailure {
        List<String> line = new ArrayList<>(user.prefix());
        if (Files.isExecutable(NICE)) {
            // The API and the gateway answer while many databases start at once.
            line.addAll(List.of(NICE.toString(), "-n", GIVES_WAY));
        }
        line.addAll(own(clickhouse, folder));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.userFiles().toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.console().toFile());
        if (!endsWithParent(clickhouse)) {
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        Map<String, String> environment = builder.environment();
        // Databases must not read the control plane's environment.
        environment.clear();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", folder.data().toString());
        environment.put("LANG", "C.UTF-8");
        // Otherwise the server runs as a child of a watching process, and the signals go to the wrong one.
        environment.put("CLICKHOUSE_WATCHDOG_ENABLE", "0");
        if (clickhouse instanceof ClickHouse.Bundled) {
            environment.putAll(java.variables());
        }
        return builder.start();
    }

    private List<String> own(ClickHouse clickhouse, ServiceFolder folder) throws DatabaseFailure {
        return switch (clickhouse) {
            case ClickHouse.Bundled bundled -> bundled(bundled, folder);
            case ClickHouse.Binary binary -> server(binary, folder);
            case ClickHouse.None none -> throw new DatabaseFailure(none.reason());
        };
    }

    private List<String> bundled(ClickHouse.Bundled clickhouse, ServiceFolder folder) throws DatabaseFailure {
        requireFile(clickhouse.library());
        List<String> line = new ArrayList<>();
        line.addAll(java(BundledMain.class));
        line.add(clickhouse.library().toString());
        line.add(folder.config().toString());
        line.add(withParent ? BundledMain.WITH_PARENT : BundledMain.ALONE);
        line.add(fences.toString());
        line.add(egress.toString());
        folder.working().forEach(path -> line.add(path.toString()));
        return line;
    }

    private List<String> java(Class<?> main) {
        List<String> line = new ArrayList<>();
        line.add(java.program().toString());
        line.addAll(SMALL);
        line.addAll(List.of("-cp", java.classPath(), main.getName()));
        return line;
    }

    private List<String> server(ClickHouse.Binary clickhouse, ServiceFolder folder) throws DatabaseFailure {
        requireFile(clickhouse.program());
        List<String> line = new ArrayList<>();
        if (Files.isExecutable(NEW_SESSION)) {
            // A Ctrl-C in the terminal must reach the control plane alone.
            line.add(NEW_SESSION.toString());
        }
        if (fences.files()) {
            line.addAll(java(FencedMain.class));
            line.addAll(List.of(
                    fences.toString(), egress.toString(), folder.config().toString()));
            folder.working().forEach(path -> line.add(path.toString()));
            line.add(FencedMain.THEN);
        }
        line.add(clickhouse.program().toString());
        // Debian's old package has one program for each task, a modern ClickHouse one for all.
        if (!clickhouse.program().endsWith("clickhouse-server")) {
            line.add("server");
        }
        line.add("--config-file=" + folder.config());
        return line;
    }

    /** Checked here, because the programs that start it would only end with a number. */
    private static void requireFile(Path clickhouse) throws DatabaseFailure {
        if (!Files.isRegularFile(clickhouse)) {
            throw new DatabaseFailure("ClickHouse is not at " + clickhouse + " any more.");
        }
    }
}
