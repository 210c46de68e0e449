package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.webhook.WebhookAddresses;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of a ClickHouse program; programs that every system has stand for it. */
class FencedMainIT {
    private static final Path CAT = Path.of("/bin/cat");

    @TempDir
    Path folder;

    private Path configuration;
    private Path own;

    @BeforeEach
    void makeFolders() throws IOException {
        Assumptions.assumeTrue(new LandlockFence().version() > 0, "This system has no Landlock.");
        Path service = Files.createDirectory(folder.resolve("service"));
        configuration = Files.writeString(service.resolve("config.xml"), "configured");
        own = Files.createDirectory(service.resolve("own"));
    }

    @Test
    void programReadsItsOwnFilesAndNoOther() throws IOException, InterruptedException {
        Path hidden = Files.writeString(folder.resolve("hidden"), "hush");
        Path link = Files.createSymbolicLink(own.resolve("link"), hidden);
        Path kept = Files.writeString(own.resolve("kept"), " and kept");

        assertThat(output(CAT.toString(), configuration.toString(), kept.toString()))
                .isEqualTo("configured and kept");
        assertThat(output(CAT.toString(), link.toString()))
                .contains("Permission denied")
                .doesNotContain("hush");
    }

    @Test
    void programStartsNoOther() throws IOException, InterruptedException {
        assertThat(output("/usr/bin/env", CAT.toString(), configuration.toString()))
                .contains("Permission denied")
                .doesNotContain("configured");
    }

    @Test
    void programThatIsNotThereIsASentence() throws IOException, InterruptedException {
        assertThat(output("/bin/there-is-no-such-program"))
                .startsWith("the system refused to start /bin/there-is-no-such-program");
    }

    /** What it said until its end. */
    private String output(String... commandLine) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                Stream.of(FencedMain.class, WebhookAddresses.class)
                        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                        .map(place -> Path.of(URI.create(place.toString())).toString())
                        .distinct()
                        .collect(Collectors.joining(File.pathSeparator)),
                FencedMain.class.getName(),
                new Fences(true, false, false).toString(),
                Egress.NONE.toString(),
                configuration.toString(),
                own.toString(),
                FencedMain.THEN));
        line.addAll(List.of(commandLine));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
