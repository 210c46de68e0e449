package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pilothouse.testkit.api.ApiJson;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** What services cost, from the time in which they really ran and the size that they had in it. */
class UsageCostTest {
    /** Three replicas of 8 GB, a credit being what is asked for by default. */
    private static final double FOR_AN_HOUR = 24 * 0.03725;

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    UsageCostTest() {
        // Each test has days of its own.
        Instant midnight = today().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        house.advance(Duration.between(house.time.now(), midnight));
    }

    private static LocalDate today() {
        return LocalDate.ofInstant(house.time.now(), ZoneOffset.UTC);
    }

    private JsonNode costs(LocalDate from, LocalDate to, String more) {
        return tenant.admin()
                .get(tenant.path() + "/usageCost?from_date=" + from + "&to_date=" + to + more)
                .ok();
    }

    private List<Double> credits(LocalDate from, LocalDate to) {
        return costs(from, to, "")
                .path("costs")
                .valueStream()
                .map(cost -> cost.path("totalCHC").asDouble())
                .toList();
    }

    private static void pass(Duration time) {
        house.letPass(time);
        house.settle();
    }

    @Test
    void aServiceCostsForTheTimeInWhichItRan() {
        LocalDate day = today();
        JsonNode service = tenant.made("{'name': 'Costly', 'idleScaling': false}");
        house.settle();
        pass(Duration.ofHours(2));
        tenant.command(service, "stop").ok();
        house.settle();
        pass(Duration.ofHours(5));
        JsonNode report = costs(day, day, "");
        JsonNode cost = report.path("costs").get(0);
        assertThat(report.path("costs")).hasSize(1);
        assertThat(cost.path("totalCHC").asDouble()).isCloseTo(2 * FOR_AN_HOUR, within(0.1 * FOR_AN_HOUR));
        assertThat(report.path("grandTotalCHC").asDouble())
                .isEqualTo(cost.path("totalCHC").asDouble());
        assertThat(cost.path("metrics").path("computeCHC").asDouble())
                .isEqualTo(cost.path("totalCHC").asDouble());
        ApiJson.assertSame(cost.path("entityType"), "'service'");
        ApiJson.assertSame(cost.path("entityName"), "'Costly'");
        ApiJson.assertSame(cost.path("date"), "'" + day + "'");
        assertThat(cost.path("serviceId")).isEqualTo(service.path("id"));
        assertThat(cost.path("entityId")).isEqualTo(service.path("id"));
        assertThat(cost.path("dataWarehouseId")).isEqualTo(service.path("dataWarehouseId"));
        assertThat(cost.path("locked").asBoolean()).isFalse();
        pass(Duration.ofHours(24));
        assertThat(costs(day, day, "").path("costs").get(0).path("locked").asBoolean())
                .isTrue();
        assertThat(credits(day.plusDays(1), day.plusDays(1))).isEmpty();
    }

    @Test
    void aServiceThatRunsOnCostsOnEveryDay() {
        LocalDate day = today();
        tenant.made("{'idleScaling': false}");
        house.settle();
        pass(Duration.ofHours(60));
        List<Double> credits = credits(day, day.plusDays(5));
        assertThat(credits).hasSize(3);
        assertThat(credits.get(1)).isCloseTo(24 * FOR_AN_HOUR, within(1e-6));
        assertThat(credits.get(2)).isCloseTo(12 * FOR_AN_HOUR, within(0.1 * FOR_AN_HOUR));
        assertThat(credits(day.plusDays(1), day.plusDays(1))).hasSize(1);
    }

    @Test
    void anotherSizeCostsFromWhenItHolds() {
        LocalDate day = today();
        JsonNode service = tenant.made("{'idleScaling': false}");
        house.settle();
        pass(Duration.ofHours(1));
        tenant.admin()
                .patch(tenant.service(service) + "/replicaScaling", "{'minReplicaMemoryGb': 16, 'numReplicas': 6}")
                .ok();
        pass(Duration.ofHours(1));
        assertThat(credits(day, day))
                .singleElement()
                .satisfies(cost -> assertThat(cost).isCloseTo(5 * FOR_AN_HOUR, within(0.1 * FOR_AN_HOUR)));
    }

    @Test
    void whatIsGoneHasCostAllTheSame() {
        LocalDate day = today();
        JsonNode service = tenant.made("{'name': 'Short', 'tags': [{'key': 'team', 'value': 'a'}]}");
        tenant.made("{'name': 'Untagged'}");
        house.settle();
        tenant.update(service, "{'name': 'Renamed'}").ok();
        pass(Duration.ofMinutes(1));
        tenant.command(service, "stop").ok();
        house.settle();
        tenant.delete(service).ok();
        house.settle();
        tenant.admin().get(tenant.service(service)).refused(404, "NOT_FOUND");
        JsonNode tagged = costs(day, day, "&filter=tag:team=a").path("costs");
        assertThat(tagged).hasSize(1);
        ApiJson.assertSame(tagged.get(0).path("entityName"), "'Renamed'");
        assertThat(costs(day, day, "&filter=tag:team=b").path("costs")).isEmpty();
        assertThat(costs(day, day, "").path("costs")).hasSize(2);
    }

    @Test
    void manyServicesAreReportedWhole() {
        LocalDate day = today();
        for (int i = 0; i < 210; i++) {
            tenant.admin().inACrowd().post(tenant.services(), "{}").ok();
        }
        house.settle();
        pass(Duration.ofMinutes(5));
        JsonNode report = costs(day, day, "");
        assertThat(report.path("costs")).hasSize(210);
        assertThat(report.path("grandTotalCHC").asDouble())
                .isCloseTo(
                        report.path("costs")
                                .valueStream()
                                .mapToDouble(cost -> cost.path("totalCHC").asDouble())
                                .sum(),
                        within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "from_date=2026-01-01, to_date",
        "to_date=2026-01-01, from_date",
        "from_date=2026-01-01&to_date=2026-02-01, to_date",
        "from_date=2026-01-02&to_date=2026-01-01, to_date",
        "from_date=2026-01-01T00:00:00Z&to_date=2026-01-02, from_date",
        "from_date=2026-02-30&to_date=2026-03-01, from_date",
        "from_date=2026-01-01&to_date=2026-01-02&filter=team, filter"
    })
    void aPeriodIsAtMostThirtyOneDays(String query, String fault) {
        tenant.admin().get(tenant.path() + "/usageCost?" + query).faultsAt(fault);
        costs(LocalDate.parse("2026-01-01"), LocalDate.parse("2026-01-31"), "");
    }
}
