package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The state of a service, the commands that change it, and its end. */
class ServiceLifeTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private void requireState(JsonNode service, String state) {
        assertThat(tenant.get(service).path("state").asString()).isEqualTo(state);
    }

    private JsonNode running() {
        JsonNode service = tenant.made("{}");
        house.settle();
        requireState(service, "running");
        return service;
    }

    private JsonNode stopped() {
        JsonNode service = running();
        tenant.command(service, "stop").ok();
        house.settle();
        requireState(service, "stopped");
        return service;
    }

    private void requireCommand(JsonNode service, String command, String state) {
        requireOneOf(service, command, state);
        requireState(service, state);
    }

    /** Of several where it depends on how far the engine is. */
    private void requireOneOf(JsonNode service, String command, String... states) {
        assertThat(tenant.command(service, command).ok().path("state").asString())
                .isIn((Object[]) states);
    }

    private static void requireConflict(ApiAnswer answer, String state) {
        answer.refused(409, "CONFLICT");
        assertThat(answer.json().path("error").asString()).contains("Current state: '" + state + "'");
    }

    @Test
    void aServiceIsProvisionedStoppedAndStartedAgain() {
        JsonNode service = tenant.made("{}");
        requireState(service, "provisioning");
        house.settle();
        requireState(service, "running");
        requireCommand(service, "stop", "stopping");
        house.settle();
        requireState(service, "stopped");
        requireCommand(service, "start", "starting");
        house.settle();
        requireState(service, "running");
    }

    @Test
    void aCommandThatIsInEffectChangesNothing() {
        JsonNode service = tenant.made("{}");
        requireCommand(service, "start", "provisioning");
        house.settle();
        requireCommand(service, "start", "running");
        requireCommand(service, "awake", "running");
        requireCommand(service, "stop", "stopping");
        requireCommand(service, "stop", "stopping");
        house.settle();
        requireCommand(service, "stop", "stopped");
    }

    @Test
    void aServiceIsStoppedBeforeItEverRan() {
        JsonNode service = tenant.made("{}");
        requireOneOf(service, "stop", "stopping", "stopped");
        house.settle();
        requireState(service, "stopped");
        requireOneOf(service, "start", "provisioning", "starting");
        house.settle();
        requireState(service, "running");
    }

    @Test
    void aServiceIsStartedWhileItStops() {
        JsonNode service = running();
        requireCommand(service, "stop", "stopping");
        requireOneOf(service, "start", "starting", "running");
        house.settle();
        requireState(service, "running");
    }

    @Test
    void aStoppedServiceIsNotWoken() {
        requireConflict(tenant.command(stopped(), "awake"), "stopped");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'command': null}",
                "{'command': ''}",
                "{'command': 'Stop'}",
                "{'command': 'delete'}",
                "{'command': 5}",
                "{'command': ['stop']}"
            })
    void anyOtherCommandIsRefused(String body) {
        JsonNode service = tenant.made("{}");
        tenant.admin().patch(tenant.service(service) + "/state", body).faultsAt("command");
    }

    @Test
    void aRunningServiceIsNotDeleted() {
        JsonNode service = running();
        requireConflict(tenant.delete(service), "running");
        tenant.command(service, "stop").ok();
        requireConflict(tenant.delete(service), "stopping");
        house.settle();
        tenant.delete(service).ok();
    }

    @Test
    void aServiceIsDeletedWhileItIsProvisioned() {
        JsonNode service = tenant.made("{}");
        // A service that was never begun is deleted at once.
        house.turn();
        requireDeleted(service);
    }

    @Test
    void aServiceIsDeletedWhileItIsStopped() {
        requireDeleted(stopped());
    }

    @Test
    void aServiceIsDeletedWhileItIsStarted() {
        JsonNode service = stopped();
        requireCommand(service, "start", "starting");
        requireDeleted(service);
    }

    private void requireDeleted(JsonNode service) {
        tenant.delete(service).ok();
        requireState(service, "terminating");
        house.settle();
        tenant.admin().get(tenant.service(service)).refused(404, "NOT_FOUND");
    }

    @Test
    void aDeletedServiceTerminatesAndIsThenNotFound() {
        JsonNode service = stopped();
        tenant.delete(service).ok();
        requireState(service, "terminating");
        tenant.delete(service).ok();
        requireConflict(tenant.command(service, "start"), "terminating");
        requireConflict(tenant.command(service, "stop"), "terminating");
        requireConflict(tenant.command(service, "awake"), "terminating");
        house.settle();
        String path = tenant.service(service);
        tenant.admin().get(path).refused(404, "NOT_FOUND");
        tenant.delete(service).refused(404, "NOT_FOUND");
        tenant.update(service, "{}").refused(404, "NOT_FOUND");
        tenant.command(service, "start").refused(404, "NOT_FOUND");
        tenant.admin().post(path + "/privateEndpoint", "{'id': 'a'}").refused(404, "NOT_FOUND");
        assertThat(tenant.admin().get(tenant.services()).ok()).isEmpty();
    }

    @Test
    void thePrimaryServiceIsDeletedLast() {
        JsonNode first = tenant.made("{}");
        JsonNode second = tenant.made(
                "{'dataWarehouseId': '" + first.path("dataWarehouseId").asString() + "'}");
        tenant.delete(first).refused(409, "CONFLICT");
        tenant.delete(second).ok();
        tenant.delete(first).ok();
        house.settle();
        assertThat(tenant.admin().get(tenant.services()).ok()).isEmpty();
        tenant.create("{'dataWarehouseId': '" + first.path("dataWarehouseId").asString() + "'}")
                .faultsAt("dataWarehouseId");
    }

    @Test
    void aChangeWhileItRunsTakesEffectSilently() {
        JsonNode service = running();
        tenant.update(service, "{'endpoints': [{'protocol': 'mysql', 'enabled': true}]}")
                .ok();
        house.settle();
        requireState(service, "running");
    }
}
