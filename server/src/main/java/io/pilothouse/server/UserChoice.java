package io.pilothouse.server;

import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.DatabaseCommand;
import io.pilothouse.plane.local.user.DatabaseUsers;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the users that databases run as, and lets them pass through the data folder to what is their own. */
final class UserChoice {
    private static final List<Path> SYSTEM_PROGRAMS = List.of(Path.of("/usr/bin"), Path.of("/bin"));

    private final DatabaseUsers.Wanted wanted;
    private final List<Path> needed = new ArrayList<>();

    UserChoice(DatabaseUsers.Wanted wanted, ClickHouse clickhouse, DatabaseCommand.ChildJava java) {
        this.wanted = wanted;
        switch (clickhouse) {
            case ClickHouse.Binary binary -> {
                needed.add(binary.program());
                reach(java);
            }
            case ClickHouse.Bundled bundled -> {
                needed.add(bundled.library());
                reach(java);
            }
            case ClickHouse.None _ -> {}
        }
    }

    private void reach(DatabaseCommand.ChildJava java) {
        needed.add(java.program());
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(java.classPath())
                .map(Path::of)
                .filter(Files::exists)
                .forEach(needed::add);
    }

    DatabaseUsers choose(Path home) throws IOException, InterruptedException {
        DatabaseUsers chosen = DatabaseUsers.choose(wanted, SYSTEM_PROGRAMS, needed);
        if (!chosen.areOthers()) {
            return chosen;
        }
        // Through it, and not into it: what lies there is for its owner only, file by file.
        chosen.letIn(home);
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x---"));
        List<Path> all = new ArrayList<>(needed);
        all.add(home);
        DatabaseUsers reaching = DatabaseUsers.choose(wanted, SYSTEM_PROGRAMS, all);
        if (!reaching.areOthers()) {
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        }
        return reaching;
    }
}
