package io.pilothouse.core.pipe.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.pipe.progress.PipeOffsets.Place;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How parts of streams are named, and how far the ledger says they were read. */
class PipePartsTest {
    private static final UUID ID = UUID.fromString("66666666-6666-4666-8666-666666666666");

    private static PipeRange row(long mark, @Nullable Long pendingTo, String identity) {
        Head head = Head.of(ID, ID, Instant.parse("2026-01-01T00:00:00Z"));
        return new PipeRange(head, "s:shardId-0", mark, pendingTo, identity, 1);
    }

    @Test
    void onlyStreamsHaveParts() {
        assertThat(PipeParts.of(PipeKind.KAFKA)).contains(PipeParts.KAFKA);
        assertThat(PipeParts.of(PipeKind.KINESIS)).contains(PipeParts.KINESIS);
        assertThat(PipeParts.of(PipeKind.POSTGRES)).isEmpty();
    }

    @Test
    void partitionWasReadBeforeItsMark() {
        assertThat(PipeParts.KAFKA.place(row(7, 9L, ""))).isEqualTo(new Place.Offset(7));
    }

    @Test
    void shardWasReadUpToTheRecordThatItsTableHas() {
        assertThat(PipeParts.KINESIS.place(row(0, 2L, "..12"))).isNull();
        assertThat(PipeParts.KINESIS.place(row(2, null, "..12"))).isEqualTo(new Place.Through("12"));
        assertThat(PipeParts.KINESIS.place(row(2, 4L, "12..END"))).isEqualTo(new Place.Through("12"));
        assertThat(PipeParts.KINESIS.place(row(4, null, "12..END"))).isEqualTo(new Place.End());
    }

    @Test
    void otherLinesOfTheLedgerAreNotParts() {
        assertThat(Stream.of("", "a", "seek>", "replay>1", "a:", ":0", "a:0", "a:12", "a:x")
                        .filter(PipeParts.KAFKA::isPart))
                .containsExactly("a:0", "a:12");
        assertThat(Stream.of("s", "s:shardId-0", "s:shardId-0>#1.2").filter(PipeParts.KINESIS::isPart))
                .containsExactly("s:shardId-0");
    }

    @Test
    void partsComeByTheirTopicsAndNumbers() {
        assertThat(Stream.of("b:1", "a:10", "a:9", "a:11").sorted(PipeParts.order()))
                .isEqualTo(List.of("a:9", "a:10", "a:11", "b:1"));
    }

    @Test
    void eachSaysWhatItsLagIs() {
        assertThat(PipeParts.KAFKA.lag()).isEqualTo("lag");
        assertThat(PipeParts.KINESIS.lag()).isEqualTo("millisBehindLatest");
    }
}
