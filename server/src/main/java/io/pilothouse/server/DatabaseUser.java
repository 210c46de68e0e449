package io.pilothouse.server;

import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.DatabaseCommand;
import io.pilothouse.plane.local.RunAs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the user that databases run as, and lets that user pass through the data folder to what is its own. */
final class DatabaseUser {
    private static final List<Path> SYSTEM_PROGRAMS = List.of(Path.of("/usr/bin"), Path.of("/bin"));

    private final Optional<String> wanted;
    private final List<Path> needed = new ArrayList<>();

    DatabaseUser(Optional<String> wanted, ClickHouse clickhouse, DatabaseCommand.ChildJava java) {
        this.wanted = wanted;
        switch (clickhouse) {
            case ClickHouse.Binary binary -> needed.add(binary.program());
            case ClickHouse.Bundled bundled -> {
                needed.add(bundled.library());
                needed.add(java.program());
                Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                        .splitAsStream(java.classPath())
                        .map(Path::of)
                        .filter(Files::exists)
                        .forEach(needed::add);
            }
            case ClickHouse.None _ -> {}
        }
    }

    RunAs choose(Path home) throws IOException, InterruptedException {
        RunAs chosen = RunAs.choose(wanted, SYSTEM_PROGRAMS, needed);
        if (!(chosen instanceof RunAs.Other)) {
            return chosen;
        }
        // Through it, and not into it: what lies there is for its owner only, file by file.
        chosen.share(home);
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x---"));
        List<Path> all = new ArrayList<>(needed);
        all.add(home);
        RunAs reaching = RunAs.choose(wanted, SYSTEM_PROGRAMS, all);
        if (!(reaching instanceof RunAs.Other)) {
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        }
        return reaching;
    }
}
