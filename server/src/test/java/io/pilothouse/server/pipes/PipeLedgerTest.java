package io.pilothouse.server.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.pipe.PipeLedger.Line;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The book of what pipes have read, over a real store. */
class PipeLedgerTest {
    private static final UUID PIPE = UUID.randomUUID();

    @TempDir
    private Path folder;

    private PipeWorld world;
    private PipeLedger ledger;

    @BeforeEach
    void open() {
        SimTime time = new SimTime();
        world = new PipeWorld(folder, time);
        ledger = new PipeLedger(world.store(), time);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private static List<Line> line(String part, long from, long to) {
        return List.of(new Line(part, from, to, "first"));
    }

    private PipeRange only(String part) {
        return ledger.find(PIPE, List.of(part)).getFirst();
    }

    @Test
    void rangeIsPendingFromItsClaimUntilItIsDone() {
        long epoch = ledger.begin(PIPE);
        assertThat(ledger.find(PIPE, List.of("t:0"))).isEmpty();
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 5, 9))).isTrue();
        assertThat(only("t:0").mark()).isEqualTo(5);
        assertThat(only("t:0").pendingTo()).isEqualTo(9);
        assertThat(ledger.done(PIPE, epoch, line("t:0", 5, 9))).isTrue();
        assertThat(only("t:0").mark()).isEqualTo(9);
        assertThat(only("t:0").pendingTo()).isNull();
        assertThat(ledger.done(PIPE, epoch, line("t:0", 5, 9))).isFalse();
    }

    @Test
    void pendingRangeIsClaimedAgainOnlyAsItWas() {
        long epoch = ledger.begin(PIPE);
        ledger.claim(PIPE, epoch, line("t:0", 0, 9));
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 0, 12))).isFalse();
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 3, 9))).isFalse();
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 0, 9))).isTrue();
        ledger.done(PIPE, epoch, line("t:0", 0, 9));
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 0, 9))).isFalse();
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 9, 12))).isTrue();
    }

    @Test
    void whatAPartWasWhenItWasFirstReadStays() {
        long epoch = ledger.begin(PIPE);
        ledger.claim(PIPE, epoch, List.of(new Line("b/k", 0, 1, "old")));
        ledger.claim(PIPE, epoch, List.of(new Line("b/k", 0, 1, "new")));
        assertThat(only("b/k").identity()).isEqualTo("old");
    }

    @Test
    void nothingIsWrittenUnderAnOldEpoch() {
        long old = ledger.begin(PIPE);
        ledger.claim(PIPE, old, line("t:0", 0, 9));
        long epoch = ledger.begin(PIPE);
        assertThat(epoch).isGreaterThan(old);
        assertThat(ledger.done(PIPE, old, line("t:0", 0, 9))).isFalse();
        assertThat(ledger.claim(PIPE, old, line("t:1", 0, 9))).isFalse();
        assertThat(ledger.begin(PIPE, old, "t:2", 7)).isFalse();
        assertThat(ledger.find(PIPE, List.of("t:1", "t:2"))).isEmpty();
        assertThat(ledger.done(PIPE, epoch, line("t:0", 0, 9))).isTrue();
    }

    @Test
    void claimsAreWrittenTogetherOrNotAtAll() {
        long epoch = ledger.begin(PIPE);
        ledger.claim(PIPE, epoch, line("t:1", 0, 9));
        List<Line> both = List.of(new Line("t:0", 0, 4, ""), new Line("t:1", 9, 12, ""));
        assertThat(ledger.claim(PIPE, epoch, both)).isFalse();
        assertThat(ledger.find(PIPE, List.of("t:0"))).isEmpty();
    }

    private void seek(List<String> parts, @Nullable Long mark, String place) {
        world.store().change(tables -> PipeLedger.seek(tables, PIPE, parts, mark, place, world.time.now()));
    }

    private Map<String, String> rows() {
        return world.store().read(tables -> PipeLedger.all(tables, PIPE)).stream()
                .filter(row -> !row.part().isEmpty())
                .collect(Collectors.toMap(PipeRange::part, row -> row.mark() + " " + row.identity()));
    }

    @Test
    void pipeThatIsSentElsewhereForgetsWhereAllOfItsPartsWere() {
        long epoch = ledger.begin(PIPE);
        ledger.begin(PIPE, epoch, "t", 2);
        ledger.begin(PIPE, epoch, "t:0", 40);
        ledger.claim(PIPE, epoch, line("t:1", 0, 9));
        seek(List.of("t:0"), 7L, "");
        seek(List.of(), null, "beginning");
        assertThat(rows()).isEqualTo(Map.of(PipeLedger.SEEK, "1 beginning"));
        seek(List.of(), null, "end");
        assertThat(rows()).isEqualTo(Map.of(PipeLedger.SEEK, "2 end"));
    }

    @Test
    void whatAPipeMadeAtItsSourceIsNotForgottenWhenItIsSentElsewhere() {
        long epoch = ledger.begin(PIPE);
        ledger.begin(PIPE, epoch, Span.FOOTPRINT, 0);
        ledger.begin(PIPE, epoch, "s:shard-0", 40);
        seek(List.of(), null, "beginning");
        assertThat(rows()).isEqualTo(Map.of(Span.FOOTPRINT, "0 ", PipeLedger.SEEK, "1 beginning"));
    }

    @Test
    void topicThatIsCalledFootprintIsATopic() {
        long epoch = ledger.begin(PIPE);
        ledger.begin(PIPE, epoch, "footprint", 3);
        assertThat(ledger.hasFootprint(PIPE)).isFalse();
        seek(List.of(), null, "beginning");
        assertThat(rows()).isEqualTo(Map.of(PipeLedger.SEEK, "1 beginning"));

        ledger.begin(PIPE, ledger.begin(PIPE), Span.FOOTPRINT, 0);
        assertThat(ledger.hasFootprint(PIPE)).isTrue();
    }

    @Test
    void footprintOfAnEarlierVersionIsStillOne() {
        ledger.begin(PIPE, ledger.begin(PIPE), "footprint", 0);
        seek(List.of(), null, "beginning");
        assertThat(rows()).isEqualTo(Map.of("footprint", "0 ", PipeLedger.SEEK, "1 beginning"));
        assertThat(ledger.hasFootprint(PIPE)).isTrue();
    }

    @Test
    void oneThatIsNamedBeginsThereAndTheOthersGoOn() {
        long epoch = ledger.begin(PIPE);
        ledger.begin(PIPE, epoch, "t:0", 40);
        ledger.begin(PIPE, epoch, "t:1", 50);
        ledger.claim(PIPE, epoch, line("t:0", 40, 44));
        seek(List.of("t:0", "t:2"), 7L, "");
        assertThat(rows())
                .isEqualTo(Map.of("t:0", "7 ", "seek>t:0", "1 ", "t:1", "50 ", "t:2", "7 ", "seek>t:2", "1 "));
        assertThat(only("t:0").pendingTo()).isNull();
        seek(List.of("t:0"), null, "end");
        assertThat(rows()).isEqualTo(Map.of("seek>t:0", "2 end", "t:1", "50 ", "t:2", "7 ", "seek>t:2", "1 "));
    }

    @Test
    void workerOfBeforeWritesNothingOnceThePipeWasSentElsewhere() {
        long epoch = ledger.begin(PIPE);
        ledger.claim(PIPE, epoch, line("t:0", 0, 9));
        seek(List.of("t:0"), 0L, "");
        assertThat(ledger.done(PIPE, epoch, line("t:0", 0, 9))).isFalse();
        assertThat(ledger.claim(PIPE, epoch, line("t:0", 0, 9))).isFalse();
        assertThat(ledger.claim(PIPE, ledger.begin(PIPE), line("t:0", 0, 9))).isTrue();
    }

    private long askReplay() {
        return world.store().write(tables -> PipeLedger.askReplay(tables, PIPE, world.time.now()));
    }

    @Test
    void replayThatHasBegunIsFollowedByOneThatTakesWhatCameSince() {
        long epoch = ledger.begin(PIPE);
        assertThat(askReplay()).isEqualTo(1);
        assertThat(askReplay()).isEqualTo(1);
        ledger.begin(PIPE, epoch, "replay>1", 0);
        assertThat(askReplay()).isEqualTo(2);
        assertThat(askReplay()).isEqualTo(2);
        assertThat(ledger.endReplay(PIPE, epoch, 1)).isTrue();
        assertThat(rows()).isEqualTo(Map.of("replay>", "1 "));
        assertThat(only("replay>").pendingTo()).isEqualTo(2);
        ledger.begin(PIPE, epoch, "replay>2", 0);
        assertThat(ledger.endReplay(PIPE, epoch, 2)).isTrue();
        assertThat(only("replay>").pendingTo()).isNull();
        assertThat(askReplay()).isEqualTo(3);
    }

    @Test
    void replayEndsOnceAndNotByAWorkerOfBefore() {
        long old = ledger.begin(PIPE);
        assertThat(ledger.endReplay(PIPE, old, 1)).isFalse();
        askReplay();
        long epoch = ledger.begin(PIPE);
        assertThat(ledger.endReplay(PIPE, old, 1)).isFalse();
        assertThat(ledger.endReplay(PIPE, epoch, 1)).isTrue();
        assertThat(ledger.endReplay(PIPE, epoch, 1)).isFalse();
    }

    @Test
    void pipeThatIsSentElsewhereStillHasItsReplayToDo() {
        askReplay();
        seek(List.of(), null, "beginning");
        assertThat(only("replay>").pendingTo()).isEqualTo(1);
    }

    @Test
    void bothSidesNamePlacesAlike() {
        assertThat(Span.SEEK).isEqualTo(PipeLedger.SEEK);
    }

    @Test
    void beginningOfAPartIsKeptAsItWasFirstWritten() {
        long epoch = ledger.begin(PIPE);
        assertThat(ledger.begin(PIPE, epoch, "t:0", 40)).isTrue();
        assertThat(ledger.begin(PIPE, epoch, "t:0", 90)).isTrue();
        assertThat(only("t:0").mark()).isEqualTo(40);
    }

    @Test
    void forgottenPipeHasNothingLeft() {
        long epoch = ledger.begin(PIPE);
        for (int part = 0; part < 1200; part++) {
            ledger.begin(PIPE, epoch, "t:" + part, 1);
        }
        UUID other = UUID.randomUUID();
        ledger.begin(other, ledger.begin(other), "t:0", 1);
        ledger.forget(PIPE);
        assertThat(world.store().<Long>read(tables -> tables.of(PipeRange.KIND).count(PIPE)))
                .isZero();
        assertThat(ledger.find(other, List.of("t:0"))).hasSize(1);
    }
}
