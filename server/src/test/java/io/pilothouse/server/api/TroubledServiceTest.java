package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.FakePlane.Deed;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** A service whose plane fails: what clients see of it, and what they can still do. */
class TroubledServiceTest {
    @RegisterExtension
    static final House house = House.onFakePlane();

    private final Tenant tenant = house.tenant();

    @AfterEach
    void mend() {
        house.mend();
    }

    private void awaitState(JsonNode service, String state) {
        house.await(
                "it is " + state,
                () -> tenant.get(service).path("state").asString().equals(state));
    }

    private JsonNode failed() {
        house.breakDown(Deed.START);
        JsonNode service = tenant.made("{}");
        awaitState(service, "failed");
        return service;
    }

    private JsonNode degraded() {
        JsonNode service = tenant.made("{}");
        awaitState(service, "running");
        house.breakDown(Deed.START);
        house.plane.breakDown(UUID.fromString(service.path("id").asString()), "Out of memory");
        awaitState(service, "degraded");
        return service;
    }

    @Test
    void aServiceThatNeverCameUpHasFailedUntilItDoes() {
        JsonNode service = failed();
        tenant.update(service, "{'name': 'Still writable'}").ok();
        house.mend();
        awaitState(service, "running");
    }

    @Test
    void aServiceThatBrokeDownIsDegradedUntilItRunsAgain() {
        JsonNode service = degraded();
        house.mend();
        awaitState(service, "running");
    }

    @Test
    void aFailedServiceIsDeleted() {
        requireGone(failed());
    }

    @Test
    void aDegradedServiceIsDeleted() {
        requireGone(degraded());
    }

    @Test
    void aDegradedServiceIsStopped() {
        JsonNode service = degraded();
        tenant.command(service, "stop").ok();
        awaitState(service, "stopped");
        requireGone(service);
    }

    private void requireGone(JsonNode service) {
        tenant.delete(service).ok();
        house.await(
                "it is gone", () -> tenant.admin().get(tenant.service(service)).status() == 404);
    }

    @Test
    void aPlaneThatCannotBeSeenMakesNoRequestFail() {
        house.breakDown(Deed.OBSERVE);
        JsonNode service = tenant.made("{'name': 'In the dark'}");
        tenant.update(service, "{'releaseChannel': 'slow'}").ok();
        tenant.command(service, "stop").ok();
        assertThat(tenant.admin().get(tenant.services()).ok()).hasSize(1);
        house.mend();
        awaitState(service, "stopped");
    }
}
