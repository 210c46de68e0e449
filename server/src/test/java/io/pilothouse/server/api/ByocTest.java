package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Regions of an organization's own cloud accounts, and the services in them. */
class ByocTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private String path(JsonNode region) {
        return tenant.byoc() + "/" + region.path("id").asString();
    }

    private ApiAnswer service(JsonNode region, String more) {
        return tenant.create("{'byocId': '%s', 'minReplicaMemoryGb': 48, 'maxReplicaMemoryGb': 48%s}"
                .formatted(region.path("id").asString(), more));
    }

    @Test
    void aRegionIsShownWithItsOrganizationUntilItIsDeleted() {
        JsonNode first = tenant.newByoc();
        JsonNode second = tenant.admin().post(tenant.byoc(), """
                        {'regionId': 'europe-west4', 'accountId': 'our-project', 'availabilityZoneSuffixes': ['a', 'c'],
                         'vpcCidrRange': '10.0.0.0/16', 'displayName': 'Ours'}""").ok();
        ApiJson.assertSame(second, """
                        {'id': '%s', 'state': 'infra-ready', 'accountName': 'our-project', 'regionId': 'europe-west4',
                         'cloudProvider': 'gcp', 'displayName': 'Ours'}""".formatted(second.path("id").asString()));
        assertThat(tenant.organization().path("byocConfig")).containsExactly(first, second);
        tenant.admin().delete(path(first)).ok();
        assertThat(tenant.organization().path("byocConfig")).containsExactly(second);
        tenant.admin().delete(path(first)).refused(404, "NOT_FOUND");
    }

    @Test
    void itsNameCanBeChangedAndNothingElse() {
        JsonNode region = tenant.newByoc();
        JsonNode named =
                tenant.admin().patch(path(region), "{'displayName': 'Ours'}").ok();
        ApiJson.assertSame(named.path("displayName"), "'Ours'");
        assertThat(tenant.organization().path("byocConfig")).containsExactly(named);
        tenant.admin()
                .patch(path(region), "{'regionId': 'us-east-1', 'accountId': 'other'}")
                .faultsAt("regionId", "accountId");
        assertThat(tenant.admin()
                        .patch(path(region), "{'displayName': '', 'regionId': 'eu-west-1'}")
                        .ok())
                .isEqualTo(region);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'accountId': '1'} | regionId",
                "{'regionId': 'eu-west-1'} | accountId",
                "{'regionId': 'moon', 'accountId': '1'} | regionId",
                "{'regionId': 'eu-west-1', 'accountId': 1} | accountId",
                "{'regionId': 'eu-west-1', 'accountId': '1', 'availabilityZoneSuffixes': ['g']} | availabilityZoneSuffixes[0]",
                "{'regionId': 'eu-west-1', 'accountId': '1', 'vpcCidrRange': '10.0.0.0'} | vpcCidrRange",
                "{'regionId': 'eu-west-1', 'accountId': '1', 'vpcCidrRange': '10.0.0.256/16'} | vpcCidrRange",
                "{'regionId': 'eu-west-1', 'accountId': '1', 'displayName': 5} | displayName"
            })
    void everyOtherValueIsRefusedByItsPath(String body, String path) {
        tenant.admin().post(tenant.byoc(), body).faultsAt(path);
        assertThat(tenant.organization().path("byocConfig")).isEmpty();
    }

    @Test
    void aServiceThatNamesARegionIsInIt() {
        JsonNode region = tenant.newByoc();
        JsonNode service = service(region, "").ok().path("service");
        ApiJson.assertSame(service.path("region"), "'eu-west-1'");
        ApiJson.assertSame(service.path("provider"), "'aws'");
        ApiJson.assertSame(service.path("byocId"), region.path("id").toString());
        service(region, ", 'region': 'eu-west-1'").ok();
        assertThat(service(region, ", 'region': 'us-east-1'").faults())
                .containsEntry("byocId", "is in eu-west-1, and the service must be there too");
    }

    @Test
    void aRegionIsDeletedOnlyOnceNothingIsLeftOfItsServices() {
        JsonNode region = tenant.newByoc();
        JsonNode service = service(region, "").ok().path("service");
        service(region, "").ok();
        assertThat(tenant.admin()
                        .delete(path(region))
                        .refused(409, "CONFLICT")
                        .json()
                        .path("error")
                        .asString())
                .contains("2 of them");
        tenant.admin().patch(path(region), "{'displayName': 'Ours'}").ok();
        house.settle();
        for (JsonNode each : tenant.admin().get(tenant.services()).ok()) {
            tenant.command(each, "stop").ok();
        }
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        assertThat(tenant.admin()
                        .delete(path(region))
                        .refused(409, "CONFLICT")
                        .json()
                        .path("error")
                        .asString())
                .contains("1 of them");
        tenant.admin()
                .get(tenant.services())
                .ok()
                .forEach(each -> tenant.delete(each).ok());
        house.settle();
        tenant.admin().delete(path(region)).ok();
        assertThat(service(region, "").faults()).containsEntry("byocId", "is not set up in this organization");
    }

    @Test
    void anotherOrganizationsRegionIsNotThere() {
        JsonNode region = tenant.newByoc();
        Tenant other = house.tenant();
        String path = other.byoc() + "/" + region.path("id").asString();
        String nowhere = other.byoc() + "/" + UUID.randomUUID();
        assertThat(other.admin()
                        .patch(path, "{'displayName': 'Mine'}")
                        .refused(404, "NOT_FOUND")
                        .json()
                        .path("error")
                        .asString())
                .isEqualTo(other.admin()
                        .patch(nowhere, "{'displayName': 'Mine'}")
                        .refused(404, "NOT_FOUND")
                        .json()
                        .path("error")
                        .asString());
        other.admin().delete(path).refused(404, "NOT_FOUND");
        assertThat(other.create("{'byocId': '%s', 'minReplicaMemoryGb': 48, 'maxReplicaMemoryGb': 48}"
                                .formatted(region.path("id").asString()))
                        .faults())
                .containsEntry("byocId", "is not set up in this organization");
    }
}
