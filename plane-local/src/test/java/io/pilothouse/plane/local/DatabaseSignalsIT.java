package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.bundled.BusyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ClickHouse and the JVM that it runs in both use signals. */
class DatabaseSignalsIT {
    @TempDir
    Path folder;

    @Test
    void jvmIsStoppedAndGoesOnWhileClickHouseRunsInIt() throws IOException, InterruptedException {
        ClickHouse.Bundled clickhouse = LiveDatabase.require();
        DatabaseCommand.ChildJava java = LiveDatabase.java();
        Path words = folder.resolve("words");
        ProcessBuilder builder = new ProcessBuilder(
                        java.program().toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx16m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BusyProcess.class.getName(),
                        clickhouse.library().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(words.toFile());
        builder.environment().putAll(java.variables());

        Process busy = builder.start();
        try {
            assertThat(busy.waitFor(2, TimeUnit.MINUTES))
                    .as("it ends by itself")
                    .isTrue();
            assertThat(Files.readAllLines(words)).contains(BusyProcess.UNHARMED);
        } finally {
            busy.destroyForcibly();
        }
    }
}
