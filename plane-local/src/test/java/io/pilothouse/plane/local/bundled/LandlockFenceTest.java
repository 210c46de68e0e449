package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fence holds for one thread, so a test can stand inside it. */
class LandlockFenceTest {
    @TempDir
    Path folder;

    @Test
    void onlyWhatIsAllowedCanBeOpened() throws IOException, InterruptedException {
        LandlockFence fence = new LandlockFence();
        Assumptions.assumeTrue(fence.version() > 0, "This system has no Landlock.");
        Path secret = Files.writeString(folder.resolve("secret"), "hush");
        Path readable = Files.writeString(folder.resolve("readable"), "read me");
        Path writable = Files.createDirectory(folder.resolve("writable"));
        AtomicReference<Throwable> failure = new AtomicReference<>();

        Thread inside = Thread.ofPlatform().start(() -> {
            try {
                fence.close(List.of(readable, folder.resolve("missing")), List.of(writable), Optional.empty());
                assertThat(Files.readString(readable)).isEqualTo("read me");
                assertThat(Files.writeString(writable.resolve("new"), "x")).exists();
                assertRefused(() -> Files.readString(secret));
                assertRefused(() -> Files.writeString(readable, "x"));
                assertRefused(() -> Files.writeString(folder.resolve("other"), "x"));
                assertRefused(() -> Files.readString(Path.of("/etc/passwd")));
            } catch (IOException | AssertionError wrong) {
                failure.set(wrong);
            }
        });
        inside.join();

        assertThat(failure.get()).isNull();
        assertThat(Files.readString(secret)).isEqualTo("hush");
    }

    private interface Attempt {
        Object make() throws IOException;
    }

    private static void assertRefused(Attempt attempt) {
        try {
            Object made = attempt.make();
            throw new AssertionError("This should have been refused, and gave " + made + ".");
        } catch (IOException refused) {
            assertThat(refused).isNotNull();
        }
    }
}
