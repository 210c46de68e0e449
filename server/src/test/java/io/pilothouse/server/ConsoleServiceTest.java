package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
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
        HttpResponse<String> made = program.createService("{\"name\": \"" + name + "\"}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        String id = TestProgram.field(made.body(), "id");
        awaitState(id, "running");
        return id;
    }

    private String api(String id) throws IOException {
        return program.organizationUrl() + "/services/" + id;
    }

    private void awaitState(String id, String state) throws IOException, InterruptedException {
        program.await(api(id), body -> body.contains("\"state\":\"" + state + "\""));
    }

    /** Signed in with a key of these roles, in the words of the API. */
    private ConsolePages as(String roles) throws IOException, InterruptedException {
        HttpResponse<String> made = program.send(program.management(program.organizationUrl() + "/keys")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Other\", " + roles + "}")));
        return ConsolePages.signedIn(
                program, TestProgram.field(made.body(), "keyId"), TestProgram.field(made.body(), "keySecret"));
    }

    @Test
    void aServiceIsShownWithItsStateItsHistoryAndLinesToPaste() throws IOException, InterruptedException {
        String id = running("Shown");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            assertThat(text(pages.page("/services/" + id)))
                    .contains("Shown", "running", "service_create", "curl --user", "clickhouse_connect.get_client")
                    .doesNotContain("since");
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
            HttpResponse<String> refused = pages.submit(page, action, Map.of("minReplicaMemoryGb", "many"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(text(document(refused))).contains("minReplicaMemoryGb:");
        }
    }

    @Test
    void everyFormSaysTheSameForTheApiAndForTerraform() throws IOException, InterruptedException {
        String id = running("Explained");
        try (ConsolePages pages = ConsolePages.signedIn(program)) {
            String text = text(pages.page("/services/" + id));
            assertThat(text)
                    .contains("-X PATCH", "{\"command\":\"stop\"}", api(id) + "/state", api(id) + "/replicaScaling")
                    .contains("-X DELETE", "resource \"clickhouse_service\" \"explained\"", "min_replica_memory_gb");
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
            assertThat(restored.statusCode()).as(restored.body()).isEqualTo(200);
            Document page = document(restored);
            assertThat(all(page, "pre").getFirst().getTextContent()).hasSizeGreaterThan(20);
            assertThat(text(pages.page("/?name=Saved+again"))).contains("Saved again");
        }
    }

    /** A form sends a request of the API, so a role that may not stop a service there may not here. */
    @Test
    void aKeyThatMayOnlyReadChangesNothing() throws IOException, InterruptedException {
        String id = running("Readonly");
        try (ConsolePages pages = as("\"roles\": [\"query_endpoints\"]")) {
            assertThat(pages.get("/services/" + id).statusCode()).isEqualTo(403);
        }
        try (ConsolePages pages = as("\"assignedRoleIds\": [\"" + SERVICE_API_READER + "\"]")) {
            HttpResponse<String> refused =
                    pages.submit(pages.page("/services/" + id), "/services/" + id + "/stop", Map.of());
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
            awaitState(id, "running");
        }
    }

    @Test
    void aServiceOfAnotherOrganizationIsAnsweredAsOneThatIsNotThere() throws IOException, InterruptedException {
        String id = running("Foreign");
        HttpResponse<String> other =
                program.send(program.management(program.credential("base_url") + "/v1/organizations")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Other\"}")));
        try (ConsolePages pages = ConsolePages.signedIn(
                program, TestProgram.field(other.body(), "keyId"), TestProgram.field(other.body(), "keySecret"))) {
            HttpResponse<String> foreign = pages.get("/services/" + id);
            HttpResponse<String> missing = pages.get("/services/" + UUID.randomUUID());
            assertThat(foreign.statusCode()).isEqualTo(404);
            assertThat(foreign.body()).isEqualTo(missing.body());
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
