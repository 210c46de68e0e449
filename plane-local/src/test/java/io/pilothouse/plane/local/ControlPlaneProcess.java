package io.pilothouse.plane.local;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** A control plane in a process of its own, for tests that kill it: starts one service, says so, and waits. */
final class ControlPlaneProcess {
    private ControlPlaneProcess() {}

    /** Takes the library, the folder, the service's id, its password, and {@code keep} or {@code end}. */
    public static void main(String[] arguments) throws IOException, DatabaseFailure, InterruptedException {
        LocalDatabases databases = new LocalDatabases(LiveDatabase.setup(
                new ClickHouse.Bundled(Path.of(arguments[0]), Optional.empty()),
                Path.of(arguments[1]),
                arguments[4].equals("keep")));
        UUID id = UUID.fromString(arguments[2]);
        DatabaseAddress address = LiveDatabase.started(databases, id, LiveDatabase.settings(arguments[3]));
        System.out.println("running " + address.http());
        System.in.transferTo(OutputStream.nullOutputStream());
    }
}
