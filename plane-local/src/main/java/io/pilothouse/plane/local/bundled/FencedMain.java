package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Stands in front of a ClickHouse program: it fences itself in and then becomes that program, in the same process. Only
 * files and ports can be held so; the one who answers questions about addresses would have to live beside it.
 */
public final class FencedMain {
    /** What stands between the folders and the command line of the program. */
    public static final String THEN = "--";

    /** Every program that is not of one piece is started by one of these, which therefore may run too. */
    private static final List<Path> LOADERS = List.of(
            Path.of("/lib64/ld-linux-x86-64.so.2"),
            Path.of("/lib/ld-linux-aarch64.so.1"),
            Path.of("/lib/ld-musl-x86_64.so.1"),
            Path.of("/lib/ld-musl-aarch64.so.1"));

    private FencedMain() {}

    /** Takes the fences, the places to connect to, the configuration file, the folders to write in, and the rest. */
    public static void main(String[] arguments) {
        List<String> all = List.of(arguments);
        int then = all.indexOf(THEN);
        if (then < 3 || then == all.size() - 1) {
            System.err.println("Give fences, egress, the configuration file, folders, -- and a command line.");
            System.exit(64);
        }
        try {
            become(
                    Fences.parse(all.get(0)),
                    Egress.parse(all.get(1)),
                    Path.of(all.get(2)),
                    all.subList(3, then).stream().map(Path::of).toList(),
                    all.subList(then + 1, all.size()));
        } catch (IOException failure) {
            System.err.println(failure.getMessage());
            System.exit(1);
        }
    }

    private static void become(
            Fences fences, Egress egress, Path configuration, List<Path> folders, List<String> commandLine)
            throws IOException {
        Path given = Objects.requireNonNull(configuration.getParent());
        List<Path> programs = new ArrayList<>(LOADERS);
        programs.add(Path.of(commandLine.getFirst()));
        new LandlockFence()
                .closeAround(
                        // A server reads its files again when they have changed, and by then they are other files.
                        List.of(given),
                        folders,
                        programs,
                        fences.ports() ? Optional.of(egress.ports()) : Optional.empty());
        new SystemCalls().become(commandLine);
    }
}
