package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.testkit.api.ApiJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cloud edition takes some things beyond the contract, and everything else stays. */
class CloudEditionTest {
    @RegisterExtension
    static final House house = House.start(Edition.CLOUD);

    private final Tenant tenant = house.tenant();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name': '[e2e]-basic-1.13.0-aws-7'}",
                "{'name': 'under_score & more (ü) 🙂'}",
                "{'numReplicas': 1}",
                "{'provider': 'gcp', 'region': 'europe-west2'}",
                "{'region': 'ca-central-1'}"
            })
    void valuesOfLiveConfigurationsAreTaken(String body) {
        ApiJson.read(body)
                .properties()
                .forEach(member -> ApiJson.assertSame(
                        tenant.made(body).path(member.getKey()),
                        member.getValue().toString()));
    }

    @Test
    void theTierOfAnOrganizationLimitsNothing() {
        Tenant basic = house.tenant("BASIC", true);
        basic.made("{'numReplicas': 20, 'profile': 'v1-highmem-xl', 'hasTransparentDataEncryption': true}");
        assertThat(basic.made("{}").path("numReplicas").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name': ''} | name",
                "{'name': 'line\\nbreak'} | name",
                "{'name': 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn'} | name",
                "{'numReplicas': 0} | numReplicas",
                "{'numReplicas': 21} | numReplicas",
                "{'region': 'moon-1'} | region",
                "{'provider': 'gcp', 'region': 'ca-central-1'} | region",
                "{'minReplicaMemoryGb': 9} | minReplicaMemoryGb",
                "{'maxReplicaMemoryGb': 360} | maxReplicaMemoryGb",
                "{'tier': 'development', 'numReplicas': 1} | numReplicas",
                "{'isReadonly': true} | isReadonly",
                "{'endpoints': [{'protocol': 'https', 'enabled': false}]} | endpoints[0].protocol",
                "{'profile': 'v9'} | profile"
            })
    void everythingElseStays(String body, String path) {
        tenant.create(body).faultsAt(path);
    }

    @Test
    void theFreeTierStillHasTheLowerCeiling() {
        house.tenant("SCALE", false).create("{'maxReplicaMemoryGb': 124}").faultsAt("maxReplicaMemoryGb");
    }
}
