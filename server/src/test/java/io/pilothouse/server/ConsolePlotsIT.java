package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The plots of the console, of a real ClickHouse. */
class ConsolePlotsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();

    private static boolean isDrawn(Document page, String label) {
        return all(page, "svg").stream()
                .filter(svg -> svg.getAttribute("aria-label").startsWith(label))
                .flatMap(svg -> all(svg, "path").stream())
                .anyMatch(path -> path.getAttribute("d").startsWith("M"));
    }

    private static List<Element> fleetPictures(ConsolePages pages) throws IOException, InterruptedException {
        return all(all(pages.page("/"), "tbody").getFirst(), "svg");
    }

    @Test
    void aDatabaseIsPlottedWhileItRunsAndLookingKeepsItNeitherAwakeNorWakesIt()
            throws StartRefused, GeneralSecurityException, IOException, InterruptedException {
        try (TestProgram program = local.start(folder);
                ConsolePages pages = ConsolePages.signedIn(program)) {
            String created = program.createService("{\"name\":\"Plotted\",\"idleTimeoutMinutes\":5,"
                            + "\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}")
                    .body();
            String id = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
            String plots = "/services/" + id + "/plots";
            program.await(
                    program.organizationUrl() + "/services/" + id, body -> body.contains("\"state\":\"running\""));
            try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder), created)) {
                Instant deadline = Instant.now().plus(PATIENCE);
                // A statement is in the log of queries some seconds later, and counts for a minute.
                while (!isDrawn(pages.page(plots), "Latency, p99")) {
                    assertThat(client.query("SELECT sleep(0.2)")).isEqualTo("0");
                    local.advance(Duration.ofMinutes(1));
                    assertThat(Instant.now()).as(text(pages.page(plots))).isBefore(deadline);
                }
            }
            Document page = pages.page("/services/" + id);
            for (String label : List.of("Queries", "Latency, p99", "Memory", "Disk", "Connections")) {
                assertThat(isDrawn(page, label)).as(label).isTrue();
            }
            assertThat(text(pages.page(plots))).contains(" ms", "MiB", "/s");
            assertThat(isDrawn(pages.page(plots + "?span=day"), "Memory")).isTrue();
            assertThat(fleetPictures(pages)).hasSize(4);
            Document fleet = pages.page("/");
            List<Element> cells = all(all(fleet, "tbody").getFirst(), "td");
            List<String> heads = all(all(fleet, "thead").getFirst(), "th").stream()
                    .map(Element::getTextContent)
                    .toList();
            // The name of a service is a head too.
            assertThat(all(cells.get(heads.indexOf("Queries") - 1), "svg")).hasSize(1);
            assertThat(all(cells.get(heads.indexOf("Connections") - 1), "svg")).hasSize(1);
            assertThat(cells.get(heads.indexOf("Memory used") - 1).getTextContent())
                    .contains("MiB");

            AtomicInteger minutes = new AtomicInteger();
            program.await(program.organizationUrl() + "/services/" + id, body -> {
                local.advance(minutes.incrementAndGet() < 30 ? Duration.ofMinutes(1) : Duration.ZERO);
                return body.contains("\"state\":\"idle\"");
            });
            assertThat(isDrawn(pages.page(plots + "?span=day"), "Memory")).isTrue();
            assertThat(text(pages.page("/"))).contains("because nobody used it");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services/" + id)
                            .body())
                    .contains("\"state\":\"idle\"");
        }
    }
}
