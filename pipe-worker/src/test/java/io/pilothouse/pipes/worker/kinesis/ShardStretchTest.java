package io.pilothouse.pipes.worker.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.records.StreamRecord;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How ranges of a shard are named and counted. */
class ShardStretchTest {
    private static final BigInteger ALL = BigInteger.TWO.pow(128).subtract(BigInteger.ONE);
    private static final String FIRST = "49590338271490256608559692538361571095921575989136588898";
    private static final String SECOND = "49590338271490256608559692538361571095921575989136588899";

    private static ShardStretch stretch(@Nullable Span begun) {
        return new ShardStretch("s:shard-0", new Shard("shard-0", List.of(), BigInteger.ZERO, ALL), begun, "");
    }

    private static void add(ShardStretch stretch, String sequence) {
        stretch.add(sequence, "k", 0, "{}".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void rangeIsNamedByItsSequenceNumbersAndCountedByItsRecords() {
        ShardStretch stretch = stretch(null);
        add(stretch, FIRST);
        add(stretch, SECOND);
        assertThat(stretch.span()).isEqualTo(new Span("s:shard-0", 0, 2, ".." + SECOND));
        stretch.done();
        assertThat(stretch.isEmpty()).isTrue();
        stretch.end();
        assertThat(stretch.token()).isEqualTo("s:shard-0:" + SECOND + "..END");
        assertThat(stretch.isOver()).isFalse();
        stretch.done();
        assertThat(stretch.isOver()).isTrue();
        assertThat(stretch.records()).isEmpty();
    }

    @Test
    void rangeThatWasClaimedEndsWhereItEnded() {
        Span claimed = new Span("s:shard-0", 5, 7, FIRST + ".." + SECOND);
        ShardStretch stretch = stretch(claimed);
        assertThat(stretch.last()).isEqualTo(FIRST);
        assertThat(stretch.reaches(FIRST)).isFalse();
        add(stretch, SECOND);
        assertThat(stretch.reaches(SECOND)).isTrue();
        add(stretch, SECOND + "0");
        assertThat(stretch.records()).hasSize(1);
        assertThat(stretch.span()).isEqualTo(claimed);
        stretch.done();
        assertThat(stretch.last()).isEqualTo(SECOND);
        add(stretch, SECOND + "0");
        assertThat(stretch.span()).isEqualTo(new Span("s:shard-0", 7, 8, SECOND + ".." + SECOND + "0"));
    }

    @Test
    void rangeThatWasDoneGoesOnBehindItsLastRecord() {
        assertThat(stretch(new Span("s:shard-0", 7, 7, FIRST + ".." + SECOND)).last())
                .isEqualTo(SECOND);
    }

    @Test
    void whatIsReadAgainOnPurposeHasAnotherToken() {
        Shard shard = new Shard("shard-0", List.of(), BigInteger.ZERO, ALL);
        ShardStretch again = new ShardStretch("s:shard-0", shard, null, "#2.1");
        add(again, FIRST);
        assertThat(again.token()).isEqualTo("s:shard-0:.." + FIRST + "#2.1");
    }

    @Test
    void recordsOfAnotherShardAreLeftOutOfAnAggregate() throws IOException {
        ShardStretch stretch =
                new ShardStretch("s:shard-1", new Shard("shard-1", List.of(), BigInteger.valueOf(8), ALL), null, "");
        stretch.add(FIRST, "k", 0, AggregateTest.aggregate("{\"id\":1}", "{\"id\":2}", "{\"id\":3}"));
        assertThat(stretch.records())
                .extracting(StreamRecord::place)
                .containsExactly("s:shard-1:" + FIRST + "/0", "s:shard-1:" + FIRST + "/1");
        assertThat(stretch.span().to()).isEqualTo(1);
    }
}
