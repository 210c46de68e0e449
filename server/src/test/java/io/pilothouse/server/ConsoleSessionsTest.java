package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long somebody stays signed in to the console, and how many may be. */
class ConsoleSessionsTest {
    @TempDir
    private Path folder;

    @Test
    void aSessionOutlivesARestart() throws IOException, InterruptedException, StartRefused {
        ConsolePages before;
        try (TestProgram program = TestProgram.start(folder)) {
            before = ConsolePages.signedIn(program);
        }
        try (before;
                TestProgram program = TestProgram.start(folder);
                ConsolePages after = ConsolePages.withSessionOf(before, program)) {
            assertThat(after.get("/").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aKeyWithTooManySessionsLosesItsOwnOldest() throws IOException, InterruptedException, StartRefused {
        List<ConsolePages> sessions = new ArrayList<>();
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages others = ConsolePages.as(program, "\"roles\": [\"admin\"]")) {
            for (int at = 0; at < 21; at++) {
                sessions.add(ConsolePages.signedIn(program));
            }
            assertThat(sessions.removeFirst().get("/").statusCode()).isEqualTo(303);
            for (ConsolePages each : sessions) {
                assertThat(each.get("/").statusCode()).isEqualTo(200);
            }
            assertThat(others.get("/").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void theStoreHasNothingThatABrowserCouldShow() throws IOException, InterruptedException, StartRefused {
        String cookie;
        String formToken;
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = ConsolePages.signedIn(program)) {
            cookie = pages.token();
            formToken = ConsolePages.all(pages.page("/"), "input").stream()
                    .filter(input -> input.getAttribute("name").equals("token"))
                    .findFirst()
                    .orElseThrow()
                    .getAttribute("value");
            HttpRequest.Builder guessed = HttpRequest.newBuilder(
                            pages.request("/").build().uri())
                    .header("Cookie", "pilothouse-session=" + formToken);
            assertThat(program.send(guessed).statusCode()).isEqualTo(303);
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(cookie)
                        .doesNotContain(formToken);
            }
        }
    }
}
