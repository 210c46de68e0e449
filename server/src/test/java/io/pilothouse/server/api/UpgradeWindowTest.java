package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The upgrade window of a warehouse: set on its primary service, read on all of them, deleted with it. */
class UpgradeWindowTest {
    private static final String NOON_ON_WEDNESDAYS = "{'weekday': 3, 'startHourUtc': 12}";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.made("{}");

    private String window(JsonNode of) {
        return tenant.service(of) + "/upgradeWindow";
    }

    @Test
    void aWindowIsThereFromWhenItIsSetUntilItIsDeleted() {
        assertThat(tenant.admin().get(window(service)).status()).isEqualTo(404);
        JsonNode set = tenant.admin().put(window(service), NOON_ON_WEDNESDAYS).ok();
        assertThat(set.path("weekday").asInt()).isEqualTo(3);
        assertThat(set.path("startHourUtc").asInt()).isEqualTo(12);
        assertThat(set.path("duration").asInt()).isEqualTo(6);
        assertThat(tenant.admin().get(window(service)).ok()).isEqualTo(set);
        JsonNode moved = tenant.admin()
                .put(window(service), "{'weekday': 0, 'startHourUtc': 0}")
                .ok();
        assertThat(moved.path("weekday").asInt()).isZero();
        tenant.admin().delete(window(service)).ok();
        assertThat(tenant.admin().get(window(service)).status()).isEqualTo(404);
        assertThat(tenant.admin().delete(window(service)).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'weekday': 7, 'startHourUtc': 12} | weekday",
                "{'weekday': 1.5, 'startHourUtc': 12} | weekday",
                "{'weekday': 1, 'startHourUtc': 5} | startHourUtc",
                "{'weekday': 1, 'startHourUtc': 24} | startHourUtc",
                "{'weekday': 'monday', 'startHourUtc': 0} | weekday",
                "{'startHourUtc': 0} | weekday",
                "{'weekday': null, 'startHourUtc': 0} | weekday"
            })
    void aWindowThatIsNoneIsRefused(String body, String path) {
        ApiAnswer answer = tenant.admin().put(window(service), body.replace('\'', '"'));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/details/0/path").asString()).isEqualTo(path);
    }

    @Test
    void aWarehouseSharesTheWindowOfItsPrimaryService() {
        JsonNode secondary = tenant.made("{'dataWarehouseId': '%s', 'isReadonly': true}"
                .formatted(service.path("dataWarehouseId").asString()));
        assertThat(tenant.admin().put(window(secondary), NOON_ON_WEDNESDAYS).status())
                .isEqualTo(400);
        JsonNode set = tenant.admin().put(window(service), NOON_ON_WEDNESDAYS).ok();
        assertThat(tenant.admin().get(window(secondary)).ok()).isEqualTo(set);
    }

    @Test
    void aWindowIsChangedOnlyByACallerWhoKnowsIt() {
        ApiAnswer set = tenant.admin().put(window(service), NOON_ON_WEDNESDAYS);
        String tag = set.need("etag");
        tenant.admin()
                .put(window(service), "{'weekday': 4, 'startHourUtc': 12}")
                .ok();
        assertThat(tenant.admin()
                        .with("If-Match", tag)
                        .put(window(service), NOON_ON_WEDNESDAYS)
                        .status())
                .isEqualTo(412);
        assertThat(tenant.admin().with("If-Match", tag).delete(window(service)).status())
                .isEqualTo(412);
    }
}
