package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The page of a service over a real socket: what it shows, what its forms do, and for whom. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleServiceTest {
    private static final String SERVICE_API_READER = "e16d94b8-c053-3e7f-96a2-4d1b85c0fa66";

    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws StartRefused {
        program = TestProgram.start(folder);
    }

    @AfterAll
    void stop() {
        program.close();
    }

    private String running(String name) throws IOException, InterruptedException {
        return ConsolePages.running(program, name);
    }

    private String api(String id) throws IOException {
        return program.organizationUrl() + "/services/" + id;
    }

    private void awaitState(String id, String state) throws IOException, InterruptedException {
        program.await(api(id), body -> body.contains("\"state\":\"" + state + "\""));
    }

    @Test
    void aServiceIsShownWithItsStateItsHistoryAndLinesToPaste() throws IOException, InterruptedException {
        String id = running("Shown");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(pages.page("/services/" + id)))
                    .contains("Shown", "running", "service_create", "curl --user", "clickhouse_connect.get_client")
                    .contains("jdbc:clickhouse:https://", "endpoints.https.host", "id = \"" + id + "\"")
                    .contains(
                            "and nothing is being waited for.",
                            "nothing of it was there",
                            "It was provisioning before");
            assertThat(all(pages.page("/?name=Shown"), "a"))
                    .anyMatch(link -> link.getAttribute("href").equals("/services/" + id));
        }
    }

    /** Without a script, or where the browser lets none copy, a button that copies would do nothing. */
    @Test
    void buttonsThatCopyAreHiddenUntilTheScriptFindsThatItMay() throws IOException, InterruptedException {
        String id = running("Copied");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(all(pages.page("/services/" + id), "button"))
                    .filteredOn(button -> button.hasAttribute("data-copy"))
                    .isNotEmpty()
                    .allMatch(button -> button.hasAttribute("hidden"));
        }
    }

    @Test
    void aFormStopsAndStartsAServiceAndTheHistoryNamesTheKey() throws IOException, InterruptedException {
        String id = running("Stopped");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            HttpResponse<String> stopped =
                    pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            assertThat(stopped.statusCode()).as(stopped.body()).isEqualTo(303);
            awaitState(id, "stopped");
            assertThat(text(pages.page("/services/" + id))).contains("stopped", "service_stop");
            pages.submit(pages.page("/services/" + id), "/services/" + id + "/start", Map.of());
            awaitState(id, "running");
            String activities = program.getAsFirstKey(program.organizationUrl() + "/activities")
                    .body();
            assertThat(activities).contains("\"service_stop\"", "\"service_start\"");
        }
    }

    @Test
    void scalingChangesWhatTheApiShowsAndAFaultNamesItsField() throws IOException, InterruptedException {
        String id = running("Scaled");
        String action = "/services/" + id + "/scale";
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            Document page = pages.page("/services/" + id);
            HttpResponse<String> done = pages.submit(
                    page, action, Map.of("minReplicaMemoryGb", "16", "maxReplicaMemoryGb", "32", "numReplicas", "3"));
            assertThat(done.statusCode()).as(done.body()).isEqualTo(303);
            assertThat(program.getAsFirstKey(api(id)).body())
                    .contains("\"minReplicaMemoryGb\":16", "\"maxReplicaMemoryGb\":32");
            HttpResponse<String> refused =
                    pages.submit(page, action, Map.of("minReplicaMemoryGb", "many", "idleTimeoutMinutes", "47"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(text(document(refused))).contains("minReplicaMemoryGb:");
            assertThat(all(document(refused), "input"))
                    .filteredOn(input -> input.getAttribute("name").equals("idleTimeoutMinutes"))
                    .allSatisfy(input -> assertThat(input.getAttribute("value")).isEqualTo("47"));
        }
    }

    @Test
    void everyFormSaysTheSameForTheApiAndForTerraform() throws IOException, InterruptedException {
        String id = running("Explained");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            String text = text(pages.page("/services/" + id));
            assertThat(text)
                    .contains("-X PATCH", "{\"command\":\"stop\"}", api(id) + "/state", api(id) + "/replicaScaling")
                    .contains("-X DELETE", "resource \"clickhouse_service\" \"this\"", "min_replica_memory_gb");
        }
    }

    @Test
    void aServiceIsDeletedOnlyWithItsNameTyped() throws IOException, InterruptedException {
        String id = running("Deleted");
        String action = "/services/" + id + "/delete";
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            HttpResponse<String> wrong =
                    pages.submit(pages.page("/services/" + id), action, Map.of("name", "Something else"));
            assertThat(wrong.statusCode()).isEqualTo(400);
            assertThat(program.getAsFirstKey(api(id)).body()).contains("\"state\":\"running\"");
            pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            awaitState(id, "stopped");
            HttpResponse<String> deleted =
                    pages.submit(pages.page("/services/" + id), action, Map.of("name", "Deleted"));
            assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(303);
            program.await(api(id), body -> body.contains("\"terminating\"") || body.contains("not found"));
        }
    }

    /** A form has no blanks at the ends of what is typed, and a name may. */
    @Test
    void aServiceWhoseNameHasBlanksAtItsEndsIsDeleted() throws IOException, InterruptedException {
        String id = running(" Blanks around ");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            awaitState(id, "stopped");
            HttpResponse<String> deleted = pages.submit(
                    pages.page("/services/" + id), "/services/" + id + "/delete", Map.of("name", " Blanks around "));
            assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(303);
        }
    }

    @Test
    void aNameIsNeitherMarkupNorAnExpressionOfTerraform(@TempDir Path other)
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram cloud = TestProgram.start(other, "--rules", "cloud")) {
            HttpResponse<String> made =
                    cloud.createService("{\"name\": \"<b>\\\"${file(1)}\\\\%{if}\", \"provider\": \"aws\","
                            + " \"region\": \"us-east-1\"}");
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            String id = TestProgram.field(made.body(), "id");
            String api = cloud.organizationUrl() + "/services/" + id;
            cloud.await(api, body -> body.contains("\"state\":\"running\""));
            try (ConsolePages pages = ConsolePages.signedIn(cloud)) {
                pages.submit(pages.page("/services/" + id), "/services/" + id + "/backup", Map.of());
                cloud.await(api + "/backups", body -> body.contains("\"status\":\"done\""));
                Document page = pages.page("/services/" + id);
                assertThat(all(page, "b")).isEmpty();
                assertThat(all(page, "h1").getFirst().getTextContent()).isEqualTo("<b>\"${file(1)}\\%{if}");
                assertThat(text(page)).contains("= \"<b>\\\"$${file(1)}\\\\%%{if} restored\"");
            }
        }
    }

    @Test
    void aFormCountsAsOneRequestOfItsKey(@TempDir Path other) throws IOException, InterruptedException, StartRefused {
        try (TestProgram held = TestProgram.start(other, "--rate-limit", "100000")) {
            String id = TestProgram.field(
                    held.createService("{\"name\": \"Counted\"}").body(), "id");
            held.await(held.organizationUrl() + "/services/" + id, body -> body.contains("\"state\":\"running\""));
            try (ConsolePages pages = ConsolePages.signedIn(held)) {
                Document page = pages.page("/services/" + id);
                int before;
                int after;
                do {
                    // Enough of its minute is used that a new minute shows as more than before.
                    for (int at = 0; at < 5; at++) {
                        pages.page("/");
                    }
                    before = left(pages.get("/"));
                    HttpResponse<String> form = pages.submit(page, "/services/" + id + "/scale", Map.of());
                    assertThat(form.statusCode()).as(form.body()).isEqualTo(303);
                    after = left(pages.get("/"));
                } while (before > 99_995 || after > before);
                assertThat(before - after).isEqualTo(2);
            }
        }
    }

    private static int left(HttpResponse<String> answer) {
        return Integer.parseInt(
                answer.headers().firstValue("RateLimit-Remaining").orElseThrow());
    }

    @Test
    void aBackupIsMadeAndRestoredIntoAnotherServiceWithItsPasswordShownOnce() throws IOException, InterruptedException {
        String id = running("Saved");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            HttpResponse<String> made =
                    pages.submit(pages.page("/services/" + id), "/services/" + id + "/backup", Map.of());
            assertThat(made.statusCode()).as(made.body()).isEqualTo(303);
            program.await(api(id) + "/backups", body -> body.contains("\"status\":\"done\""));
            HttpResponse<String> restored = pages.submit(
                    pages.page("/services/" + id), "/services/" + id + "/restore", Map.of("name", "Saved again"));
            assertThat(restored.statusCode()).as(restored.body()).isEqualTo(303);
            Document page = pages.page(restored.headers().firstValue("Location").orElseThrow());
            assertThat(all(page, "pre").getFirst().getTextContent()).hasSizeGreaterThan(20);
            assertThat(text(pages.page("/?name=Saved+again"))).contains("Saved again");
        }
    }

    @Test
    void aFormThatIsSentTwiceIsDoneOnce() throws IOException, InterruptedException {
        String id = running("Twice");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            pages.submit(pages.page("/services/" + id), "/services/" + id + "/backup", Map.of());
            program.await(api(id) + "/backups", body -> body.contains("\"status\":\"done\""));
            Document page = pages.page("/services/" + id);
            for (int at = 0; at < 2; at++) {
                HttpResponse<String> restored =
                        pages.submit(page, "/services/" + id + "/restore", Map.of("name", "Restored twice"));
                assertThat(restored.statusCode()).as(restored.body()).isEqualTo(303);
            }
            Document fleet = pages.page("/?name=Restored+twice");
            assertThat(all(all(fleet, "tbody").getFirst(), "tr")).hasSize(1);
        }
    }

    @Test
    void aPageIsInTheLogWithTheKeyOfItsReader() throws IOException, InterruptedException {
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            pages.page("/");
            String whoami = program.getAsFirstKey(program.credential("base_url") + "/v1/whoami")
                    .body();
            String keyId = TestProgram.field(whoami, "keyId");
            assertThat(program.log().lines()).anyMatch(line -> line.contains("consoleFleet") && line.contains(keyId));
        }
    }

    /** A form sends a request of the API, so a role that may not stop a service there may not here. */
    @Test
    void aKeyThatMayOnlyReadChangesNothing() throws IOException, InterruptedException {
        String id = running("Readonly");
        try (ConsolePages pages = ConsolePages.as(program, "\"roles\": [\"query_endpoints\"]")) {
            assertThat(pages.get("/services/" + id).statusCode()).isEqualTo(403);
        }
        try (ConsolePages pages = ConsolePages.as(program, "\"assignedRoleIds\": [\"" + SERVICE_API_READER + "\"]")) {
            HttpResponse<String> refused =
                    pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
            awaitState(id, "running");
        }
    }

    @Test
    void aServiceOfAnotherOrganizationIsAnsweredAsOneThatIsNotThere() throws IOException, InterruptedException {
        String id = running("Foreign");
        try (ConsolePages pages = ConsolePages.ofOther(program)) {
            HttpResponse<String> foreign = pages.get("/services/" + id);
            HttpResponse<String> missing = pages.get("/services/" + UUID.randomUUID());
            assertThat(foreign.statusCode()).isEqualTo(404);
            assertThat(text(document(foreign))).isEqualTo(text(document(missing)));
        }
    }

    @Test
    void theTimelineHasWhatWasAskedForBesideWhatTheEngineSawAndDid() throws IOException, InterruptedException {
        String id = running("Explainable");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            awaitState(id, "stopped");
            Document page = pages.page("/services/" + id + "/timeline");
            assertThat(all(page, "li"))
                    .extracting(line -> line.getTextContent().replaceAll("^.* UTC ", ""))
                    .anyMatch(line -> line.startsWith("wish service_stop by First key"))
                    .anyMatch(line -> line.startsWith("move stopIt is to stop, and it was running"))
                    .anyMatch(line -> line.startsWith("look stopped"))
                    .anyMatch(line -> line.startsWith("state stoppedIt was stopping before"));
            assertThat(text(page))
                    .contains("It was stopped by key 'First key' at", "It stays stopped until it is started.");
            assertThat(all(page, "time")).isNotEmpty().allMatch(time -> time.hasAttribute("title"));
            assertThat(all(page, "div"))
                    .anyMatch(part -> part.getAttribute("hx-get").equals("/services/" + id + "/timeline"));
        }
        try (ConsolePages pages = ConsolePages.as(program, "\"assignedRoleIds\": [\"" + SERVICE_API_READER + "\"]")) {
            assertThat(text(pages.page("/services/" + id + "/timeline")))
                    .contains("This key may not read activities", "It has been stopped since")
                    .doesNotContain("service_stop", "First key");
        }
        try (ConsolePages pages = ConsolePages.ofOther(program)) {
            HttpResponse<String> foreign = pages.get("/services/" + id + "/timeline");
            assertThat(foreign.statusCode()).isEqualTo(404);
            assertThat(text(document(foreign)))
                    .isEqualTo(text(document(pages.get("/services/" + UUID.randomUUID() + "/timeline"))));
        }
    }

    @Test
    void aFormWithoutItsTokenChangesNothing() throws IOException, InterruptedException {
        String id = running("Forged");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(pages.post("/services/" + id + "/stop", Map.of()).statusCode())
                    .isEqualTo(403);
            assertThat(pages.post("/services/nothing/stop", Map.of()).statusCode())
                    .isEqualTo(403);
            assertThat(program.getAsFirstKey(api(id)).body()).contains("\"state\":\"running\"");
        }
    }
}
