package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NativeCallsTest {
    private final NativeCalls calls = new NativeCalls();

    @Test
    void readerOfAPipeWaitsForItsWriterToClose() throws IOException, InterruptedException {
        int place = calls.duplicate(0);
        int writing = calls.openPipeOver(place);
        CountDownLatch ended = new CountDownLatch(1);
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                calls.awaitEndOf(place);
                ended.countDown();
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });

        assertThat(ended.await(100, TimeUnit.MILLISECONDS)).isFalse();
        calls.close(writing);

        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        reader.join();
        calls.close(place);
    }

    @Test
    void refusalOfTheSystemIsAnException() {
        assertThatThrownBy(() -> calls.close(9999))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("close");
        assertThatThrownBy(() -> calls.duplicate(9999)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> calls.openPipeOver(-1)).isInstanceOf(IOException.class);
    }

    @Test
    void libraryThatIsNoneIsAnException() {
        assertThatThrownBy(() -> calls.runDatabase(Path.of("/no/libchdb.so"), List.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("the ClickHouse library libchdb.so cannot be loaded");
    }
}
