package io.pilothouse.core.pipe.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.PipeSeen;
import io.pilothouse.core.pipe.progress.PipeSeek.Draft;
import io.pilothouse.core.pipe.progress.PipeSeek.To;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where a pipe may be sent. */
class PipeSeekTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String RECORD = "49590338271490256608559692538361571095921575989136588898";

    private static Draft draft(
            @Nullable String to, @Nullable Double offset, @Nullable String time, @Nullable List<String> partitions) {
        return new Draft(to, offset, null, time, partitions);
    }

    private static List<String> faults(Draft draft) {
        Faults faults = new Faults();
        assertThat(PipeSeek.read(draft, faults)).isEmpty();
        return texts(faults);
    }

    private static List<String> texts(Faults faults) {
        return faults.list().stream().map(PipeSeekTest::text).toList();
    }

    private static String text(Fault fault) {
        return fault.path() + ": " + fault.message();
    }

    private static PipeSeek seek(Draft draft) {
        Faults faults = new Faults();
        PipeSeek seek = PipeSeek.read(draft, faults).orElseThrow();
        assertThat(faults.none()).isTrue();
        return seek;
    }

    @Test
    void everySortOfPlaceIsTakenWithWhatBelongsToIt() {
        assertThat(seek(draft("beginning", null, null, null)))
                .isEqualTo(new PipeSeek(To.BEGINNING, null, null, null, List.of()))
                .extracting(PipeSeek::place)
                .isEqualTo("beginning");
        assertThat(seek(draft("end", null, null, List.of("a:0"))).place()).isEqualTo("end");
        assertThat(seek(draft("time", null, "2026-01-01T02:00:00+02:00", null)).place())
                .isEqualTo("2026-01-01T00:00:00Z");
        assertThat(seek(draft("offset", 7.0, null, List.of("a:0"))))
                .isEqualTo(new PipeSeek(To.OFFSET, 7L, null, null, List.of("a:0")))
                .extracting(PipeSeek::place)
                .isEqualTo("");
    }

    @Test
    void whatDoesNotBelongToItOrIsMissingIsAFault() {
        assertThat(faults(draft(null, null, null, null)))
                .containsExactly("to: must be one of beginning, end, offset, sequenceNumber, time");
        assertThat(faults(draft("end", 1.0, "2026-01-01T00:00:00Z", null)))
                .containsExactly("offset: is only for `to: offset`", "time: is only for `to: time`");
        assertThat(faults(draft("offset", null, null, null)))
                .containsExactly(
                        "offset: is required to seek to this",
                        "partitions: is required with an offset, which means another place in each");
        assertThat(faults(draft("time", null, "yesterday", null)))
                .containsExactly("time: must be an RFC 3339 date-time with a zone");
        assertThat(faults(draft("time", null, null, null))).containsExactly("time: is required to seek to this");
        assertThat(faults(draft("offset", -1.0, null, List.of("a:0")))).containsExactly("offset: must be 0 or more");
        assertThat(faults(draft("end", null, null, Collections.nCopies(1001, "a:0"))))
                .containsExactly("partitions: must have at most 1000 items");
    }

    @Test
    void recordIsTakenWithItsShard() {
        PipeSeek seek = seek(new Draft("sequenceNumber", null, RECORD, null, List.of("s:shardId-0")));
        assertThat(seek).isEqualTo(new PipeSeek(To.SEQUENCE_NUMBER, null, RECORD, null, List.of("s:shardId-0")));
        assertThat(seek.place()).isEqualTo(RECORD);
        assertThat(seek.asked().text("to")).contains(RECORD);
        assertThat(faults(new Draft("sequenceNumber", null, "-1", null, List.of("s:a", "s:b"))))
                .containsExactly(
                        "sequenceNumber: must be a number of at most 129 digits",
                        "partitions: must be the one shard that has this record");
        assertThat(faults(new Draft("end", null, RECORD, null, null)))
                .containsExactly("sequenceNumber: is only for `to: sequenceNumber`");
        assertThat(faults(new Draft("sequenceNumber", null, null, null, List.of("s:a"))))
                .containsExactly("sequenceNumber: is required to seek to this");
    }

    @Test
    void wordThatIsNoTextIsOneFaultAndNotTwo() {
        Faults faults = new Faults();
        faults.add("to", "must be a string");
        assertThat(PipeSeek.read(draft(null, null, null, null), faults)).isEmpty();
        assertThat(texts(faults)).containsExactly("to: must be a string");
    }

    @Test
    void offsetThatIsNoNumberIsOneFaultAndNotTwo() {
        Faults faults = new Faults();
        faults.add("offset", "must be a number");
        assertThat(PipeSeek.read(draft("offset", null, null, List.of("a:0")), faults))
                .isEmpty();
        assertThat(texts(faults)).containsExactly("offset: must be a number");
    }

    @Test
    void partitionsAreOfTheTopicsOfThePipe() {
        Faults faults = new Faults();
        seek(draft("end", null, null, List.of("a:0", "b:12", "c:0", "a", ":0", "a:x", "a:01")))
                .checkFor(kafka("a, b"), PipeParts.KAFKA, faults);
        assertThat(texts(faults))
                .containsExactly(
                        "partitions[2]: must be a topic of the pipe and a number, like `a:0`",
                        "partitions[3]: must be a topic of the pipe and a number, like `a:0`",
                        "partitions[4]: must be a topic of the pipe and a number, like `a:0`",
                        "partitions[5]: must be a topic of the pipe and a number, like `a:0`",
                        "partitions[6]: must be a topic of the pipe and a number, like `a:0`");
    }

    @Test
    void shardsAreOfTheStreamOfThePipe() {
        Faults faults = new Faults();
        seek(new Draft("sequenceNumber", null, RECORD, null, List.of("s:shardId-0")))
                .checkFor(kinesis(), PipeParts.KINESIS, faults);
        assertThat(faults.none()).isTrue();
        seek(draft("end", null, null, List.of("s:shardId-000000000012", "other:shardId-0", "s", "s:", "s:a>b")))
                .checkFor(kinesis(), PipeParts.KINESIS, faults);
        String fault = ": must be the stream of the pipe and a shard, like `s:shardId-000000000000`";
        assertThat(texts(faults))
                .containsExactly(
                        "partitions[1]" + fault,
                        "partitions[2]" + fault,
                        "partitions[3]" + fault,
                        "partitions[4]" + fault);
    }

    @Test
    void placeOfAnotherKindOfStreamIsAFault() {
        Faults faults = new Faults();
        seek(draft("offset", 7.0, null, List.of("s:shardId-0"))).checkFor(kinesis(), PipeParts.KINESIS, faults);
        seek(new Draft("sequenceNumber", null, "7", null, List.of("a:0")))
                .checkFor(kafka("a"), PipeParts.KAFKA, faults);
        assertThat(texts(faults))
                .containsExactly("to: offset is not a place in Kinesis", "to: sequenceNumber is not a place in Kafka");
    }

    @Test
    void historySaysWhatWasAskedFor() {
        assertThat(seek(draft("end", null, null, null)).asked())
                .isEqualTo(new Tree.Members(Map.of("to", new Tree.Text("end"))));
        assertThat(seek(draft("offset", 7.0, null, List.of("a:0"))).asked())
                .isEqualTo(new Tree.Members(
                        Map.of("to", new Tree.Text("7"), "partitions", Tree.Items.texts(List.of("a:0")))));
    }

    private static Pipe kafka(String topics) {
        return pipe(PipeKind.KAFKA, "topics", topics);
    }

    private static Pipe kinesis() {
        return pipe(PipeKind.KINESIS, "streamName", "s");
    }

    private static Pipe pipe(PipeKind kind, String member, String value) {
        UUID id = UUID.fromString("66666666-6666-4666-8666-666666666666");
        return new Pipe(
                Head.of(id, id, NOW),
                id,
                NOW,
                kind,
                new Pipe.Configuration(
                        "Pipe",
                        new Tree.Members(Map.of(member, new Tree.Text(value))),
                        null,
                        Tree.Members.NONE,
                        new Tree.Items(List.of()),
                        Tree.Members.NONE,
                        PipeScaling.SMALLEST),
                new Pipe.Want(Pipe.Wish.STOP, 1, 0, Tree.Members.NONE, NOW),
                PipeSeen.nothingYet(NOW));
    }
}
