package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The controls of the emulator as a page: what it shows is what they answer, and its forms are they. */
class ConsoleEmulatorTest {
    private static final String PAGE = "/emulator";

    @TempDir
    private Path folder;

    private Document done(ConsolePages pages, String form, Map<String, String> filled)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = pages.send(pages.page(PAGE), form, filled);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        return pages.page(answer.headers().firstValue("Location").orElseThrow());
    }

    @Test
    void theClockIsStoppedAndMoved() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(pages.page("/"))).contains("Emulator");
            done(pages, "rate", Map.of("rate", "0"));
            Document page = done(pages, "moment", Map.of("now", "2099-05-01T00:00:00Z"));
            assertThat(text(page)).contains("2099-05-01 00:00:00 UTC");
            assertThat(text(done(pages, "forward", Map.of("forwardSeconds", "3600"))))
                    .contains("2099-05-01 01:00:00 UTC");
            HttpResponse<String> back = pages.send(page, "moment", Map.of("now", "2020-05-01T00:00:00Z"));
            assertThat(back.statusCode()).isEqualTo(409);
        }
    }

    @Test
    void faultsAreSetAndTakenBack() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(done(pages, "fault", Map.of()))).contains("busy", "instanceGet");
            assertThat(text(done(pages, "nofault", Map.of()))).contains("There are no faults");
            done(pages, "fault", Map.of());
            assertThat(text(done(pages, "nofaults", Map.of()))).contains("There are no faults");
        }
    }

    @Test
    void aSnapshotIsTakenAndGoneBackTo() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(done(pages, "snapshot", Map.of("snapshotName", "first"))))
                    .contains("first");
            HttpResponse<String> made = pages.send(pages.page(PAGE), "organization", Map.of("name", "Of a test"));
            Document shown = pages.page(made.headers().firstValue("Location").orElseThrow());
            assertThat(text(shown)).contains("key.keyId", "key.keySecret");
            assertThat(text(pages.page(PAGE))).contains("Of a test");
            assertThat(text(done(pages, "return", Map.of()))).doesNotContain("Of a test");
            assertThat(text(done(pages, "unsnapshot", Map.of()))).contains("There is no snapshot");
        }
    }

    @Test
    void withoutAnEmulatorThereIsNoSuchPage() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(pages.get(PAGE).statusCode()).isEqualTo(404);
            assertThat(text(pages.page("/"))).doesNotContain("Emulator");
        }
    }

    @Test
    void whoIsNoOperatorControlsNothing() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.as(program, "\"roles\": [\"developer\"]")) {
            Document page = pages.page(PAGE);
            assertThat(text(page)).doesNotContain("On this machine");
            HttpResponse<String> refused = pages.send(page, "rate", Map.of("rate", "0"));
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(document(refused)).isNotNull();
        }
    }
}
