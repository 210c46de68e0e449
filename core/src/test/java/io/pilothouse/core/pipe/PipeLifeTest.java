package io.pilothouse.core.pipe;

import static io.pilothouse.core.pipe.GivenPipe.seen;
import static io.pilothouse.core.service.Given.NOON;
import static io.pilothouse.core.service.Given.SEED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import io.pilothouse.core.service.Given;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PipeLifeTest {
    private final Faults faults = new Faults();

    @ParameterizedTest
    @CsvSource({
        "kafka, RUN, UNKNOWN, Unknown",
        "kafka, RUN, ABSENT, Provisioning",
        "kafka, RUN, PROVISIONING, Provisioning",
        "kafka, RUN, RUNNING, Running",
        "kafka, RUN, STOPPING, Provisioning",
        "kafka, RUN, STOPPED, Provisioning",
        "kafka, RUN, DEGRADED, Degraded",
        "kafka, RUN, FAILED, Failed",
        "kafka, RUN, INTERNAL_ERROR, InternalError",
        "objectStorage, RUN, COMPLETED, Completed",
        "postgres, RUN, SETUP, Setup",
        "postgres, RUN, SNAPSHOT, Snapshot",
        "kafka, STOP, RUNNING, Stopping",
        "kafka, STOP, STOPPED, Stopped",
        "kafka, STOP, ABSENT, Stopped",
        "kafka, DELETE, RUNNING, Stopping",
        "objectStorage, STOP, COMPLETED, Completed",
        "postgres, STOP, RUNNING, Pausing",
        "postgres, STOP, STOPPED, Paused",
        "postgres, STOP, ABSENT, Paused"
    })
    void theStateFollowsFromWhatIsWantedAndSeen(String kind, Pipe.Wish wish, PipePhase phase, String word) {
        Pipe pipe = seen(GivenPipe.pipe(kind).withWant(wish, 0, NOON), phase);
        assertThat(pipe.state().word()).isEqualTo(word);
    }

    @Test
    void aChangeAndAResyncShowUntilTheyAreTakenUp() {
        Pipe running = seen(GivenPipe.pipe("postgres"), PipePhase.RUNNING);
        Pipe older = running.withSeen(new PipeSeen(PipePhase.RUNNING, 0, 0, null, NOON));
        assertThat(older.state()).isEqualTo(PipeState.MODIFYING);
        Pipe resyncing = running.withWant(Pipe.Wish.RUN, 1, NOON);
        assertThat(resyncing.state()).isEqualTo(PipeState.RESYNC);
        assertThat(resyncing
                        .withSeen(new PipeSeen(PipePhase.COMPLETED, 1, 0, null, NOON))
                        .state())
                .isEqualTo(PipeState.RESYNC);
        assertThat(resyncing
                        .withSeen(new PipeSeen(PipePhase.PROVISIONING, 1, 0, null, NOON))
                        .state())
                .isEqualTo(PipeState.RESYNC);
    }

    @Test
    void someKindsEndByThemselves() {
        assertThat(GivenPipe.pipe("objectStorage").endsByItself()).isTrue();
        assertThat(GivenPipe.make("objectStorage", Trees.with(GivenPipe.STORAGE, "isContinuous", true))
                        .pipe()
                        .endsByItself())
                .isFalse();
        assertThat(GivenPipe.pipe("postgres").endsByItself()).isFalse();
        assertThat(GivenPipe.make(
                                "postgres",
                                Trees.with(GivenPipe.POSTGRES, "settings", Map.of("replicationMode", "snapshot")))
                        .pipe()
                        .endsByItself())
                .isTrue();
        assertThat(GivenPipe.pipe("kafka").endsByItself()).isFalse();
        assertThat(GivenPipe.pipe("kinesis").endsByItself()).isFalse();
        assertThat(GivenPipe.pipe("pubsub").endsByItself()).isFalse();
        assertThat(GivenPipe.pipe("mysql").endsByItself()).isFalse();
        assertThat(GivenPipe.pipe("mongodb").endsByItself()).isFalse();
        assertThat(GivenPipe.pipe("bigquery").endsByItself()).isTrue();
        assertThat(GivenPipe.pipe("kafka").replicationMode()).isEmpty();
        assertThat(GivenPipe.make(
                                "kafka",
                                Trees.with(
                                        GivenPipe.KAFKA,
                                        "reversePrivateEndpointIds",
                                        List.of(GivenPipe.PIPE.toString())))
                        .pipe()
                        .reversePrivateEndpointIds())
                .containsExactly(GivenPipe.PIPE.toString());
        assertThat(GivenPipe.pipe("kafka").toString()).isEqualTo("Pipe[" + GivenPipe.PIPE + ", version 0]");
    }

    @Test
    void aPipeMayWaitForItsFirstStart() {
        Pipe waiting = GivenPipe.make(paused("kafka", GivenPipe.KAFKA, true)).pipe();
        assertThat(waiting.state()).isEqualTo(PipeState.STOPPED);
        assertThat(PipeCommand.START.on(waiting, NOON).state()).isEqualTo(PipeState.PROVISIONING);
        assertThat(GivenPipe.make(paused("kafka", GivenPipe.KAFKA, false))
                        .pipe()
                        .state())
                .isEqualTo(PipeState.PROVISIONING);
        assertThat(GivenPipe.make(paused("postgres", GivenPipe.POSTGRES, false)).paths())
                .isEmpty();
        assertThat(GivenPipe.make(paused("postgres", GivenPipe.POSTGRES, true)).paths())
                .containsExactly("startPaused");
    }

    private static PipeDraft paused(String kind, Map<String, Object> source, boolean startPaused) {
        boolean database = kind.equals("postgres");
        return new PipeDraft(
                "pipe",
                Trees.members(Map.of(kind, source)),
                database ? null : Trees.members(GivenPipe.DESTINATION),
                null,
                null,
                null,
                startPaused);
    }

    @ParameterizedTest
    @EnumSource(PipePhase.class)
    void startIsTakenFromWhatStandsStillOnly(PipePhase phase) {
        Pipe running = seen(GivenPipe.pipe("kafka"), phase);
        Pipe stopped = seen(running.withWant(Pipe.Wish.STOP, 0, NOON), phase);
        if (phase == PipePhase.FAILED) {
            assertThat(PipeCommand.START.on(running, NOON).want().wish()).isEqualTo(Pipe.Wish.RUN);
        } else {
            assertThatThrownBy(() -> PipeCommand.START.on(running, NOON)).isInstanceOf(Refused.class);
        }
        if (phase == PipePhase.COMPLETED) {
            assertThatThrownBy(() -> PipeCommand.STOP.on(running, NOON)).isInstanceOf(Refused.class);
        } else {
            assertThat(PipeCommand.START.on(stopped, NOON).want().wish()).isEqualTo(Pipe.Wish.RUN);
            assertThat(PipeCommand.STOP.on(running, NOON).want().wish()).isEqualTo(Pipe.Wish.STOP);
            assertThat(PipeCommand.STOP.on(stopped, NOON)).isSameAs(stopped);
        }
    }

    @Test
    void resyncIsForPostgresAndMySqlAlsoCompletedOnes() {
        Pipe completed = seen(GivenPipe.pipe("postgres"), PipePhase.COMPLETED);
        assertThat(PipeCommand.RESYNC.on(completed, NOON).want().resyncs()).isEqualTo(1);
        assertThat(PipeCommand.RESYNC.on(GivenPipe.pipe("mysql"), NOON).want().resyncs())
                .isEqualTo(1);
        for (String other : List.of("kafka", "mongodb", "bigquery")) {
            assertThatThrownBy(() -> PipeCommand.RESYNC.on(GivenPipe.pipe(other), NOON))
                    .isInstanceOf(Refused.class);
        }
        assertThat(PipeCommand.find("resync")).contains(PipeCommand.RESYNC);
        assertThat(PipeCommand.find("pause")).isEmpty();
    }

    @Test
    void aTableIsReadAgainAloneWhereItIsOneOfThePipes() {
        Pipe paused = GivenPipe.pipe("postgres").withWant(Pipe.Wish.STOP, 0, NOON);
        String target = String.valueOf(GivenPipe.MAPPING.get("targetTable"));
        Pipe again = PipeCommand.resync(PipeCommand.resync(paused, target, NOON), target, NOON);
        assertThat(again.timesAgain(target)).isEqualTo(2);
        assertThat(again.timesAgain("another")).isZero();
        assertThat(again.want().wish()).isEqualTo(Pipe.Wish.RUN);
        assertThat(again.want().generation()).isEqualTo(paused.want().generation() + 2);
        assertThat(again.want().resyncs()).isZero();
        assertThat(again.withWant(Pipe.Wish.STOP, 0, NOON).timesAgain(target)).isEqualTo(2);
        assertThat(PipeCommand.RESYNC.on(again, NOON).timesAgain(target)).isZero();
        assertThat(PipeCommand.resync(GivenPipe.pipe("mysql"), target, NOON).timesAgain(target))
                .isEqualTo(1);
        for (String kind : List.of("kafka", "mongodb")) {
            assertThatThrownBy(() -> PipeCommand.resync(GivenPipe.pipe(kind), target, NOON))
                    .isInstanceOf(Refused.class);
        }
        assertThatThrownBy(() -> PipeCommand.resync(paused, "another", NOON)).isInstanceOf(Refused.class);
        Map<String, Object> changesOnly = new HashMap<>(GivenPipe.POSTGRES);
        changesOnly.put("settings", Map.of("replicationMode", "cdc_only"));
        Pipe follower = GivenPipe.make(new PipeDraft(
                        "pipe", Trees.members(Map.of("postgres", changesOnly)), null, null, null, null, null))
                .pipe();
        assertThatThrownBy(() -> PipeCommand.resync(follower, target, NOON)).isInstanceOf(Refused.class);
    }

    /** Section 4.4 of the contract, field by field at and beyond both ends. */
    @ParameterizedTest
    @CsvSource({
        "replicas, 1, 10, 1",
        "concurrency, 0, 34, 1",
        "replicaCpuMillicores, 125, 2000, 1",
        "replicaMemoryGb, 0.5, 8, 0.25"
    })
    void scalingHasItsRanges(String field, double min, double max, double step) {
        assertThat(scalingFaults(field, min)).isEmpty();
        assertThat(scalingFaults(field, max)).isEmpty();
        assertThat(scalingFaults(field, min - step)).containsExactly(field);
        assertThat(scalingFaults(field, max + step)).containsExactly(field);
        assertThat(scalingFaults(field, min + 0.125).isEmpty()).isEqualTo(field.equals("replicaMemoryGb"));
    }

    @Test
    void scalingLeavesWhatIsNotGivenAndReportsEveryFault() {
        PipeScaling scaling = new PipeScaling(2, 3, 500, 2);
        assertThat(scaling.with(new PipeScaling.Change(null, null, null, null))).isEqualTo(scaling);
        assertThat(scaling.with(new PipeScaling.Change(4.0, 5.0, 1000.0, 4.5)))
                .isEqualTo(new PipeScaling(4, 5, 1000, 4.5));
        new PipeScaling.Change(0.0, 35.0, 124.0, 9.0).check("", SEED, faults);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly("replicas", "concurrency", "replicaCpuMillicores", "replicaMemoryGb");
        assertThat(GivenPipe.make(new PipeDraft(
                                "pipe",
                                Trees.members(Map.of("kafka", GivenPipe.KAFKA)),
                                Trees.members(GivenPipe.DESTINATION),
                                GivenPipe.MAPPINGS,
                                null,
                                new PipeScaling.Change(3.0, null, null, 9.0),
                                null))
                        .paths())
                .containsExactly("scaling.replicaMemoryGb");
    }

    /** Section 2.5.2 of the contract, key by key, in both spellings. */
    @Test
    void everySettingHasItsRangeAndItsKinds() {
        assertThat(PipeSettings.ALL).hasSize(13);
        for (PipeSettings.Setting setting : PipeSettings.ALL) {
            for (PipeKind kind : PipeKind.values()) {
                boolean applies = setting.kinds().contains(kind);
                assertThat(settingFaults(kind, setting.name(), setting.byDefault())
                                .isEmpty())
                        .as(setting.name() + " of " + kind)
                        .isEqualTo(applies);
            }
            PipeKind kind = setting.kinds().iterator().next();
            assertThat(settingFaults(kind, setting.name(), new Tree.Text("1"))).hasSize(1);
            NumberRule rule = setting.rule();
            if (rule == null) {
                assertThat(settingFaults(kind, setting.name(), new Tree.Figure(1)))
                        .hasSize(1);
            } else {
                assertThat(settingFaults(kind, setting.name(), new Tree.Figure(rule.max())))
                        .isEmpty();
                assertThat(settingFaults(kind, setting.name(), new Tree.Figure(rule.max() + 1)))
                        .hasSize(1);
                assertThat(settingFaults(kind, setting.name(), new Tree.Figure(rule.min() - 1)))
                        .hasSize(1);
                assertThat(settingFaults(kind, setting.name(), new Tree.Figure(rule.min() + 0.5)))
                        .hasSize(1);
                assertThat(settingFaults(kind, setting.name(), new Tree.Flag(true)))
                        .hasSize(1);
            }
        }
    }

    @Test
    void everySettingIsAFieldUnderEachOfItsNames() {
        assertThat(PipeSettings.shape())
                .extracting(field -> field.name() + " " + field.type())
                .contains(
                        "db_max_threads NUMBER",
                        "clickhouse_max_threads NUMBER",
                        "clickhouse_parallel_view_processing FLAG",
                        "streaming_max_insert_wait_ms NUMBER")
                .doesNotHaveDuplicates();
    }

    @Test
    void theSpellingThatWasSentComesBackAndTheLastOneWins() {
        Tree.Members first = merge(Tree.Members.NONE, Map.of("clickhouse_max_threads", 8));
        assertThat(first.values().keySet()).containsExactly("clickhouse_max_threads");
        Tree.Members second = merge(first, Map.of("db_max_threads", 9, "unknown", 1));
        assertThat(second.values().keySet()).containsExactly("db_max_threads");
        Tree.Members third = new Tree.Members(Map.of("clickhouse_max_threads", new Tree.Nothing()));
        assertThat(PipeSettings.merge(PipeKind.OBJECT_STORAGE, second, third, "", faults)
                        .values())
                .isEmpty();
        assertThat(faults.none()).isTrue();
        assertThat(PipeSettings.noneKnown(Trees.members(Map.of("unknown", 1)))).isTrue();
        assertThat(PipeSettings.noneKnown(Trees.members(Map.of("unknown", 1, "db_max_threads", 1))))
                .isFalse();
    }

    @Test
    void databasePipesShareOneSizeOfFourGbACore() {
        PipeCdcScaling first = PipeCdcScaling.first(Given.SERVICE, NOON);
        assertThat(first.with(4000.0, 16.0, faults).replicaMemoryGb()).isEqualTo(16);
        assertThat(first.with(null, null, faults)).isEqualTo(first);
        assertThat(faults.none()).isTrue();
        PipeCdcScaling.alone(null, null, faults);
        PipeCdcScaling.alone(4000.0, 16.0, faults);
        assertThat(faults.none()).isTrue();
        first.with(4000.0, null, faults);
        PipeCdcScaling.alone(1500.0, 5.0, faults);
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly("replicaMemoryGb", "replicaCpuMillicores", "replicaMemoryGb");
        assertThat(List.of(first.id(), first.ownerId())).containsOnly(Given.SERVICE);
    }

    private static Tree.Members merge(Tree.Members current, Map<String, Object> given) {
        return PipeSettings.merge(PipeKind.OBJECT_STORAGE, current, Trees.members(given), "", new Faults());
    }

    private static List<Fault> settingFaults(PipeKind kind, String name, Tree value) {
        Faults found = new Faults();
        PipeSettings.merge(kind, Tree.Members.NONE, new Tree.Members(Map.of(name, value)), "", found);
        return found.list();
    }

    private static List<String> scalingFaults(String field, double value) {
        Faults found = new Faults();
        new PipeScaling.Change(
                        field.equals("replicas") ? value : null,
                        field.equals("concurrency") ? value : null,
                        field.equals("replicaCpuMillicores") ? value : null,
                        field.equals("replicaMemoryGb") ? value : null)
                .check("", SEED, found);
        return found.list().stream().map(Fault::path).toList();
    }

    @Test
    void atRestOneThatRunsIsStoppedAndTheOthersAreAsTheyWere() {
        Pipe runs = GivenPipe.pipe("kafka");
        Pipe ends = runs.withWant(Pipe.Wish.DELETE, 0, NOON);
        assertThat(runs.atRest().want().wish()).isEqualTo(Pipe.Wish.STOP);
        assertThat(ends.atRest().want().wish()).isEqualTo(Pipe.Wish.DELETE);
    }
}
