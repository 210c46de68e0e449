package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** An organization has no more than its quotas allow, by every way that leads there. */
class QuotaTest {
    private static final int SERVICES = 4;
    private static final int REPLICAS = 8;

    @RegisterExtension
    static final House house = House.withQuotas(SERVICES, REPLICAS);

    private final Tenant tenant = house.tenant();

    private JsonNode quota(String code) {
        return tenant.admin().get(tenant.path() + "/quotas/" + code).ok();
    }

    private static String why(ApiAnswer answer) {
        return answer.refused(409, "CONFLICT").json().path("error").asString();
    }

    private String scaling(JsonNode service) {
        return tenant.service(service) + "/replicaScaling";
    }

    @Test
    void quotasAreShownWithWhatIsUsed() {
        tenant.made("{}");
        JsonNode services = quota("services-per-organization");
        ApiJson.assertSame(services.path("value"), "4");
        ApiJson.assertSame(services.path("usage"), "1");
        ApiJson.assertSame(services.path("scope"), "'organization'");
        JsonNode replicas = quota("replicas-per-warehouse");
        ApiJson.assertSame(replicas.path("value"), "8");
        assertThat(replicas.has("usage")).isFalse();
        assertThat(tenant.admin().get(tenant.path() + "/quotas").ok()).containsExactly(services, replicas);
        for (String other : List.of("postgres-services-per-organization", "services", "%2F")) {
            tenant.admin().get(tenant.path() + "/quotas/" + other).refused(404, "NOT_FOUND");
        }
    }

    @Test
    void aServiceBeyondTheQuotaIsRefusedUntilNothingIsLeftOfAnother() {
        List<JsonNode> services =
                IntStream.range(0, SERVICES).mapToObj(_ -> tenant.made("{}")).toList();
        assertThat(why(tenant.create("{}"))).contains("services-per-organization", "at most 4 services, and has 4");
        house.tenant().made("{}");
        house.settle();
        tenant.command(services.getFirst(), "stop").ok();
        house.settle();
        tenant.delete(services.getFirst()).ok();
        why(tenant.create("{}"));
        house.settle();
        ApiJson.assertSame(quota("services-per-organization").path("usage"), "3");
        tenant.made("{}");
    }

    @Test
    void ofThoseWhoAskAtOnceOneGetsTheLastPlace() throws ExecutionException, InterruptedException {
        IntStream.range(1, SERVICES).forEach(_ -> tenant.made("{}"));
        Tenant crowd = tenant.inACrowd();
        int askers = 8;
        CyclicBarrier together = new CyclicBarrier(askers);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = IntStream.range(0, askers)
                    .mapToObj(_ -> threads.submit(() -> {
                        together.await();
                        return crowd.create("{}").status();
                    }))
                    .toList();
            int made = 0;
            for (Future<Integer> answer : answers) {
                assertThat(answer.get()).isIn(200, 409);
                made += answer.get() == 200 ? 1 : 0;
            }
            assertThat(made).isOne();
        }
        ApiJson.assertSame(quota("services-per-organization").path("usage"), "4");
    }

    @Test
    void theServicesOfAWarehouseShareItsReplicas() {
        assertThat(why(tenant.create("{'numReplicas': 9}"))).contains("replicas-per-warehouse", "up to 9");
        JsonNode first = tenant.made("{'numReplicas': 5}");
        String join = "{'dataWarehouseId': '" + first.path("dataWarehouseId").asString() + "', 'numReplicas': %d}";
        assertThat(why(tenant.create(join.formatted(4)))).contains("at most 8 replicas", "5 are those");
        JsonNode second = tenant.made(join.formatted(3));
        // Another warehouse has its own.
        tenant.made("{'numReplicas': 8}");
        assertThat(why(tenant.admin().patch(scaling(second), "{'numReplicas': 4}")))
                .contains("replicas-per-warehouse");
        tenant.admin().patch(scaling(second), "{'numReplicas': 2}").ok();
        tenant.admin()
                .patch(
                        scaling(first),
                        "{'minReplicas': 2, 'maxReplicas': 6, 'minReplicaMemoryGb': 16,"
                                + " 'maxReplicaMemoryGb': 16, 'autoscalingMode': 'horizontal'}")
                .ok();
        why(tenant.admin().patch(scaling(second), "{'numReplicas': 3}"));
    }

    @Test
    void whatAScheduleMayAskForCountsAtEveryHour() {
        JsonNode first = tenant.made("{'numReplicas': 2}");
        String schedule = tenant.service(first) + "/scalingSchedule";
        String entries = "{'entries': [{'name': 'Night', 'weekdays': [1], 'startHourUtc': 1, 'endHourUtc': 2,"
                + " 'numReplicas': %d}]}";
        assertThat(why(tenant.admin().post(schedule, entries.formatted(9)))).contains("up to 9");
        tenant.admin().post(schedule, entries.formatted(6)).ok();
        String join = "{'dataWarehouseId': '" + first.path("dataWarehouseId").asString() + "', 'numReplicas': %d}";
        assertThat(why(tenant.create(join.formatted(3)))).contains("6 are those");
        JsonNode second = tenant.made(join.formatted(2));
        tenant.admin().patch(scaling(first), "{'numReplicas': 6}").ok();
        why(tenant.admin().patch(scaling(first), "{'numReplicas': 7}"));
        tenant.admin().post(schedule, entries.formatted(3)).ok();
        tenant.admin().patch(scaling(first), "{'numReplicas': 3}").ok();
        tenant.admin().patch(scaling(second), "{'numReplicas': 5}").ok();
    }
}
