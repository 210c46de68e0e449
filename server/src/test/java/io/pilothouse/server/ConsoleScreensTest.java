package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static io.pilothouse.server.ConsolePages.document;
import static io.pilothouse.server.ConsolePages.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The pages that are lists and forms, over a real socket: what they show, and what their forms do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleScreensTest {
    private static final String SERVICE_API_READER = "e16d94b8-c053-3e7f-96a2-4d1b85c0fa66";
    private static final String SERVICE_API_ADMIN = "c7029fe5-3b8a-3d41-b0f7-928e64d1ab77";

    private TestProgram program;
    private ConsolePages pages;
    private String service;

    @BeforeAll
    void start(@TempDir Path folder) throws StartRefused, IOException, InterruptedException {
        program = TestProgram.start(folder);
        pages = ConsolePages.signedIn(program);
        service = ConsolePages.running(program, "Watched");
    }

    @AfterAll
    void stop() {
        pages.close();
        program.close();
    }

    private String api(String path) throws IOException, InterruptedException {
        return program.getAsFirstKey(program.organizationUrl() + path).body();
    }

    /** Sends a form that must be done, and returns the page that it leads to. */
    private Document done(Document page, String form, Map<String, String> filled)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = pages.send(page, form, filled);
        if (answer.statusCode() == 200) {
            return document(answer);
        }
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        return pages.page(answer.headers().firstValue("Location").orElseThrow());
    }

    private static String shown(Document page, String member) {
        return all(page, "pre").stream()
                .filter(each -> each.getAttribute("id").equals("shown-" + member))
                .findFirst()
                .orElseThrow(() -> new AssertionError(text(page)))
                .getTextContent();
    }

    @Test
    void everyPageHasOneHeadingAndALabelForEachField() throws IOException, InterruptedException {
        String own = "/services/" + service;
        for (String path : List.of(
                "/keys",
                "/members",
                "/roles",
                "/activities",
                "/alerts",
                "/webhooks",
                "/dashboards",
                "/new-service",
                own + "/pipes",
                own + "/new-pipe",
                own + "/backups",
                own + "/schedules",
                own + "/settings")) {
            Document page = pages.page(path);
            assertThat(all(page, "h1")).as(path).hasSize(1);
            assertThat(all(page, "main")).as(path).hasSize(1);
            for (String field : List.of("input", "select", "textarea")) {
                assertThat(all(page, field))
                        .as(path)
                        .filteredOn(each -> !each.getAttribute("type").equals("hidden"))
                        .allSatisfy(each ->
                                assertThat(each.getParentNode().getNodeName()).isEqualTo("label"));
            }
        }
    }

    @Test
    void aServiceIsCreatedAndItsPasswordIsShownOnce() throws IOException, InterruptedException {
        Document page = done(
                pages.page("/new-service"),
                "create",
                Map.of("name", "Made here", "maxReplicaMemoryGb", "32", "ipAccessList", "192.0.2.0/24 The office"));
        assertThat(shown(page, "password")).hasSizeGreaterThan(15);
        String link = all(page, "a").getLast().getAttribute("href");
        assertThat(text(pages.page(link))).contains("Made here").doesNotContain(shown(page, "password"));
        assertThat(api(link))
                .contains("\"maxReplicaMemoryGb\":32", "\"source\":\"192.0.2.0/24\"", "\"description\":\"The office\"");
    }

    @Test
    void aPageWithASecretIsShownOnceToItsSessionAlone() throws IOException, InterruptedException {
        HttpResponse<String> made = pages.send(pages.page("/services/" + service + "/settings"), "password", Map.of());
        assertThat(made.statusCode()).isEqualTo(303);
        String place = made.headers().firstValue("Location").orElseThrow();
        try (ConsolePages other = ConsolePages.signedIn(program)) {
            assertThat(text(other.page(place))).contains("shown already");
        }
        assertThat(shown(pages.page(place), "password")).hasSizeGreaterThan(10);
        assertThat(text(pages.page(place))).contains("shown already");
    }

    @Test
    void aTimeOfBackupsCanBeTakenAway() throws IOException, InterruptedException {
        String page = "/services/" + service + "/backups";
        done(pages.page(page), "configuration", Map.of("backupPeriodInHours", "24", "backupStartTime", "02:00"));
        assertThat(api("/services/" + service + "/backupConfiguration")).contains("\"backupStartTime\":\"02:00\"");
        done(pages.page(page), "configuration", Map.of("backupStartTime", ""));
        assertThat(api("/services/" + service + "/backupConfiguration")).doesNotContain("02:00");
    }

    @Test
    void aListCanBeScrolledWithoutAMouseAndSaysWhatItIs() throws IOException, InterruptedException {
        for (String path : List.of("/keys", "/activities")) {
            assertThat(all(pages.page(path), "div"))
                    .filteredOn(each -> each.getAttribute("class").equals("wide"))
                    .isNotEmpty()
                    .allSatisfy(each -> {
                        assertThat(each.getAttribute("tabindex")).isEqualTo("0");
                        assertThat(each.getAttribute("aria-label")).isNotBlank();
                    });
        }
    }

    @Test
    void ofManyKeysFiftyAreOfferedAndAllThatAreChosen() throws IOException, InterruptedException {
        for (int at = 0; at < 60; at++) {
            assertThat(program.send(program.management(program.organizationUrl() + "/keys")
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Of many " + at + "\"}")))
                            .statusCode())
                    .isEqualTo(200);
        }
        Document page = pages.page("/services/" + service + "/settings");
        assertThat(all(page, "input").stream()
                        .filter(input -> input.getAttribute("name").startsWith("openApiKeys:"))
                        .count())
                .isEqualTo(50);
        assertThat(text(page)).contains("50 of 6");
    }

    @Test
    void whatIsWrongIsSaidAtItsFieldAndNothingIsTypedAgain() throws IOException, InterruptedException {
        HttpResponse<String> refused = pages.send(
                pages.page("/new-service"),
                "create",
                Map.of("name", "Kept as typed", "minReplicaMemoryGb", "much", "ipAccessList", "somewhere"));
        assertThat(refused.statusCode()).isEqualTo(400);
        Document page = document(refused);
        Element memory = field(page, "minReplicaMemoryGb");
        assertThat(memory.getAttribute("aria-invalid")).isEqualTo("true");
        assertThat(memory.getAttribute("aria-describedby")).isEqualTo("fault-minReplicaMemoryGb");
        assertThat(memory.getAttribute("value")).isEqualTo("much");
        assertThat(field(page, "name").getAttribute("value")).isEqualTo("Kept as typed");
        assertThat(text(page)).contains("ipAccessList[0].source");
    }

    private static Element field(Document page, String name) {
        return all(page, "input").stream()
                .filter(each -> each.getAttribute("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPipeIsMadeScaledStoppedSoughtAndDeleted() throws IOException, InterruptedException {
        String list = "/services/" + service + "/pipes";
        assertThat(text(pages.page(list))).contains("There is no pipe yet");
        HttpResponse<String> made = pages.send(pages.page("/services/" + service + "/new-pipe"), "kafka", Map.of());
        assertThat(made.statusCode()).as(made.body()).isEqualTo(303);
        String own = made.headers().firstValue("Location").orElseThrow();
        String inApi = own.replace("/pipes/", "/clickpipes/");
        String whole = program.organizationUrl() + inApi;
        program.await(whole, body -> body.contains("\"state\":\"Running\""));
        assertThat(text(pages.page(list))).contains("Orders", "Running");
        done(pages.page(own), "scale", Map.of("replicas", "3"));
        assertThat(api(inApi)).contains("\"replicas\":3");
        done(pages.page(own), "stop", Map.of());
        program.await(whole, body -> body.contains("\"state\":\"Stopped\""));
        done(pages.page(own), "seek", Map.of("to", "offset", "offset", "4711", "partitions", "orders:0"));
        assertThat(text(pages.page(own))).contains("orders:0", "4711");
        HttpResponse<String> wrong = pages.send(pages.page(own), "delete", Map.of("typed", "Something else"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(text(document(wrong))).contains("type Orders to do this");
        done(pages.page(own), "delete", Map.of("typed", "Orders"));
        program.await(whole, body -> body.contains("not found"));
    }

    @Test
    void aKeyIsMadeOnceHoweverOftenItsFormIsSent() throws IOException, InterruptedException {
        Document page = pages.page("/keys");
        String admin = all(page, "input").stream()
                .map(input -> input.getAttribute("name"))
                .filter(name -> name.startsWith("assignedRoleIds:"))
                .findFirst()
                .orElseThrow();
        Map<String, String> filled = Map.of("name", "Once", admin, "true");
        String secret = shown(done(page, "create", filled), "keySecret");
        assertThat(shown(done(page, "create", filled), "keySecret")).isEqualTo(secret);
        assertThat(all(pages.page("/keys"), "a"))
                .filteredOn(link -> link.getTextContent().equals("Once"))
                .hasSize(1);
    }

    @Test
    void aMemberIsInvitedAndARoleIsMade() throws IOException, InterruptedException {
        assertThat(shown(done(pages.page("/members"), "invite", invited()), "token"))
                .isNotEmpty();
        assertThat(text(pages.page("/members"))).contains("ada@example.org");
        Document roles = done(pages.page("/roles"), "create", Map.of("name", "Looks after backups"));
        assertThat(text(roles)).contains("Looks after backups");
        assertThat(text(pages.page("/activities"))).contains("When", "Before and after", "Looks after backups");
    }

    private Map<String, String> invited() throws IOException, InterruptedException {
        String role = all(pages.page("/members"), "input").stream()
                .map(input -> input.getAttribute("name"))
                .filter(name -> name.startsWith("assignedRoleIds:"))
                .findFirst()
                .orElseThrow();
        return Map.of("email", "ada@example.org", role, "true");
    }

    /** A key of the management API reads and changes what the alerts interface has, by the same rights. */
    @Test
    void anAlertIsMadeSilencedAndDeletedWithItsHistoryShown() throws IOException, InterruptedException {
        HttpResponse<String> made = pages.send(pages.page("/alerts"), "create", Map.of());
        assertThat(made.statusCode()).as(made.body()).isEqualTo(303);
        String own = made.headers().firstValue("Location").orElseThrow();
        assertThat(text(pages.page("/alerts")))
                .contains("needs a look", "A service is failed or degraded")
                .contains("Authorization: Bearer $TOKEN", "\"$ALERTS\"'/api/v2/alerts'");
        Document silenced = done(pages.page(own), "silence", Map.of("mutedUntil", "2099-01-01T00:00:00Z"));
        assertThat(text(silenced)).contains("2099-01-01T00:00:00Z", "Plot", "History");
        HttpResponse<String> refused = pages.send(pages.page(own), "silence", Map.of("mutedUntil", "soon"));
        assertThat(text(document(refused))).contains("mutedUntil: ");
        done(pages.page(own), "delete", Map.of("typed", "{{group}} needs a look"));
        assertThat(pages.get(own).statusCode()).isEqualTo(404);
    }

    @Test
    void aBackupIsMadeAndRestoredAndItsScheduleChanged() throws IOException, InterruptedException {
        String own = "/services/" + service + "/backups";
        done(pages.page(own), "backup", Map.of());
        program.await(program.organizationUrl() + own, body -> body.contains("\"status\":\"done\""));
        Document restored = done(pages.page(own), "restore", Map.of("name", "Restored here"));
        assertThat(shown(restored, "password")).isNotEmpty();
        done(pages.page(own), "configuration", Map.of("backupRetentionPeriodInHours", "48"));
        assertThat(api("/services/" + service + "/backupConfiguration")).contains("48");
    }

    @Test
    void settingsOfAServiceAreSetAndTakenBack() throws IOException, InterruptedException {
        String own = "/services/" + service + "/settings";
        done(pages.page(own), "access", Map.of("ipAccessList.add", "198.51.100.7"));
        assertThat(text(pages.page(own))).contains("198.51.100.7", "No key may run SQL here over HTTP");
        done(pages.page(own), "queries", Map.of());
        assertThat(api("/services/" + service + "/serviceQueryEndpoint")).contains("sql_console_read_only");
        done(pages.page(own), "noqueries", Map.of());
        assertThat(shown(done(pages.page(own), "password", Map.of()), "password"))
                .isNotEmpty();
        String schedules = "/services/" + service + "/schedules";
        assertThat(text(done(pages.page(schedules), "schedule", Map.of()))).contains("Business hours");
        String entries = "[{\"name\": \"Nights\", \"weekdays\": [1], \"startHourUtc\": 1, \"endHourUtc\": 3}]";
        done(pages.page(schedules), "schedule", Map.of("entries", entries));
        assertThat(text(done(pages.page(schedules), "schedule", Map.of())))
                .contains("Nights")
                .doesNotContain("Business hours");
    }

    /** It may say which keys run SQL, but not read which keys there are. */
    @Test
    void whatIsChosenStaysChosenForAKeyThatMayNotReadTheList() throws IOException, InterruptedException {
        String own = "/services/" + service + "/settings";
        String listed = all(pages.page(own), "input").stream()
                .map(input -> input.getAttribute("name"))
                .filter(name -> name.startsWith("openApiKeys:"))
                .findFirst()
                .orElseThrow();
        done(pages.page(own), "queries", Map.of(listed, "true"));
        try (ConsolePages manager = ConsolePages.as(program, "\"assignedRoleIds\": [\"" + SERVICE_API_ADMIN + "\"]")) {
            Document page = manager.page(own);
            assertThat(text(page)).contains("This key's roles do not allow key_read");
            assertThat(manager.send(page, "queries", Map.of("allowedOrigins", "example.org"))
                            .statusCode())
                    .isEqualTo(303);
        }
        assertThat(api("/services/" + service + "/serviceQueryEndpoint"))
                .contains("example.org", listed.substring("openApiKeys:".length()));
        done(pages.page(own), "noqueries", Map.of());
    }

    @Test
    void whatAKeyMayNotChangeItMayNotChangeHere() throws IOException, InterruptedException {
        try (ConsolePages reader = ConsolePages.as(program, "\"assignedRoleIds\": [\"" + SERVICE_API_READER + "\"]")) {
            String own = "/services/" + service + "/settings";
            HttpResponse<String> refused = reader.send(reader.page(own), "rename", Map.of("name", "Taken over"));
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
            assertThat(api("/services/" + service)).doesNotContain("Taken over");
            assertThat(reader.get("/activities").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void aThingOfAnotherOrganizationIsAnsweredAsOneThatIsNotThere() throws IOException, InterruptedException {
        try (ConsolePages other = ConsolePages.ofOther(program)) {
            HttpResponse<String> foreign = other.get("/services/" + service + "/settings");
            HttpResponse<String> missing = other.get("/services/" + UUID.randomUUID() + "/settings");
            assertThat(foreign.statusCode()).isEqualTo(404);
            assertThat(text(document(foreign))).isEqualTo(text(document(missing)));
        }
    }

    @Test
    void aFormOfAScreenWithoutItsTokenChangesNothing() throws IOException, InterruptedException {
        assertThat(pages.post("/keys", Map.of("form", "create", "name", "Forged"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(text(pages.page("/keys"))).doesNotContain("Forged");
    }

    /** A line of a list is named by its id, which is a part of a path and never more of it. */
    @Test
    void aLineIsNoWayToAnotherPathOfTheApi() throws IOException, InterruptedException {
        Document page = pages.page("/keys");
        for (String row : List.of("..", "../keys", "a/b", "a?b", "a%2fb")) {
            assertThat(pages.send(page, "revoke", Map.of("row", row)).statusCode())
                    .as(row)
                    .isEqualTo(404);
        }
    }
}
