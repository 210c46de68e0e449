package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program dies while it goes back to a snapshot: rows and data are of one moment all the same. */
class SnapshotDeathIT {
    private static final int MAX_MILLIS = 1_500;

    @TempDir
    private Path folder;

    @Test
    void rowsAndDataAreOfOneMomentWhereverItDies()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        Walk walk = Walk.begin(SnapshotDeathIT.class);
        RandomGenerator random = walk.random();
        try (KillableProgram program = new KillableProgram(folder, "--emulator")) {
            program.query("CREATE TABLE moments (moment String) ENGINE = MergeTree ORDER BY moment");
            program.send("PATCH", program.service(), "{\"name\":\"then\"}");
            program.query("INSERT INTO moments VALUES ('then')");
            assertThat(program.control("POST", "/snapshots/then", "{}")).contains("dataBytes");
            for (int step = 0; step < Walk.length(2, 100); step++) {
                program.awaitAnswer(walk, "INSERT INTO moments VALUES ('now')", "");
                program.send("PATCH", program.service(), "{\"name\":\"now\"}");
                CompletableFuture<Void> back = CompletableFuture.runAsync(() -> goBack(program));
                TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_MILLIS));
                program.killAndStart();
                back.join();

                program.await(program.service(), "\"state\":\"running\"");
                String name = TestProgram.field(program.send("GET", program.service(), ""), "name");
                program.awaitAnswer(walk, "SELECT if(countIf(moment = 'now') > 0, 'now', 'then') FROM moments", name);
                try (Stream<Path> services = Files.list(folder.resolve("data/services"))) {
                    assertThat(services).noneMatch(file -> file.toString().contains(".copies-"));
                }
            }
            program.control("POST", "/snapshots/then/return", "{}");
            program.awaitAnswer(walk, "SELECT DISTINCT moment FROM moments", "then");
        }
    }

    /** The connection ends with the program. */
    private static void goBack(KillableProgram program) {
        try {
            program.control("POST", "/snapshots/then/return", "{}");
        } catch (IOException died) {
            assertThat(died).isNotNull();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
