package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The controls of the emulator as a page: what it shows is what they answer, and its forms are they. */
class ConsoleEmulatorTest {
    private static final String PAGE = "/emulator";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

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
            assertThat(text(page))
                    .contains("2099-05-01 00:00:00 UTC", "./pilothouse emulator clock-set 2099-05-01T00:00:00Z");
            assertThat(text(done(pages, "forward", Map.of("forwardSeconds", "3600"))))
                    .contains("2099-05-01 01:00:00 UTC");
            HttpResponse<String> back = pages.send(page, "moment", Map.of("now", "2020-05-01T00:00:00Z"));
            assertThat(back.statusCode()).isEqualTo(409);
        }
    }

    private static String made(ConsolePages pages, String path, Map<String, String> filled)
            throws IOException, InterruptedException {
        HttpResponse<String> made = pages.send(pages.page(path), "create", filled);
        return made.headers().firstValue("Location").orElseThrow(() -> new AssertionError(made.body()));
    }

    @Test
    void theHistoryOfAnAlertIsPlottedAsTimePasses() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            String service = ConsolePages.running(program, "Stopped");
            String own = "/services/" + service;
            pages.submit(pages.page(own), own + "/stop", Map.of());
            program.await(program.organizationUrl() + own, body -> body.contains("\"state\":\"stopped\""));
            String dashboard = made(pages, "/dashboards", Map.of());
            String id = all(pages.page(dashboard), "tr").stream()
                    .filter(line -> line.getTextContent().contains("Stopped services"))
                    .map(line -> all(line, "td").get(2).getTextContent())
                    .findFirst()
                    .orElseThrow();
            String alert = made(pages, "/alerts", Map.of("body", """
                    {"name": "{{group}} is stopped", "threshold": 1, "thresholdType": "above", "interval": "5m",
                     "dashboard": "%s", "tileId": "stopped", "channels": [{"type": "activity"}]}""".formatted(id)));
            Instant deadline = Instant.now().plus(PATIENCE);
            Document page = pages.page(alert);
            while (all(page, "svg").isEmpty()) {
                assertThat(Instant.now()).as(text(page)).isBefore(deadline);
                done(pages, "forward", Map.of("forwardSeconds", "300"));
                page = pages.page(alert);
            }
            assertThat(all(page, "svg").getFirst().getAttribute("aria-label"))
                    .startsWith("service:" + service + ": now 1 (firing), from 1 to 1")
                    .endsWith("; fired 1 time");
        }
    }

    @Test
    void faultsAreSetAndTakenBack() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            Document page = done(pages, "fault", Map.of());
            assertThat(text(page)).contains("busy", "instanceGet");
            assertThat(all(page, "button"))
                    .filteredOn(button -> button.getTextContent().equals("Take it back"))
                    .singleElement()
                    .satisfies(button -> assertThat(all(page, "th"))
                            .filteredOn(line -> line.getAttribute("id").equals(button.getAttribute("aria-describedby")))
                            .singleElement()
                            .satisfies(line -> assertThat(line.getTextContent()).isEqualTo("busy")));
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
    void aPlanTakesThePlaceOfAllFaultsAndItsSeedIsShown() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            done(pages, "fault", Map.of("body", """
                {"name": "older-fault", "effect": "delay", "delayMillis": 1, "operations": ["backupGet"]}"""));
            assertThat(text(pages.page(PAGE))).contains("older-fault");
            Document page = done(pages, "plan", Map.of());
            assertThat(text(page)).contains("2 in all", "lost-answers", "busy").doesNotContain("older-fault");
            assertThat(facts(page)).contains("7");
            Document another = done(pages, "plan", Map.of("body", "{\"seed\": 4711, \"faults\": []}"));
            assertThat(text(another)).contains("There are no faults");
            assertThat(facts(another)).contains("4711");
        }
    }

    private static List<String> facts(Document page) {
        return all(page, "dd").stream().map(Element::getTextContent).toList();
    }

    @Test
    void whatIsWrongWithAPlanIsNamedAndThePlanStays() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            String plan = "{\"seed\": -1, \"faults\": [{\"effect\": \"answer\", \"status\": 42}]}";
            HttpResponse<String> refused = pages.send(pages.page(PAGE), "plan", Map.of("body", plan));
            assertThat(refused.statusCode()).isEqualTo(400);
            Document page = document(refused);
            assertThat(text(page)).contains("seed: must be", "faults[0].status: must be", "There are no faults");
            assertThat(all(page, "textarea"))
                    .filteredOn(area -> area.getAttribute("aria-invalid").equals("true"))
                    .singleElement()
                    .satisfies(area -> {
                        assertThat(area.getTextContent()).isEqualTo(plan);
                        assertThat(area.getAttribute("aria-describedby")).isEqualTo("fault-body");
                    });
            HttpResponse<String> empty = pages.send(pages.page(PAGE), "plan", Map.of("body", ""));
            assertThat(empty.statusCode()).isEqualTo(400);
            assertThat(all(document(empty), "textarea"))
                    .anyMatch(area -> area.getAttribute("aria-describedby").equals("fault-body"));
        }
    }

    @Test
    void aSnapshotIsForkedAndTheKeysOfTheForkAreShown() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            program.createService("{\"name\": \"Copied\"}");
            String id = program.organizationUrl().replaceAll(".*/", "");
            done(pages, "snapshot", Map.of("snapshotName", "own", "organizationId", id));
            HttpResponse<String> made = pages.send(pages.page(PAGE), "fork", Map.of("name", "Second try"));
            assertThat(made.statusCode()).as(made.body()).isEqualTo(303);
            Document shown = pages.page(made.headers().firstValue("Location").orElseThrow());
            assertThat(text(shown)).contains("Done: Fork into a new organization", "Second try", "keys[0].keySecret");
            try (ConsolePages fork =
                    ConsolePages.signedIn(program, once(shown, "keys[0].keyId"), once(shown, "keys[0].keySecret"))) {
                assertThat(text(fork.page("/"))).contains("Copied");
                assertThat(fork.get(PAGE).statusCode()).isEqualTo(200);
                assertThat(fork.send(fork.page(PAGE), "rate", Map.of("rate", "0"))
                                .statusCode())
                        .isEqualTo(403);
            }
            assertThat(text(pages.page(PAGE))).contains("Second try", once(shown, "organization.id"));
        }
    }

    private static String once(Document page, String member) {
        return all(page, "pre").stream()
                .filter(line -> line.getAttribute("id").equals("shown-" + member))
                .findFirst()
                .orElseThrow()
                .getTextContent();
    }

    @Test
    void ofASnapshotOfTheWholeServerTheFormSaysWhichOrganizationToName()
            throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            done(pages, "snapshot", Map.of("snapshotName", "whole"));
            HttpResponse<String> refused = pages.send(pages.page(PAGE), "fork", Map.of("name", "Kept"));
            assertThat(refused.statusCode()).isEqualTo(400);
            Document page = document(refused);
            assertThat(text(page)).contains("organizationId: is required");
            assertThat(all(page, "input"))
                    .filteredOn(input -> input.getAttribute("aria-invalid").equals("true"))
                    .singleElement()
                    .satisfies(input -> assertThat(input.getAttribute("name")).isEqualTo("organizationId"));
            assertThat(all(page, "input"))
                    .anySatisfy(input -> assertThat(input.getAttribute("value")).isEqualTo("Kept"));
            HttpResponse<String> wrong = pages.send(page, "fork", Map.of("organizationId", "mine"));
            assertThat(text(document(wrong))).contains("organizationId: must be a UUID");
            String id = program.organizationUrl().replaceAll(".*/", "");
            assertThat(pages.send(page, "fork", Map.of("organizationId", id)).statusCode())
                    .isEqualTo(303);
        }
    }

    @Test
    void besideEachFormStandsItsCommand() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = TestProgram.start(folder, "--emulator");
                ConsolePages pages = ConsolePages.signedIn(program)) {
            done(pages, "fault", Map.of());
            done(pages, "snapshot", Map.of("snapshotName", "first"));
            List<String> commands = all(pages.page(PAGE), "pre").stream()
                    .filter(line -> line.getAttribute("class").equals("command"))
                    .map(Element::getTextContent)
                    .toList();
            assertThat(commands)
                    .allMatch(line -> line.startsWith("./pilothouse emulator "))
                    .contains(
                            "./pilothouse emulator clock-stop",
                            "./pilothouse emulator clock-forward 3600s",
                            "./pilothouse emulator fault-set FILE",
                            "./pilothouse emulator faults-set FILE",
                            "./pilothouse emulator fault-clear busy",
                            "./pilothouse emulator faults-clear",
                            "./pilothouse emulator snapshot-take before",
                            "./pilothouse emulator snapshot-return first",
                            "./pilothouse emulator snapshot-fork first",
                            "./pilothouse emulator snapshot-delete first",
                            "./pilothouse emulator organization-create 'Test organization'");
            assertThat(text(pages.page("/keys"))).doesNotContain("as a command");
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
