package io.pilothouse.server.ready;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody at a terminal is offered, and what is left to other programs there. */
class OpenOfferTest {
    private static final String ADDRESS = "http://127.0.0.1:8080/";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> opened = new ArrayList<>();
    private final PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);

    private OpenOffer offer(InputStream typed, boolean inFront) {
        return new OpenOffer(typed, out, () -> inFront, opened::add);
    }

    private static InputStream enter() {
        return new ByteArrayInputStream("\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void enterOpensTheConsole() throws IOException, InterruptedException {
        assertThat(offer(enter(), true).await(ADDRESS, PATIENCE)).isTrue();
        assertThat(opened).containsExactly(ADDRESS);
    }

    @Test
    void nothingIsReadInTheBackground() throws IOException, InterruptedException {
        InputStream typed = enter();
        assertThat(offer(typed, false).await(ADDRESS, PATIENCE)).isFalse();
        assertThat(opened).isEmpty();
        assertThat(typed.available()).isOne();
    }

    @Test
    void whoDoesNotAnswerIsLeftAlone() throws IOException, InterruptedException {
        assertThat(offer(InputStream.nullInputStream(), true).await(ADDRESS, Duration.ZERO))
                .isFalse();
        assertThat(opened).isEmpty();
    }

    @Test
    void anOfferNeedsADesktopAndWhatOpensAnAddressThere(@TempDir Path folder) throws IOException {
        Path opener = folder.resolve("xdg-open");
        Map<String, String> desktop = Map.of("PATH", folder.toString(), "DISPLAY", ":0");
        assertThat(OpenOffer.command(desktop)).isEmpty();
        Files.createFile(opener, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        assertThat(OpenOffer.command(desktop)).contains(opener);
        assertThat(OpenOffer.command(Map.of("PATH", folder.toString()))).isEmpty();
    }

    @Test
    void noTerminalIsOfferedNothing() {
        // Tests have none.
        assertThat(OpenOffer.here(Map.of("PATH", "/usr/bin", "DISPLAY", ":0"), out))
                .isEqualTo(Optional.empty());
    }
}
