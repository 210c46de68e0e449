package io.pilothouse.plane.local;

import io.pilothouse.plane.local.bundled.EngineMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How an engine's process is started: its command line, its few variables, and where its words go. */
public final class EngineCommand {
    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-Xmx16m",
            "-Xss512k",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED");

    private static final Path NEW_SESSION = Path.of("/usr/bin/setsid");

    private final RunAs runAs;
    private final ChildJava java;
    private final boolean withParent;

    /** The Java that runs the bundled engine: its program, and where this room's classes are. */
    public record ChildJava(Path program, String classPath) {}

    EngineCommand(RunAs runAs, ChildJava java, boolean withParent) {
        this.runAs = runAs;
        this.java = java;
        this.withParent = withParent;
    }

    /** Whether a process started now ends with the control plane; a server of its own never does. */
    boolean endsWithParent(Engine engine) {
        return withParent && engine instanceof Engine.Bundled;
    }

    Process start(Engine engine, ServiceFolder folder) throws IOException, EngineFault {
        List<String> line = new ArrayList<>(runAs.prefix());
        line.addAll(own(engine, folder));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.userFiles().toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.console().toFile());
        if (!endsWithParent(engine)) {
            builder.redirectInput(Path.of("/dev/null").toFile());
        }
        Map<String, String> environment = builder.environment();
        // What the control plane was given is not for databases to read.
        environment.clear();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", folder.data().toString());
        environment.put("LANG", "C.UTF-8");
        // Otherwise the server runs as a child of a watching process, and the signals go to the wrong one.
        environment.put("CLICKHOUSE_WATCHDOG_ENABLE", "0");
        return builder.start();
    }

    private List<String> own(Engine engine, ServiceFolder folder) throws EngineFault {
        return switch (engine) {
            case Engine.Bundled bundled -> bundled(bundled, folder);
            case Engine.Binary binary -> server(binary, folder);
            case Engine.None none -> throw new EngineFault(none.reason());
        };
    }

    private List<String> bundled(Engine.Bundled engine, ServiceFolder folder) throws EngineFault {
        requireFile(engine.library());
        List<String> line = new ArrayList<>();
        line.add(java.program().toString());
        line.addAll(SMALL);
        line.addAll(List.of("-cp", java.classPath(), EngineMain.class.getName()));
        line.add(engine.library().toString());
        line.add(folder.config().toString());
        line.add(withParent ? EngineMain.WITH_PARENT : EngineMain.ALONE);
        folder.working().forEach(path -> line.add(path.toString()));
        return line;
    }

    private static List<String> server(Engine.Binary engine, ServiceFolder folder) throws EngineFault {
        requireFile(engine.program());
        List<String> line = new ArrayList<>();
        if (Files.isExecutable(NEW_SESSION)) {
            // A Ctrl-C in the terminal is meant for the control plane.
            line.add(NEW_SESSION.toString());
        }
        line.add(engine.program().toString());
        // Debian's old package has one program for each task, a modern ClickHouse one for all.
        if (!engine.program().endsWith("clickhouse-server")) {
            line.add("server");
        }
        line.add("--config-file=" + folder.config());
        return line;
    }

    /** Asked here, because the programs in front of it would only end with a number. */
    private static void requireFile(Path engine) throws EngineFault {
        if (!Files.isRegularFile(engine)) {
            throw new EngineFault("The engine is not at " + engine + " any more.");
        }
    }
}
