package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.FakePlane.Deed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Why a service is in its state, as the API says it at each station of its life. */
class TimelineTest {
    @RegisterExtension
    static final House house = House.onFakePlane();

    private final Tenant tenant = house.tenant();

    @AfterEach
    void mend() {
        house.mend();
    }

    private JsonNode timeline(JsonNode service) {
        return tenant.admin().get(tenant.service(service) + "/timeline").ok();
    }

    private String waiting(JsonNode service) {
        return timeline(service).path("waiting").asString();
    }

    /** Each entry as its kind and its word, oldest first. */
    private List<String> shown(JsonNode timeline) {
        List<String> shown = new ArrayList<>();
        timeline.path("entries")
                .forEach(entry -> shown.addFirst(
                        entry.path("kind").asString() + " " + entry.path("what").asString()));
        return shown;
    }

    private void awaitState(JsonNode service, String state) {
        house.await(
                "it is " + state,
                () -> tenant.get(service).path("state").asString().equals(state));
    }

    @Test
    void aLifeIsShownWithEveryWishLookMoveAndState() {
        JsonNode service = tenant.running();
        tenant.command(service, "stop").ok();
        house.settle();
        JsonNode timeline = timeline(service);
        assertThat(shown(timeline))
                .containsExactly(
                        "wish service_create",
                        "look absent",
                        "move start",
                        "look running",
                        "state running",
                        "wish service_stop",
                        "move stop",
                        "look stopped",
                        "state stopped");
        assertThat(timeline.path("state").asString()).isEqualTo("stopped");
        assertThat(timeline.path("waiting").asString())
                .startsWith("It was stopped by key '")
                .endsWith("It stays stopped until it is started.");
    }

    @Test
    void aServiceThatIsNotLookedAtYetSaysByWhomItWasAskedFor() {
        JsonNode service = tenant.running();
        assertThat(waiting(service)).endsWith("and nothing is being waited for.");
        tenant.command(service, "stop").ok();
        assertThat(waiting(service)).startsWith("It is to stop, as key '");
    }

    @Test
    void aCallThatFailsIsShownWithItsReasonAndHowOftenItWasTried() {
        house.breakDown(Deed.START);
        JsonNode service = tenant.made("{}");
        awaitState(service, "failed");
        house.turn();
        JsonNode timeline = timeline(service);
        assertThat(timeline.path("waiting").asString())
                .contains("The plane was asked to start it", "times since", "There is no room on this machine.")
                .contains("tried again at");
        JsonNode start = timeline.path("entries")
                .valueStream()
                .filter(entry -> entry.path("kind").asString().equals("move"))
                .findFirst()
                .orElseThrow();
        assertThat(start.path("message").asString()).isEqualTo("There is no room on this machine");
        assertThat(start.path("reason").asString()).isEqualTo("It is to run, and nothing of it was there");
        assertThat(start.path("times").asInt()).isGreaterThan(1);
        assertThat(shown(timeline)).contains("state failed");
    }

    @Test
    void aDatabaseThatDiedIsShownWithWhatItDiedOfAndThatItCameBack() {
        JsonNode service = tenant.running();
        house.plane.breakDown(UUID.fromString(service.path("id").asString()), "Out of memory");
        house.await("it came back", () -> shown(timeline(service)).contains("look broken"));
        house.settle();
        assertThat(shown(timeline(service))).containsSubsequence("state running", "look broken", "state running");
        assertThat(timeline(service).toString()).contains("Out of memory");
    }

    @Test
    void whoMayNotReadActivitiesIsShownTheEngineOnly() {
        JsonNode service = tenant.running();
        JsonNode role = tenant.newRole("Watcher", "view");
        JsonNode seen =
                tenant.having(role).get(tenant.service(service) + "/timeline").ok();
        assertThat(shown(seen)).containsExactly("look absent", "move start", "look running", "state running");
        assertThat(seen.toString()).doesNotContain("actorDetails");
    }

    @Test
    void whatIsNotThereAndWhatIsAnothersAreAnsweredAlike() {
        JsonNode service = tenant.running();
        Tenant other = house.tenant();
        String nowhere = other.services() + "/" + UUID.randomUUID() + "/timeline";
        String foreign = other.service(service) + "/timeline";
        String sentence = other.admin()
                .get(nowhere)
                .refused(404, "NOT_FOUND")
                .json()
                .path("error")
                .asString();
        assertThat(other.admin()
                        .get(foreign)
                        .refused(404, "NOT_FOUND")
                        .json()
                        .path("error")
                        .asString())
                .isEqualTo(sentence);
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        house.await(
                "it is gone",
                () -> tenant.admin().get(tenant.service(service) + "/timeline").status() == 404);
    }
}
