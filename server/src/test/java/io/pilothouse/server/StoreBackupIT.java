package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup that another process takes from a program that is at work. */
class StoreBackupIT {
    @TempDir
    private Path folder;

    private ChildProgram command(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        all.addAll(List.of(arguments));
        return ChildProgram.java(folder, all);
    }

    @Test
    void aProgramAtWorkIsBackedUpAndGoesOn() throws IOException, InterruptedException, StartRefused {
        Path home = folder.resolve("home");
        String file = folder.resolve("store.backup").toString();
        Path other = folder.resolve("other");
        try (TestProgram program = TestProgram.start(home)) {
            assertThat(program.createService("{\"name\": \"Before\"}").statusCode())
                    .isEqualTo(200);
            try (ChildProgram backup = command("store", "backup", file, "--data", home.toString())) {
                assertThat(backup.exitCode()).as(backup.errors()).isZero();
            }
            assertThat(program.createService("{\"name\": \"After\"}").statusCode())
                    .isEqualTo(200);
            try (ChildProgram restore = command("store", "restore", file, "--data", other.toString())) {
                assertThat(restore.exitCode()).as(restore.errors()).isZero();
            }
            try (ChildProgram create = command("keys", "create", "--data", home.toString())) {
                assertThat(create.exitCode()).isEqualTo(Main.REFUSED);
                assertThat(create.errors())
                        .isEqualTo("The data folder " + home + " is in use by another process: stop that one first.\n");
            }
        }
        // With the key that the restored store lets in: nothing of the first start is there.
        try (ChildProgram create = command("keys", "create", "--data", other.toString())) {
            assertThat(create.exitCode()).as(create.errors()).isZero();
        }
        TestProgram.start(other).close();
        TestProgram.start(home).close();
    }
}
