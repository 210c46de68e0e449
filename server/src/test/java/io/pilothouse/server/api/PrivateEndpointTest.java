package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The table of create private endpoint, and how endpoints of an organization and of its services hang together. */
class PrivateEndpointTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.made("{}");

    private ApiAnswer register(JsonNode on, String body) {
        return tenant.admin().post(tenant.service(on) + "/privateEndpoint", body);
    }

    private JsonNode registered(String body) {
        return register(service, body).ok();
    }

    private String attached(JsonNode to) {
        return tenant.get(to).path("privateEndpointIds").toString();
    }

    @Test
    void anEndpointIsRegisteredOnTheServiceAndInItsOrganization() {
        JsonNode endpoint = registered("{'id': 'vpce-1', 'description': 'One'}");
        ApiJson.assertSame(endpoint.path("id"), "'vpce-1'");
        ApiJson.assertSame(endpoint.path("description"), "'One'");
        assertThat(attached(service)).isEqualTo("[\"vpce-1\"]");
        JsonNode known = tenant.organization().path("privateEndpoints");
        assertThat(known).hasSize(1);
        ApiJson.assertSame(known.get(0).path("id"), "'vpce-1'");
        ApiJson.assertSame(known.get(0).path("description"), "'One'");
        ApiJson.assertSame(tenant.get(service).path("availablePrivateEndpointIds"), "['vpce-1']");
    }

    @Test
    void aDescriptionIsNotNeeded() {
        assertThat(registered("{'id': 'vpce-1'}").has("description")).isFalse();
        assertThat(registered("{'id': 'vpce-2', 'description': null}").has("description"))
                .isFalse();
        assertThat(attached(service)).isEqualTo("[\"vpce-1\",\"vpce-2\"]");
    }

    @Test
    void registeringAgainUpdatesTheDescription() {
        registered("{'id': 'vpce-1', 'description': 'One'}");
        ApiJson.assertSame(registered("{'id': 'vpce-1', 'description': 'Two'}").path("description"), "'Two'");
        assertThat(tenant.organization().path("privateEndpoints")).hasSize(1);
        assertThat(attached(service)).isEqualTo("[\"vpce-1\"]");
        JsonNode before = tenant.organization();
        registered("{'id': 'vpce-1', 'description': 'Two'}");
        assertThat(tenant.organization()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | id",
                "{'id': null} | id",
                "{'id': ''} | id",
                "{'id': '  '} | id",
                "{'id': 5} | id",
                "{'id': ['a']} | id",
                "{'id': 'a\\u0007'} | id",
                "{'id': 'a', 'description': 5} | description",
                "{'id': 'a', 'description': {}} | description"
            })
    void aMalformedEndpointIsRefused(String body, String path) {
        assertThat(register(service, body).faults()).containsOnlyKeys(path);
        assertThat(attached(service)).isEqualTo("[]");
    }

    @Test
    void limitsOfLengthHoldOnBothSides() {
        String body = "{'id': '%s', 'description': '%s'}";
        register(service, body.formatted("i".repeat(512), "d".repeat(255))).ok();
        register(service, body.formatted("i".repeat(513), "d".repeat(256))).faultsAt("id", "description");
    }

    @Test
    void associatingAnUnknownEndpointRegistersIt() {
        tenant.update(service, "{'privateEndpointIds': {'add': ['vpce-7']}}").ok();
        JsonNode known = tenant.organization().path("privateEndpoints");
        assertThat(known).hasSize(1);
        ApiJson.assertSame(known.get(0).path("id"), "'vpce-7'");
    }

    @Test
    void associatingAKnownEndpointLeavesItsDescription() {
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'add': [{'id': 'vpce-1', 'description': 'One'}]}}")
                .ok();
        ApiJson.assertSame(tenant.get(service).path("availablePrivateEndpointIds"), "['vpce-1']");
        tenant.update(service, "{'privateEndpointIds': {'add': ['vpce-1']}}").ok();
        ApiJson.assertSame(tenant.organization().path("privateEndpoints").get(0).path("description"), "'One'");
    }

    @Test
    void takingAnEndpointOffAServiceLeavesItToTheOrganization() {
        registered("{'id': 'vpce-1'}");
        tenant.update(service, "{'privateEndpointIds': {'remove': ['vpce-1']}}").ok();
        assertThat(attached(service)).isEqualTo("[]");
        assertThat(tenant.organization().path("privateEndpoints")).hasSize(1);
    }

    @Test
    void removingAnEndpointFromTheOrganizationTakesItOffAllItsServices() {
        JsonNode second = tenant.made("{}");
        registered("{'id': 'vpce-1'}");
        registered("{'id': 'vpce-2'}");
        register(second, "{'id': 'vpce-2'}").ok();
        Tenant stranger = house.tenant();
        JsonNode foreign = stranger.made("{}");
        stranger.admin()
                .post(stranger.service(foreign) + "/privateEndpoint", "{'id': 'vpce-2'}")
                .ok();
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'remove': [{'id': 'vpce-2'}]}}")
                .ok();
        assertThat(attached(service)).isEqualTo("[\"vpce-1\"]");
        assertThat(attached(second)).isEqualTo("[]");
        ApiJson.assertSame(stranger.get(foreign).path("privateEndpointIds"), "['vpce-2']");
    }

    @Test
    void endpointOfAServiceThatIsGoneCanStillBeRemovedFromTheOrganization() {
        registered("{'id': 'vpce-1'}");
        tenant.delete(service).ok();
        house.settle();
        assertThat(tenant.organization().path("privateEndpoints")).hasSize(1);
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'remove': [{'id': 'vpce-1'}]}}")
                .ok();
        assertThat(tenant.organization().path("privateEndpoints")).isEmpty();
    }

    @Test
    void removedAndAddedAtOnceAnEndpointStaysInTheOrganization() {
        registered("{'id': 'vpce-1', 'description': 'One'}");
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'remove': [{'id': 'vpce-1'}], 'add': [{'id': 'vpce-1'}]}}")
                .ok();
        assertThat(tenant.organization().path("privateEndpoints")).hasSize(1);
    }

    @Test
    void anEndpointOfAnotherRegionIsNotOnOffer() {
        registered("{'id': 'vpce-1'}");
        JsonNode elsewhere = tenant.made("{'region': 'eu-west-1'}");
        assertThat(elsewhere.path("availablePrivateEndpointIds")).isEmpty();
    }

    @Test
    void anEndpointOfAnotherPlaceCannotBeHad() {
        registered("{'id': 'vpce-1', 'description': 'One'}");
        for (String place : List.of("{'region': 'eu-west-1'}", "{'provider': 'gcp'}")) {
            JsonNode elsewhere = tenant.made(place);
            tenant.update(elsewhere, "{'privateEndpointIds': {'add': ['vpce-1', 'vpce-2']}}")
                    .faultsAt("privateEndpointIds.add");
            register(elsewhere, "{'id': 'vpce-1', 'description': 'Stolen'}").faultsAt("id");
            assertThat(attached(elsewhere)).isEqualTo("[]");
        }
        ApiJson.assertSame(tenant.organization().path("privateEndpoints").get(0).path("description"), "'One'");
        assertThat(tenant.organization().path("privateEndpoints")).hasSize(1);
    }

    @Test
    void anEndpointThatNoServiceEverHadCanBeHadAnywhereOnce() {
        tenant.admin()
                .patch(tenant.path(), "{'privateEndpoints': {'add': [{'id': 'vpce-1'}]}}")
                .ok();
        JsonNode elsewhere = tenant.made("{'region': 'eu-west-1'}");
        ApiJson.assertSame(elsewhere.path("availablePrivateEndpointIds"), "['vpce-1']");
        tenant.update(elsewhere, "{'privateEndpointIds': {'add': ['vpce-1']}}").ok();
        assertThat(tenant.get(service).path("availablePrivateEndpointIds")).isEmpty();
        tenant.update(service, "{'privateEndpointIds': {'add': ['vpce-1']}}").faultsAt("privateEndpointIds.add");
    }

    @Test
    void anEndpointThatCameByUseLeavesWithItsLastUse() {
        JsonNode second = tenant.made("{}");
        tenant.update(service, "{'privateEndpointIds': {'add': ['vpce-1', 'vpce-2', 'vpce-3']}}")
                .ok();
        tenant.update(second, "{'privateEndpointIds': {'add': ['vpce-1']}}").ok();
        registered("{'id': 'vpce-3'}");
        tenant.update(service, "{'privateEndpointIds': {'remove': ['vpce-1', 'vpce-3']}}")
                .ok();
        ApiJson.assertSame(tenant.get(service).path("availablePrivateEndpointIds"), "['vpce-1', 'vpce-2', 'vpce-3']");
        tenant.update(second, "{'privateEndpointIds': {'remove': ['vpce-1']}}").ok();
        ApiJson.assertSame(tenant.get(service).path("availablePrivateEndpointIds"), "['vpce-2', 'vpce-3']");
        house.settle();
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        ApiJson.assertSame(tenant.get(second).path("availablePrivateEndpointIds"), "['vpce-3']");
    }

    @Test
    void olderClientsAskForWhatARegionIsReachedBy() {
        Tenant own = house.tenant();
        String path = "/v1/organizations/" + own.id() + "/privateEndpointConfig";
        String id = own.admin()
                .get(path + "?cloud_provider=aws&region_id=eu-west-1")
                .ok()
                .path("endpointServiceId")
                .asString();
        assertThat(id).endsWith("/aws/eu-west-1");
        own.admin().get(path).faultsAt("cloud_provider", "region_id");
        own.admin().get(path + "?cloud_provider=aws").faultsAt("region_id");
        own.admin().get(path + "?cloud_provider=oracle&region_id=eu-west-1").faultsAt("cloud_provider");
        own.admin().get(path + "?cloud_provider=gcp&region_id=eu-west-1").faultsAt("region_id");
    }
}
