package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.Walk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files are overwritten while they are read and whatever reads them is killed: one version of each is there, whole. */
class PipeOverwriteIT {
    private static final int IDS_OF_A_FILE = 10_000_000;
    private static final int SMALL = 300_000;
    /** More than one block. */
    private static final int LARGE = 1_300_000;

    private static final int LARGER = 2_200_000;

    @TempDir
    private Path folder;

    private ObjectServer objects;
    private KillableProgram program;

    @BeforeEach
    void start() throws IOException, InterruptedException, StartRefused {
        objects = ObjectServer.start(folder);
        program = new KillableProgram(folder, "--egress", objects.place());
    }

    @AfterEach
    void stop() throws IOException {
        program.close();
        objects.close();
    }

    private static byte[] rows(int file, int count, String version, String bad) {
        StringBuilder rows = new StringBuilder();
        for (int row = 0; row < count; row++) {
            rows.append((long) file * IDS_OF_A_FILE + row)
                    .append(',')
                    .append(version)
                    .append('\n');
        }
        return rows.append(bad).toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void oneVersionOfEachFileIsThereAsAWholeWhateverIsKilled()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        Walk walk = Walk.begin(PipeOverwriteIT.class);
        RandomGenerator random = walk.random();
        String pipe =
                program.create(objects.pipe("in/*.csv", "events", Map.of("isContinuous", "true", "format", "\"CSV\"")));
        program.await(pipe, "\"state\":\"Running\"");
        int files = Walk.length(6, 60);
        List<String> wanted = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            int first = List.of(SMALL, LARGE, LARGER).get(random.nextInt(3));
            int second = first == SMALL
                    ? SMALL + 1
                    : List.of(SMALL + 1, LARGE + 1, LARGER + 1).get(random.nextInt(3));
            // A line that cannot be read has the file go another way.
            String bad = random.nextInt(4) == 0 ? "seven,bad\n" : "";
            objects.put("in/" + file + ".csv", rows(file, first, "old", bad));
            TimeUnit.MILLISECONDS.sleep(random.nextInt(3500));
            int kill = random.nextInt(4);
            if (kill == 0) {
                program.kill("WorkerMain");
            } else if (kill == 1) {
                program.kill("BundledMain");
            }
            objects.put("in/" + file + ".csv", rows(file, second, "new", bad));
            if (kill == 2) {
                program.killAndStart();
            }
            wanted.add(file + ": old " + first + " or new " + second);
            program.awaitAnswer(
                    walk,
                    "SELECT count() IN (" + first + ", " + second + ") FROM events WHERE intDiv(id, " + IDS_OF_A_FILE
                            + ") = " + file,
                    "1");
        }
        // What would come twice comes with the next polls.
        TimeUnit.SECONDS.sleep(2);
        List<String> found = program.query("SELECT intDiv(id, " + IDS_OF_A_FILE + ") AS file,"
                        + " arrayStringConcat(groupUniqArray(name), ' and '), count(), uniqExact(id) = count()"
                        + " FROM events GROUP BY file ORDER BY file")
                .lines()
                .toList();
        assertThat(found).as("%s", walk).hasSameSizeAs(wanted);
        for (int file = 0; file < files; file++) {
            String[] cells = found.get(file).split("\t", -1);
            assertThat(wanted.get(file)).as("%s, %s", walk, found).contains(cells[1] + " " + cells[2]);
            assertThat(cells[3]).as("%s, %s", walk, found).isEqualTo("1");
        }
        restart(pipe);
        program.awaitAnswer(walk, "SELECT count() FROM system.tables WHERE database = 'clickpipes_staged'", "0");
    }

    /** What a killed worker has left goes when the pipe starts again and has something to load. */
    private void restart(String pipe) throws IOException, InterruptedException {
        program.send("PATCH", pipe + "/state", "{\"command\":\"stop\"}");
        program.await(pipe, "\"state\":\"Stopped\"");
        program.send("PATCH", pipe + "/state", "{\"command\":\"start\"}");
        objects.put("in/last.csv", "1,last\n");
    }
}
