package io.pilothouse.core.part;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hours of a week a schedule covers, what it makes of a service then, and what it may not say. */
class ScalingScheduleTest {
    private static final RuleBook RULES = RuleBook.of(Edition.SEED);
    private static final Map<String, Object> WORK =
            Map.of("name", "Work", "weekdays", List.of(1, 2), "startHourUtc", 8, "endHourUtc", 18);
    private static final Map<String, Object> NIGHT =
            Map.of("name", "Night", "weekdays", List.of(6), "startHourUtc", 22, "endHourUtc", 4);
    private final ScalingSchedule kind = new ScalingSchedule();

    private static Map<String, Object> work(Object... more) {
        Map<String, Object> entry = new LinkedHashMap<>(WORK);
        for (int i = 0; i < more.length; i += 2) {
            entry.put((String) more[i], more[i + 1]);
        }
        return entry;
    }

    private Tree.Members fields(Object... entries) {
        return read(Map.of("entries", Arrays.asList(entries)), new Faults());
    }

    private Tree.Members read(Map<String, Object> given, Faults faults) {
        Tree.Members tree = Trees.members(given);
        Tree.Members fields =
                new ShapeCheck(faults).create("", kind.fields(RULES), tree).open();
        kind.check(tree, fields, RULES, faults);
        return fields;
    }

    private List<String> faultsOf(Map<String, Object> given) {
        Faults faults = new Faults();
        read(given, faults);
        return faults.list().stream().map(Fault::path).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-23T08:00:00Z, 0",
        "2026-11-23T17:59:59Z, 0",
        "2026-11-23T18:00:00Z, -1",
        "2026-11-23T07:59:59Z, -1",
        "2026-11-25T08:00:00Z, -1",
        "2026-11-21T22:00:00Z, 1",
        "2026-11-22T03:59:59Z, 1",
        "2026-11-22T04:00:00Z, -1",
        "2026-11-21T03:00:00Z, -1",
        "2026-11-22T22:00:00Z, -1"
    })
    void entryHoldsInItsHoursAlsoPastMidnight(Instant now, int active) {
        assertThat(ScheduleHours.active(fields(WORK, NIGHT).objects("entries"), now))
                .isEqualTo(active);
    }

    @Test
    void theFirstOfTwoEntriesThatCoverAnHourHolds() {
        Tree.Members both = fields(work("numReplicas", 4), work("numReplicas", 5));
        Scaling scaling = ScalingSchedule.now(both, Given.service().scaling(), Instant.parse("2026-11-23T09:00:00Z"))
                .orElseThrow();
        assertThat(scaling.numReplicas()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-22T10:30:00Z, 2026-11-23T08:00:00Z",
        "2026-11-23T08:00:00Z, 2026-11-23T18:00:00Z",
        "2026-11-24T19:00:00Z, 2026-11-28T22:00:00Z"
    })
    void theEngineComesBackWhenAnotherEntryBeginsToHold(Instant now, Instant next) {
        assertThat(ScheduleHours.nextChange(fields(WORK, NIGHT).objects("entries"), now))
                .isEqualTo(next);
    }

    @Test
    void aScheduleThatAlwaysSaysTheSameIsLookedAtOnceAWeek() {
        Map<String, Object> always =
                work("weekdays", List.of(0, 1, 2, 3, 4, 5, 6), "startHourUtc", 0, "endHourUtc", 24);
        assertThat(ScheduleHours.nextChange(fields(always).objects("entries"), Instant.parse("2026-11-22T10:30:00Z")))
                .isEqualTo("2026-11-29T10:00:00Z");
    }

    @Test
    void anEntryChangesWhatItNamesAndLeavesTheRest() {
        Scaling base = Given.service().scaling();
        Instant monday = Instant.parse("2026-11-23T09:00:00Z");
        assertThat(ScalingSchedule.now(fields(WORK), base, monday))
                .contains(new Scaling(
                        base.minReplicaMemoryGb(),
                        base.maxReplicaMemoryGb(),
                        base.numReplicas(),
                        null,
                        false,
                        base.idleTimeoutMinutes()));
        Tree.Members horizontal = fields(work(
                "autoscalingMode",
                "horizontal",
                "minReplicaMemoryGb",
                16,
                "maxReplicaMemoryGb",
                16,
                "minReplicas",
                2,
                "maxReplicas",
                6,
                "idleScaling",
                true,
                "idleTimeoutMinutes",
                30));
        assertThat(ScalingSchedule.now(horizontal, base, monday))
                .contains(new Scaling(16, 16, 2, new Scaling.Band(2, 6), true, 30));
        assertThat(ScalingSchedule.now(fields(WORK), base, Instant.parse("2026-11-23T19:00:00Z")))
                .isEmpty();
    }

    @Test
    void clientsSeeWhichEntryHoldsAndWhatHoldsOtherwise() {
        Service service = Given.service();
        Tree.Members fields = fields(work("numReplicas", 4), NIGHT);
        Tree.Members shown = kind.shown(fields, service, Instant.parse("2026-11-23T09:00:00Z"));
        List<Tree.Members> entries = shown.objects("entries");
        assertThat(entries).extracting(entry -> entry.flag("isActiveNow")).containsExactly(true, false);
        assertThat(shown.text("activeEntryId")).isEqualTo(entries.getFirst().text("id"));
        assertThat(entries.getFirst().number("minReplicas")).contains(4.0);
        assertThat(entries.getFirst().number("maxReplicas")).contains(4.0);
        assertThat(entries.getFirst().has("numReplicas")).isFalse();
        assertThat(shown.members("baseConfig").orElseThrow().text("autoscalingMode"))
                .contains("vertical");
        Tree.Members idle = kind.shown(fields, service, Instant.parse("2026-11-23T19:00:00Z"));
        assertThat(idle.has("activeEntryId")).isFalse();
        Service horizontal = service.withScaling(new Scaling(8, 8, 2, new Scaling.Band(2, 5), true, 15));
        assertThat(kind.shown(fields, horizontal, Instant.parse("2026-11-23T19:00:00Z"))
                        .members("baseConfig")
                        .orElseThrow()
                        .number("maxReplicas"))
                .contains(5.0);
    }

    @Test
    void theServiceShowsTheScheduleAsItWasTakenLast() {
        Service service = Given.service();
        assertThat(ScalingSchedule.shown(service)).isEmpty();
        assertThat(ScalingSchedule.activeEntryId(service)).isEmpty();
        Tree.Members fields = fields(WORK, NIGHT);
        Instant work = Instant.parse("2026-11-23T09:00:00Z");
        Instant idle = Instant.parse("2026-11-23T19:00:00Z");
        Service working = service.withSchedule(ScalingSchedule.taken(fields, work));
        assertThat(ScalingSchedule.shown(working)).contains(kind.shown(fields, service, work));
        assertThat(ScalingSchedule.activeEntryId(working))
                .isEqualTo(kind.shown(fields, service, work).text("activeEntryId"))
                .isPresent();
        Service idling = service.withSchedule(ScalingSchedule.taken(fields, idle));
        assertThat(ScalingSchedule.shown(idling)).contains(kind.shown(fields, service, idle));
        assertThat(ScalingSchedule.activeEntryId(idling)).isEmpty();
        assertThat(idling.withSchedule(null)).isEqualTo(service);
    }

    @Test
    void theScheduleOfAServiceHoldsBeforeItsOwnScaling() {
        Service service = Given.service();
        Scaling night = new Scaling(8, 8, 1, null, true, 5);
        assertThat(service.scalingNow()).isEqualTo(service.scaling());
        assertThat(service.withScheduled(night).scalingNow()).isEqualTo(night);
        assertThat(service.withScheduled(night).withScheduled(null)).isEqualTo(service);
        assertThat(new Scaling(64, 200, 2, null, true, 5).withReplicasOfAtMost(120))
                .isEqualTo(new Scaling(64, 120, 2, null, true, 5));
    }

    @Test
    void aDevelopmentServiceHasAFixedSize() {
        Service small =
                Given.design(Map.of("tier", "development"), Given.enterprise()).service();
        kind.requireFits(Given.service());
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> kind.requireFits(small));
    }

    @Test
    void noEntriesAreNoSchedule() {
        assertThat(kind.isNothing(fields())).isTrue();
        assertThat(kind.isNothing(fields(WORK))).isFalse();
        assertThat(kind.shown(fields(), Given.service(), Instant.EPOCH).members("baseConfig"))
                .contains(Tree.Members.NONE);
        assertThat(faultsOf(Map.of())).containsExactly("entries");
        Map<String, Object> nothing = new LinkedHashMap<>();
        nothing.put("entries", null);
        assertThat(faultsOf(nothing)).containsExactly("entries");
    }

    @Test
    void everyFaultOfAnEntryIsReportedWithItsPath() {
        assertThat(faultsOf(Map.of("entries", List.of(Map.of()))))
                .contains("entries[0].name", "entries[0].weekdays", "entries[0].startHourUtc", "entries[0].endHourUtc");
        assertThat(faultsOf(entry("weekdays", List.of(1, 7)))).containsExactly("entries[0].weekdays[1]");
        assertThat(faultsOf(entry("weekdays", "monday"))).containsExactly("entries[0].weekdays");
        assertThat(faultsOf(entry("weekdays", List.of("1")))).containsExactly("entries[0].weekdays[0]");
        assertThat(faultsOf(entry("startHourUtc", 24))).containsExactly("entries[0].startHourUtc");
        assertThat(faultsOf(entry("endHourUtc", 8))).containsExactly("entries[0].endHourUtc");
        assertThat(faultsOf(entry("minReplicaMemoryGb", 16))).containsExactly("entries[0].maxReplicaMemoryGb");
        assertThat(faultsOf(entry("maxReplicas", 4)))
                .containsExactly("entries[0].minReplicas", "entries[0].autoscalingMode");
        assertThat(faultsOf(entry("minReplicaMemoryGb", 32, "maxReplicaMemoryGb", 16)))
                .containsExactly("entries[0].minReplicaMemoryGb");
        assertThat(faultsOf(entry("numReplicas", 3, "minReplicas", 3, "maxReplicas", 3)))
                .containsExactly("entries[0].numReplicas");
        assertThat(faultsOf(entry("autoscalingMode", "horizontal")))
                .containsExactly("entries[0].minReplicas", "entries[0].minReplicaMemoryGb");
        assertThat(faultsOf(entry(
                        "autoscalingMode",
                        "horizontal",
                        "minReplicas",
                        2,
                        "maxReplicas",
                        4,
                        "minReplicaMemoryGb",
                        8,
                        "maxReplicaMemoryGb",
                        16)))
                .containsExactly("entries[0].minReplicaMemoryGb");
        assertThat(faultsOf(Map.of("entries", Collections.nCopies(101, WORK)))).containsExactly("entries");
    }

    private static Map<String, Object> entry(Object... more) {
        return Map.of("entries", List.of(work(more)));
    }
}
