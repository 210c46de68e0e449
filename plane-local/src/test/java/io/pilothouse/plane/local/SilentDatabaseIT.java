package io.pilothouse.plane.local;

import static io.pilothouse.plane.local.LiveDatabase.settings;
import static io.pilothouse.plane.local.LiveDatabase.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.plane.local.process.ProcessMark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that runs and does not answer, as on a machine that has no time for it. */
class SilentDatabaseIT {
    private static final String PASSWORD = "correct horse battery staple";

    @Test
    void databaseThatHasAnsweredIsNotCalledStartingWhenItFallsSilent(@TempDir Path folder)
            throws IOException, PlaneFault, DatabaseFailure, InterruptedException {
        UUID id = UUID.randomUUID();
        try (LocalDatabases databases =
                new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false))) {
            DatabaseAddress address = started(databases, id, settings(PASSWORD));
            long pid = ProcessMark.parse(databases.folder(id).processMark().orElseThrow())
                    .flatMap(ProcessMark::pid)
                    .orElseThrow();

            LiveDatabase.signal("STOP", pid);
            try {
                Set<DatabaseSeen> seen = new HashSet<>();
                LiveDatabase.await(() -> {
                    seen.add(databases.observe(id));
                    return seen.contains(new DatabaseSeen.Broken("The database runs and does not answer."));
                });
                assertThat(seen).doesNotContain(new DatabaseSeen.Starting());
                assertThat(databases.address(id)).as("its clients wait for it").contains(address);
            } finally {
                LiveDatabase.signal("CONT", pid);
            }

            LiveDatabase.await(() -> databases.observe(id) instanceof DatabaseSeen.Running);
        }
    }
}
