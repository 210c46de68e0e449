package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.FakePlane.Deed;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** The schedule by which a service is scaled: kept, shown, and applied at its hours by the engine. */
class ScalingScheduleTest {
    @RegisterExtension
    static final House house = House.onFakePlane();

    private final Tenant tenant = house.tenant();
    private final Map<String, Service> started = new ConcurrentHashMap<>();

    @BeforeEach
    void watch() {
        house.plane.trap((deed, service, done) -> {
            if (deed == Deed.START && done) {
                started.put(service.id().toString(), service);
            }
        });
    }

    @AfterEach
    void unwatch() {
        house.plane.trap((deed, service, done) -> {});
    }

    private String schedule(JsonNode service) {
        return tenant.service(service) + "/scalingSchedule";
    }

    /** The scaling that the plane was last asked for. */
    private Scaling inForce(JsonNode service) {
        house.settle();
        return Objects.requireNonNull(started.get(service.path("id").asString()))
                .scalingNow();
    }

    private void letHoursPass(int hours) {
        Instant next = house.time.now().truncatedTo(ChronoUnit.HOURS).plus(hours, ChronoUnit.HOURS);
        house.letPass(Duration.between(house.time.now(), next));
    }

    /** An entry for every day that begins this number of full hours from now and lasts two. */
    private String entryIn(int hours, String more) {
        int start = (house.time
                                .now()
                                .truncatedTo(ChronoUnit.HOURS)
                                .atOffset(ZoneOffset.UTC)
                                .getHour()
                        + hours)
                % 24;
        int end = (start + 2) % 24;
        return "{'entries': [{'name': 'Rush', 'weekdays': [0, 1, 2, 3, 4, 5, 6], 'startHourUtc': " + start
                + ", 'endHourUtc': " + (end == 0 ? 24 : end) + ", " + more + "}]}";
    }

    private List<String> bySystem(JsonNode service) {
        List<String> types = new ArrayList<>();
        for (JsonNode line : tenant.admin().get(tenant.path() + "/activities").ok()) {
            if (line.path("serviceId").asString("").equals(service.path("id").asString())
                    && line.path("actorType").asString().equals("system")) {
                types.add(line.path("type").asString());
            }
        }
        return types;
    }

    @Test
    void aScheduleIsAppliedAtItsHoursAndTheServiceItselfIsShownAsItWas() {
        JsonNode service = tenant.running();
        Scaling base = inForce(service);
        tenant.admin()
                .post(
                        schedule(service),
                        entryIn(1, "'minReplicaMemoryGb': 64, 'maxReplicaMemoryGb': 96, 'numReplicas': 5"))
                .ok();
        assertThat(inForce(service)).isEqualTo(base);
        letHoursPass(1);
        Scaling rush = inForce(service);
        assertThat(rush).isEqualTo(new Scaling(64, 96, 5, null, false, base.idleTimeoutMinutes()));
        assertThat(tenant.get(service).path("maxReplicaMemoryGb").asInt()).isEqualTo(base.maxReplicaMemoryGb());
        JsonNode effective = tenant.get(service).path("currentScaling");
        assertThat(effective.path("effectiveMaxReplicaMemoryGb").asInt()).isEqualTo(96);
        assertThat(effective.path("effectiveMaxReplicas").asInt()).isEqualTo(5);
        assertThat(tenant.get(service).path("state").asString()).isEqualTo("running");
        JsonNode shown = tenant.admin().get(schedule(service)).ok();
        assertThat(shown.at("/entries/0/isActiveNow").asBoolean()).isTrue();
        assertThat(shown.path("activeEntryId")).isEqualTo(shown.at("/entries/0/id"));
        letHoursPass(2);
        assertThat(inForce(service)).isEqualTo(base);
        assertThat(tenant.admin().get(schedule(service)).ok().has("activeEntryId"))
                .isFalse();
        assertThat(bySystem(service))
                .contains("service_update_autoscaling_memory", "service_update_autoscaling_replicas");
    }

    @Test
    void theServiceShowsItsScheduleAndAnotherTagWhenAnotherEntryHolds() {
        JsonNode service = tenant.running();
        assertThat(tenant.get(service).has("scalingSchedule")).isFalse();
        JsonNode set = tenant.admin()
                .post(schedule(service), entryIn(1, "'minReplicaMemoryGb': 64, 'maxReplicaMemoryGb': 96"))
                .ok();
        assertThat(tenant.get(service).path("scalingSchedule")).isEqualTo(set);
        assertThat(tenant.admin().get(tenant.services()).ok().findValue("scalingSchedule"))
                .isEqualTo(set);
        String before = tenant.admin().get(tenant.service(service)).need("etag");
        letHoursPass(1);
        house.settle();
        JsonNode holding = tenant.get(service);
        assertThat(holding.at("/scalingSchedule/entries/0/isActiveNow").asBoolean())
                .isTrue();
        assertThat(holding.at("/currentScaling/activeEntryId"))
                .isEqualTo(holding.at("/scalingSchedule/activeEntryId"))
                .isEqualTo(set.at("/entries/0/id"));
        String held = tenant.admin().get(tenant.service(service)).need("etag");
        assertThat(held).isNotEqualTo(before);
        letHoursPass(2);
        house.settle();
        assertThat(tenant.admin().get(tenant.service(service)).need("etag")).isEqualTo(before);
        tenant.admin()
                .patch(tenant.service(service) + "/replicaScaling", "{'maxReplicaMemoryGb': 48}")
                .ok();
        assertThat(tenant.get(service)
                        .at("/scalingSchedule/baseConfig/maxReplicaMemoryGb")
                        .asInt())
                .isEqualTo(48);
        tenant.admin().delete(schedule(service)).ok();
        assertThat(tenant.get(service).has("scalingSchedule")).isFalse();
    }

    @Test
    void theScalingOfTheServiceItselfComesBackWhenTheScheduleIsDeleted() {
        JsonNode service = tenant.running();
        Scaling base = inForce(service);
        tenant.admin()
                .post(schedule(service), entryIn(0, "'minReplicaMemoryGb': 64, 'maxReplicaMemoryGb': 96"))
                .ok();
        assertThat(inForce(service).maxReplicaMemoryGb()).isEqualTo(96);
        tenant.admin().delete(schedule(service)).ok();
        assertThat(inForce(service)).isEqualTo(base);
        assertThat(tenant.admin().get(schedule(service)).status()).isEqualTo(404);
        assertThat(tenant.admin().delete(schedule(service)).status()).isEqualTo(404);
    }

    @Test
    void whatAnEntryDoesNotSayFollowsTheServiceItself() {
        JsonNode service = tenant.running();
        tenant.admin().post(schedule(service), entryIn(0, "'numReplicas': 5")).ok();
        assertThat(inForce(service).numReplicas()).isEqualTo(5);
        tenant.admin()
                .patch(tenant.service(service) + "/replicaScaling", "{'maxReplicaMemoryGb': 200}")
                .ok();
        assertThat(inForce(service).maxReplicaMemoryGb()).isEqualTo(200);
        assertThat(inForce(service).numReplicas()).isEqualTo(5);
    }

    @Test
    void anEntryIsKeptToWhatAnUnpaidOrganizationMayHave() {
        Tenant unpaid = house.tenant("SCALE", false);
        JsonNode service = unpaid.running();
        unpaid.admin()
                .post(
                        unpaid.service(service) + "/scalingSchedule",
                        entryIn(0, "'minReplicaMemoryGb': 64, 'maxReplicaMemoryGb': 356"))
                .ok();
        assertThat(inForce(service).minReplicaMemoryGb()).isEqualTo(64);
        assertThat(inForce(service).maxReplicaMemoryGb()).isEqualTo(120);
    }

    @Test
    void anEmptyScheduleIsNone() {
        JsonNode service = tenant.running();
        tenant.admin().post(schedule(service), entryIn(3, "'numReplicas': 5")).ok();
        JsonNode cleared =
                tenant.admin().post(schedule(service), "{'entries': []}").ok();
        assertThat(cleared.path("entries")).isEmpty();
        assertThat(cleared.path("baseConfig")).isEmpty();
        assertThat(tenant.admin().get(schedule(service)).status()).isEqualTo(404);
    }

    @Test
    void everyWrongEntryIsNamed() {
        JsonNode service = tenant.made("{}");
        List<String> paths = StreamSupport.stream(
                        tenant.admin()
                                .post(
                                        schedule(service),
                                        "{'entries': [{'name': 'One', 'weekdays': [7], 'startHourUtc': 8, 'endHourUtc': 8},"
                                                + " {'name': 'Two', 'weekdays': [1], 'startHourUtc': 8, 'endHourUtc': 9,"
                                                + " 'minReplicas': 2, 'maxReplicas': 4}]}")
                                .json()
                                .path("details")
                                .spliterator(),
                        false)
                .map(detail -> detail.path("path").asString())
                .toList();
        assertThat(paths)
                .containsExactlyInAnyOrder(
                        "entries[0].weekdays[0]", "entries[0].endHourUtc", "entries[1].autoscalingMode");
    }

    @Test
    void aServiceOfFixedSizeHasNoSchedule() {
        JsonNode service = tenant.made("{'tier': 'development'}");
        assertThat(tenant.admin()
                        .post(schedule(service), entryIn(0, "'numReplicas': 5"))
                        .status())
                .isEqualTo(400);
    }
}
