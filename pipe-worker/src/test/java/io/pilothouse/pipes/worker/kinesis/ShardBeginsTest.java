package io.pilothouse.pipes.worker.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.kinesis.KinesisApi.Listing;
import io.pilothouse.pipes.worker.kinesis.ShardBegin.At;
import io.pilothouse.pipes.worker.kinesis.ShardBegin.Moment;
import io.pilothouse.pipes.worker.outside.Trouble.Yield;
import io.pilothouse.pipes.worker.records.Seeks;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where shards begin that were not read before: {@code a} was split into {@code b} and {@code c}, which became {@code d}. */
class ShardBeginsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String MORNING = "2026-01-01T08:00:00Z";
    private static final String NOON = "2026-01-01T11:00:00Z";
    private static final String TOMORROW = "2026-01-02T00:00:00Z";
    private static final Listing LISTING = new Listing(
            List.of(shard("a", "expired"), shard("b", "a"), shard("c", "a"), shard("d", "b", "c")), NOW.toEpochMilli());

    private final Map<String, Span> ledger = new HashMap<>();
    private final List<String> looked = new ArrayList<>();

    private static Shard shard(String id, String... parents) {
        return new Shard(id, List.of(parents), BigInteger.ZERO, BigInteger.TEN);
    }

    private static Moment moment(String text) {
        return new Moment(Instant.parse(text).toEpochMilli());
    }

    private void send(String part, String place) {
        ledger.put("seek>" + part, new Span("seek>" + part, 1, 1, place));
    }

    /** Where each of the four begins. */
    private List<ShardBegin> begins(String usual) throws Yield, InterruptedException {
        looked.clear();
        ShardBegins begins = new ShardBegins("s", LISTING, new Seeks(ledger), usual, name -> {
            looked.add(name);
            return LISTING.millis();
        });
        return List.of(begins.of("a"), begins.of("b"), begins.of("c"), begins.of("d"));
    }

    private static List<ShardBegin> all(ShardBegin begin) {
        return List.of(begin, begin, begin, begin);
    }

    @Test
    void allBeginWhereThePipeDoes() throws Yield, InterruptedException {
        assertThat(begins("beginning")).isEqualTo(all(new ShardBegin.Oldest()));
        assertThat(begins(MORNING)).isEqualTo(all(moment(MORNING)));
        assertThat(looked).isEmpty();
    }

    @Test
    void endIsTheMomentOfTheFirstLookAndSoIsATimeYetToCome() throws Yield, InterruptedException {
        assertThat(begins("end")).isEqualTo(all(new Moment(LISTING.millis())));
        assertThat(looked).containsOnly("s");
        assertThat(begins(TOMORROW)).isEqualTo(all(new Moment(LISTING.millis())));
    }

    @Test
    void pipeThatWasSentElsewhereBeginsThere() throws Yield, InterruptedException {
        send("", MORNING);
        assertThat(begins("end")).isEqualTo(all(moment(MORNING)));
    }

    @Test
    void shardsThatComeOutOfOneThatWasSentElsewhereBeginThereToo() throws Yield, InterruptedException {
        send("s:a", MORNING);
        assertThat(begins("beginning")).isEqualTo(all(moment(MORNING)));
        send("s:a", "end");
        assertThat(begins("beginning")).isEqualTo(all(new Moment(LISTING.millis())));
        assertThat(looked).containsExactly("s:a>.1");
        send("s:c", NOON);
        send("s:a", "beginning");
        assertThat(begins("end"))
                .containsExactly(
                        new ShardBegin.Oldest(), new ShardBegin.Oldest(), moment(NOON), new ShardBegin.Oldest());
    }

    @Test
    void shardThatTookThePlaceOfTwoLeavesOutNothingOfEither() throws Yield, InterruptedException {
        send("s:b", NOON);
        assertThat(begins(MORNING)).containsExactly(moment(MORNING), moment(NOON), moment(MORNING), moment(MORNING));
        send("s:c", NOON);
        assertThat(begins(MORNING)).containsExactly(moment(MORNING), moment(NOON), moment(NOON), moment(NOON));
    }

    @Test
    void numberSaysNothingInTheShardsThatComeOutOfItsOwn() throws Yield, InterruptedException {
        send("s:a", "4711");
        assertThat(begins("end"))
                .containsExactly(
                        new At("4711"), new ShardBegin.Oldest(), new ShardBegin.Oldest(), new ShardBegin.Oldest());
    }

    @Test
    void parentThatExpiredWhileThePipeWasStoppedStillCounts() throws Yield, InterruptedException {
        send("s:expired", NOON);
        assertThat(begins("beginning")).isEqualTo(all(moment(NOON)));
    }
}
