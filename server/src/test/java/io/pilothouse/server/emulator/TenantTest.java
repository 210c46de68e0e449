package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.emulator.EmulatorHouse.Tenant;
import io.pilothouse.testkit.api.ApiCaller;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** An organization for each test. */
class TenantTest {
    @RegisterExtension
    static final EmulatorHouse house = EmulatorHouse.start();

    @Test
    void aNewOrganizationComesWithTheKeyOfAnAdmin() {
        JsonNode made = house.controls()
                .post("/_pilothouse/organizations", "{'name': 'Billing'}")
                .ok();
        assertThat(made.at("/organization/name").asString()).isEqualTo("Billing");
        assertThat(made.path("milliseconds").asDouble()).isPositive();
        Tenant unnamed = house.tenant();
        JsonNode shown = house.as(unnamed.admin()).get(unnamed.path("")).ok();
        assertThat(shown.path("name").asString()).isEqualTo("Test organization");
        assertThat(house.controls().get("/_pilothouse/organizations").ok().valueStream())
                .extracting(each -> each.path("id").asString())
                .contains(house.homeId(), unnamed.id());
    }

    @Test
    void aNameThatTheApiWouldRefuseIsRefusedHere() {
        assertThat(house.controls()
                        .post("/_pilothouse/organizations", "{'name': ' '}")
                        .status())
                .isEqualTo(400);
    }

    private static String erase(String id) {
        return "/_pilothouse/organizations/" + id;
    }

    /** An organization with something of everything in it. */
    private static Tenant furnished() {
        Tenant tenant = house.tenant();
        ApiCaller admin = house.as(tenant.admin());
        String service = admin.post(tenant.path("/services"), "{}")
                .ok()
                .at("/service/id")
                .asString();
        house.forward(Duration.ofSeconds(10));
        admin.post(tenant.path("/services/" + service + "/backups"), "{}").ok();
        admin.post(tenant.path("/keys"), "{'name': 'Second', 'roles': ['developer']}")
                .ok();
        admin.post(tenant.path("/alertsTokens"), "{'name': 'T'}").ok();
        admin.post(tenant.path("/invitations"), "{'email': 'ada@example.org'}").ok();
        admin.post(tenant.path("/services/" + service + "/clickpipesReversePrivateEndpoints"), """
                        {'description': 'd', 'type': 'VPC_ENDPOINT_SERVICE', 'vpcEndpointServiceName': 'com.amazonaws.vpce.us-east-1.vpce-svc-1'}""")
                .ok();
        return tenant;
    }

    @Test
    void anErasedOrganizationIsGoneWithEverythingInIt() {
        Tenant tenant = furnished();
        JsonNode erased = house.controls().delete(erase(tenant.id())).ok();
        assertThat(erased.path("erased").asBoolean()).isTrue();
        assertThat(erased.path("left").asInt()).isZero();
        assertThat(house.as(tenant.admin()).get("/v1/whoami").status()).isEqualTo(401);
        assertThat(house.controls().get("/_pilothouse/organizations").ok().valueStream())
                .extracting(each -> each.path("id").asString())
                .doesNotContain(tenant.id());
        house.controls().delete(erase(tenant.id())).refused(404, "NOT_FOUND");
        assertThat(house.forward(Duration.ofHours(1)).path("settled").asBoolean())
                .isTrue();
    }

    @Test
    void nothingOfOneIsSeenFromAnotherNorGoneWithIt() {
        Tenant first = furnished();
        Tenant second = furnished();
        ApiCaller admin = house.as(second.admin());
        String before = admin.get(second.path("/services")).ok().toString();
        assertThat(before).doesNotContain(first.id());
        for (String path : List.of("", "/services", "/keys", "/activities", "/members")) {
            admin.get(first.path(path)).refused(404, "NOT_FOUND");
        }
        house.controls().delete(erase(first.id())).ok();
        assertThat(admin.get(second.path("/services")).ok().toString()).isEqualTo(before);
        assertThat(admin.get(second.path("/keys")).ok()).hasSize(2);
    }

    @Test
    void aServiceIsNotMadeInAnOrganizationThatWasErasedMeanwhile() {
        long before = services();
        Tenant tenant = house.tenant();
        house.program()
                .beforeNextService(
                        () -> house.controls().delete(erase(tenant.id())).ok());
        house.as(tenant.admin()).post(tenant.path("/services"), "{}").refused(404, "NOT_FOUND");
        assertThat(services()).isEqualTo(before);
    }

    /** How many are on the whole server, whatever they belong to. */
    private static long services() {
        long services = house.controls()
                .post("/_pilothouse/snapshots/count", "{}")
                .ok()
                .path("services")
                .asLong();
        house.controls().delete("/_pilothouse/snapshots/count").ok();
        return services;
    }

    @Test
    void theOperatorsOwnOrganizationStays() {
        house.controls().delete(erase(house.homeId())).refused(409, "CONFLICT");
        house.controls().delete(erase(UUID.randomUUID().toString())).refused(404, "NOT_FOUND");
        house.controls().delete(erase("1")).refused(400, "BAD_REQUEST");
    }
}
