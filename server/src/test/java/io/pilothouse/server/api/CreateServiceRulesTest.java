package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The rules of create service that look at more than one field, or at the organization, and what is not given. */
class CreateServiceRulesTest {
    private static final Map<String, List<String>> REGIONS = Map.of(
            "aws",
            List.of(
                    "ap-northeast-1",
                    "ap-south-1",
                    "ap-southeast-1",
                    "ap-southeast-2",
                    "eu-central-1",
                    "eu-west-1",
                    "eu-west-2",
                    "me-central-1",
                    "us-east-1",
                    "us-east-2",
                    "us-west-2"),
            "gcp",
            List.of("us-east1", "us-central1", "europe-west4", "asia-southeast1"),
            "azure",
            List.of("eastus", "eastus2", "westus3", "germanywestcentral"));

    @RegisterExtension
    static final House house = House.start();

    private static void refused(Tenant tenant, String body, String... paths) {
        tenant.create(body).faultsAt(paths);
    }

    @Test
    void anEmptyBodyMakesAServiceOfDefaults() {
        JsonNode service = house.tenant().made("{}");
        assertThat(service.path("name").asString()).matches("Service [0-9a-f]{8}");
        assertThat(service.path("dataWarehouseId").asString()).isNotEmpty();
        assertThat(service.path("createdAt").asString())
                .isEqualTo(house.time.now().toString());
        Map<String, String> defaults = Map.ofEntries(
                Map.entry("provider", "'aws'"),
                Map.entry("region", "'us-east-1'"),
                Map.entry("state", "'provisioning'"),
                Map.entry("minReplicaMemoryGb", "8"),
                Map.entry("maxReplicaMemoryGb", "120"),
                Map.entry("minTotalMemoryGb", "24"),
                Map.entry("maxTotalMemoryGb", "360"),
                Map.entry("numReplicas", "3"),
                Map.entry("idleScaling", "true"),
                Map.entry("idleTimeoutMinutes", "15"),
                Map.entry("ipAccessList", "[]"),
                Map.entry("privateEndpointIds", "[]"),
                Map.entry("availablePrivateEndpointIds", "[]"),
                Map.entry("tags", "[]"),
                Map.entry("isPrimary", "true"),
                Map.entry("isReadonly", "false"),
                Map.entry("releaseChannel", "'default'"),
                Map.entry("autoscalingMode", "'vertical'"),
                Map.entry("hasTransparentDataEncryption", "false"),
                Map.entry("enableCoreDumps", "false"));
        defaults.forEach((field, value) -> ApiJson.assertSame(service.path(field), value));
        for (String absent : List.of(
                "tier",
                "encryptionKey",
                "encryptionAssumedRoleIdentifier",
                "encryptionRoleId",
                "transparentDataEncryptionKeyId",
                "byocId",
                "profile",
                "complianceType",
                "minReplicas",
                "maxReplicas",
                "password")) {
            assertThat(service.has(absent)).as(absent).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"aws, us-east-1", "gcp, us-central1", "azure, eastus2"})
    void eachProviderHasItsDefaultRegion(String provider, String region) {
        JsonNode service = house.tenant().made("{'provider': '" + provider + "'}");
        assertThat(service.path("region").asString()).isEqualTo(region);
    }

    @ParameterizedTest
    @ValueSource(strings = {"aws", "gcp", "azure"})
    void aRegionImpliesItsProviderAndGoesWithNoOther(String provider) {
        Tenant tenant = house.tenant();
        REGIONS.forEach((owner, regions) -> regions.forEach(region -> {
            String both = "{'provider': '" + provider + "', 'region': '" + region + "'}";
            if (owner.equals(provider)) {
                JsonNode service = tenant.made("{'region': '" + region + "'}");
                assertThat(service.path("provider").asString()).isEqualTo(provider);
                tenant.made(both);
            } else {
                refused(tenant, both, "region");
            }
        }));
    }

    @Test
    void aTierIsReturnedOnlyIfItWasSent() {
        Tenant tenant = house.tenant();
        assertThat(tenant.made("{'tier': 'production'}").path("tier").asString())
                .isEqualTo("production");
        assertThat(tenant.made("{'tier': null}").has("tier")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"min, 16, 48", "max, 356, 1068", "max, 124, 372", "min, 8, 24"})
    void totalsAreThreeTimesTheReplicaFiguresWhicheverIsGiven(String end, int replica, int total) {
        Tenant tenant = house.tenant();
        String ofReplica = "'" + end + "ReplicaMemoryGb': " + replica;
        String ofTotal = "'" + end + "TotalMemoryGb': " + total;
        for (String given : List.of(ofReplica, ofTotal, ofReplica + ", " + ofTotal)) {
            JsonNode service = tenant.made("{" + given + "}");
            assertThat(service.path(end + "ReplicaMemoryGb").asInt()).isEqualTo(replica);
            assertThat(service.path(end + "TotalMemoryGb").asInt()).isEqualTo(total);
        }
        String other = "'" + end + "TotalMemoryGb': " + (total == 24 ? 36 : total - 12);
        refused(tenant, "{" + ofReplica + ", " + other + "}", end + "TotalMemoryGb");
    }

    @Test
    void aMinimumMayEqualTheMaximumAndNotExceedIt() {
        Tenant tenant = house.tenant();
        tenant.made("{'minReplicaMemoryGb': 64, 'maxReplicaMemoryGb': 64}");
        tenant.made("{'minTotalMemoryGb': 192, 'maxReplicaMemoryGb': 64}");
        refused(tenant, "{'minReplicaMemoryGb': 68, 'maxReplicaMemoryGb': 64}", "minReplicaMemoryGb");
        refused(tenant, "{'minTotalMemoryGb': 204, 'maxTotalMemoryGb': 192}", "minTotalMemoryGb");
        refused(tenant, "{'minTotalMemoryGb': 204, 'maxReplicaMemoryGb': 64}", "minTotalMemoryGb");
    }

    @ParameterizedTest
    @CsvSource({
        "minReplicaMemoryGb, 120, 124",
        "maxReplicaMemoryGb, 120, 124",
        "minTotalMemoryGb, 360, 372",
        "maxTotalMemoryGb, 360, 372"
    })
    void anOrganizationThatIsNotPaidHasALowerCeiling(String field, int highest, int tooHigh) {
        Tenant unpaid = house.tenant("SCALE", false);
        String wanted = "{'" + field + "': %d}";
        assertThat(unpaid.made(wanted.formatted(highest)).path(field).asInt()).isEqualTo(highest);
        refused(unpaid, wanted.formatted(tooHigh), field);
        house.tenant("SCALE", true).made(wanted.formatted(tooHigh));
    }

    @Test
    void theBasicTierHasOneReplica() {
        Tenant basic = house.tenant("BASIC", true);
        assertThat(basic.made("{}").path("numReplicas").asInt()).isEqualTo(1);
        JsonNode first = basic.made("{'numReplicas': 1}");
        refused(basic, "{'numReplicas': 2}", "numReplicas");
        refused(basic, "{'numReplicas': 20}", "numReplicas");
        String warehouse =
                "'dataWarehouseId': '" + first.path("dataWarehouseId").asString() + "'";
        assertThat(basic.made("{" + warehouse + "}").path("numReplicas").asInt())
                .isEqualTo(1);
        refused(basic, "{" + warehouse + ", 'numReplicas': 2}", "numReplicas");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCALE", "ENTERPRISE"})
    void theFirstServiceOfAWarehouseHasTwoReplicasAndTheOthersMayHaveOne(String tier) {
        Tenant tenant = house.tenant(tier, true);
        JsonNode first = tenant.made("{}");
        assertThat(first.path("numReplicas").asInt()).isEqualTo(3);
        refused(tenant, "{'numReplicas': 1}", "numReplicas");
        String warehouse =
                "'dataWarehouseId': '" + first.path("dataWarehouseId").asString() + "'";
        JsonNode second = tenant.made("{" + warehouse + ", 'numReplicas': 1}");
        assertThat(second.path("numReplicas").asInt()).isEqualTo(1);
        assertThat(second.path("isPrimary").asBoolean()).isFalse();
        assertThat(second.path("dataWarehouseId")).isEqualTo(first.path("dataWarehouseId"));
        tenant.made("{" + warehouse + ", 'numReplicas': 20}");
        refused(tenant, "{" + warehouse + ", 'numReplicas': 0}", "numReplicas");
        refused(tenant, "{" + warehouse + ", 'numReplicas': 21}", "numReplicas");
    }

    @Test
    void aWarehouseIsOneOfTheSameOrganizationProviderAndRegion() {
        Tenant tenant = house.tenant();
        String warehouse = "'dataWarehouseId': '"
                + tenant.made("{'region': 'eu-west-1'}").path("dataWarehouseId").asString() + "'";
        tenant.made("{" + warehouse + ", 'region': 'eu-west-1'}");
        tenant.made("{" + warehouse + ", 'region': 'eu-west-1', 'provider': 'aws'}");
        refused(tenant, "{" + warehouse + ", 'region': 'eu-west-2'}", "dataWarehouseId");
        refused(tenant, "{" + warehouse + ", 'provider': 'gcp'}", "dataWarehouseId");
        Map<String, String> foreign = house.tenant()
                .create("{" + warehouse + ", 'region': 'eu-west-1'}")
                .faultsAt("dataWarehouseId");
        Map<String, String> unknown = tenant.create("{'dataWarehouseId': '00000000-0000-4000-8000-000000000000'}")
                .faultsAt("dataWarehouseId");
        assertThat(foreign).as("the answer for a stranger's warehouse").isEqualTo(unknown);
    }

    @Test
    void aWarehouseAloneSaysWhereItsServicesAre() {
        Tenant tenant = house.tenant();
        JsonNode first = tenant.made("{'region': 'europe-west4', 'tier': 'production'}");
        String id = first.path("dataWarehouseId").asString();
        for (String body : List.of(
                "{'dataWarehouseId': '" + id + "'}",
                "{'dataWarehouseId': '" + id.toUpperCase(Locale.ROOT) + "'}",
                "{'dataWarehouseId': '" + id + "', 'provider': 'gcp'}",
                "{'dataWarehouseId': '" + id + "', 'region': 'europe-west4'}")) {
            JsonNode second = tenant.made(body);
            assertThat(second.path("provider").asString()).isEqualTo("gcp");
            assertThat(second.path("region").asString()).isEqualTo("europe-west4");
            assertThat(second.path("dataWarehouseId").asString()).isEqualTo(id);
            assertThat(second.has("tier")).isFalse();
        }
    }

    @Test
    void aSourceThatIsGivenTwiceKeepsItsLastDescription() {
        JsonNode service = house.tenant()
                .made("{'ipAccessList': [{'source': '192.0.2.1', 'description': 'a'}, {'source': '::1'},"
                        + " {'source': '192.0.2.1/32', 'description': 'b'}]}");
        ApiJson.assertSame(
                service.path("ipAccessList"), "[{'source': '192.0.2.1', 'description': 'b'}, {'source': '::1'}]");
    }

    @Test
    void onlyAServiceInAnExistingWarehouseIsReadonly() {
        Tenant tenant = house.tenant();
        JsonNode first = tenant.made("{'isReadonly': false}");
        refused(tenant, "{'isReadonly': true}", "isReadonly");
        refused(tenant, "{'isReadonly': true, 'dataWarehouseId': null}", "isReadonly");
        JsonNode reader = tenant.made("{'isReadonly': true, 'dataWarehouseId': '"
                + first.path("dataWarehouseId").asString() + "'}");
        assertThat(reader.path("isReadonly").asBoolean()).isTrue();
    }

    @Test
    void aBroughtCloudHasFourSizesAndBothMustBeGiven() {
        Tenant tenant = house.tenant("{'name': 'Own', 'byocConfig': [{'id': 'byoc-1', 'accountName': 'acme'}]}");
        String own = "{'byocId': 'byoc-1', 'minReplicaMemoryGb': %d, 'maxReplicaMemoryGb': %d}";
        for (int size : List.of(48, 116, 172, 232)) {
            JsonNode service = tenant.made(own.formatted(size, 232));
            assertThat(service.path("byocId").asString()).isEqualTo("byoc-1");
            tenant.made(own.formatted(48, size));
        }
        for (int size : List.of(44, 52, 120, 228, 236)) {
            refused(tenant, own.formatted(size, 232).replace("232", "236"), "minReplicaMemoryGb", "maxReplicaMemoryGb");
        }
        refused(tenant, own.formatted(116, 48), "minReplicaMemoryGb");
        refused(tenant, "{'byocId': 'byoc-1'}", "minReplicaMemoryGb", "maxReplicaMemoryGb");
        refused(tenant, "{'byocId': 'byoc-1', 'minReplicaMemoryGb': 48}", "maxReplicaMemoryGb");
        refused(tenant, "{'byocId': 'byoc-1', 'maxReplicaMemoryGb': 48}", "minReplicaMemoryGb");
        refused(tenant, own.formatted(48, 232).replace("byoc-1", "byoc-2"), "byocId");
        refused(house.tenant(), own.formatted(48, 232), "byocId");
    }

    @ParameterizedTest
    @CsvSource({
        "minTotalMemoryGb, 24",
        "maxTotalMemoryGb, 48",
        "minReplicaMemoryGb, 8",
        "maxReplicaMemoryGb, 16",
        "numReplicas, 3",
        "releaseChannel, 'default'"
    })
    void aDevelopmentServiceIsFixedInSizeAndChannel(String field, String value) {
        Tenant tenant = house.tenant();
        String quoted = field.equals("releaseChannel") ? "'" + value + "'" : value;
        refused(tenant, "{'tier': 'development', '" + field + "': " + quoted + "}", field);
        tenant.made("{'tier': 'development', '" + field + "': null, 'idleTimeoutMinutes': 30}");
        tenant.made("{'tier': 'production', '" + field + "': " + quoted + "}");
    }

    @Test
    void azureHasNoDevelopmentServices() {
        Tenant tenant = house.tenant();
        refused(tenant, "{'tier': 'development', 'provider': 'azure'}", "tier");
        refused(tenant, "{'tier': 'development', 'region': 'westus3'}", "tier");
        tenant.made("{'tier': 'production', 'provider': 'azure'}");
        tenant.made("{'tier': 'development', 'provider': 'gcp'}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BASIC", "SCALE"})
    void encryptionAndProfilesAreForTheEnterpriseTier(String tier) {
        Tenant tenant = house.tenant(tier, true);
        refused(tenant, "{'hasTransparentDataEncryption': true}", "hasTransparentDataEncryption");
        tenant.made("{'hasTransparentDataEncryption': false}");
        refused(tenant, "{'profile': 'v1-default'}", "profile");
        JsonNode encrypted = house.tenant().made("{'hasTransparentDataEncryption': true, 'profile': 'v1-default'}");
        assertThat(encrypted.path("encryptionRoleId").asString()).isNotEmpty();
    }

    @Test
    void idleMinutesAreKeptThoughNothingIdles() {
        JsonNode service = house.tenant().made("{'idleScaling': false, 'idleTimeoutMinutes': 45}");
        ApiJson.assertSame(service.path("idleScaling"), "false");
        ApiJson.assertSame(service.path("idleTimeoutMinutes"), "45");
    }

    @Test
    void mysqlIsListedWhenItIsOnAndTheOthersAlways() {
        Tenant tenant = house.tenant();
        assertThat(protocols(tenant.made("{}"))).containsExactly("https", "nativesecure");
        assertThat(protocols(tenant.made("{'endpoints': [{'protocol': 'mysql', 'enabled': false}]}")))
                .containsExactly("https", "nativesecure");
        assertThat(protocols(tenant.made("{'endpoints': [{'protocol': 'mysql', 'enabled': true}]}")))
                .containsExactly("https", "nativesecure", "mysql");
    }

    static List<String> protocols(JsonNode service) {
        return service.path("endpoints")
                .valueStream()
                .map(endpoint -> endpoint.path("protocol").asString())
                .toList();
    }

    @Test
    void privateEndpointsAtCreationAssociateNothingAndTheAnswerSaysSo() {
        Tenant tenant = house.tenant();
        ApiAnswer answer = tenant.create("{'privateEndpointIds': ['vpce-1']}");
        JsonNode service = answer.ok().path("service");
        assertThat(answer.need("warning")).startsWith("299 ").contains("privateEndpointIds");
        assertThat(service.path("privateEndpointIds")).isEmpty();
        assertThat(tenant.organization().path("privateEndpoints")).isEmpty();
        assertThat(tenant.create("{'privateEndpointIds': []}").header("warning"))
                .isNull();
        assertThat(tenant.create("{}").header("warning")).isNull();
    }

    @Test
    void replicasScaleInABandWhenTheModeSaysSo() {
        Tenant tenant = house.tenant();
        String size = "'minReplicaMemoryGb': 16, 'maxReplicaMemoryGb': 16";
        JsonNode service =
                tenant.made("{'autoscalingMode': 'horizontal', 'minReplicas': 2, 'maxReplicas': 5, " + size + "}");
        ApiJson.assertSame(service.path("minReplicas"), "2");
        ApiJson.assertSame(
                service.path("replicaMemoryGb"),
                service.path("minReplicaMemoryGb").toString());
        ApiJson.assertSame(service.path("maxReplicas"), "5");
        refused(tenant, "{'autoscalingMode': 'horizontal', " + size + "}", "minReplicas");
        refused(tenant, "{'minReplicas': 2, " + size + "}", "maxReplicas");
        refused(tenant, "{'minReplicas': 5, 'maxReplicas': 2, " + size + "}", "minReplicas");
        refused(tenant, "{'minReplicas': 2, 'maxReplicas': 21, " + size + "}", "maxReplicas");
        refused(tenant, "{'minReplicas': 2, 'maxReplicas': 4, 'numReplicas': 2, " + size + "}", "numReplicas");
        refused(tenant, "{'minReplicas': 2, 'maxReplicas': 4}", "minReplicaMemoryGb");
    }

    @Test
    void unknownFieldsAndThoseOnlyTheServerSetsAreIgnored() {
        JsonNode service = house.tenant().made("""
                {'id': '00000000-0000-4000-8000-000000000000', 'state': 'running', 'isPrimary': false,
                 'iamRole': 7, 'createdAt': [], 'nested': {'deep': [{'er': null}]}, '': 1, 'Name': 5}""");
        assertThat(service.path("id").asString()).isNotEqualTo("00000000-0000-4000-8000-000000000000");
        ApiJson.assertSame(service.path("isPrimary"), "true");
        ApiJson.assertSame(service.path("state"), "'provisioning'");
    }

    @Test
    void anItemThatIsNotAnObjectMovesNoOtherFault() {
        refused(
                house.tenant(),
                "{'ipAccessList': [5, {'source': 'bad'}], 'tags': ['x', null, {'key': ''}]}",
                "ipAccessList[0]",
                "ipAccessList[1].source",
                "tags[0]",
                "tags[1]",
                "tags[2].key");
        refused(
                house.tenant(),
                "{'privateEndpointIds': [7, 'fine', '']}",
                "privateEndpointIds[0]",
                "privateEndpointIds[2]");
    }
}
