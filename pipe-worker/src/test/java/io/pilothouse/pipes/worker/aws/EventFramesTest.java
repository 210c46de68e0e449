package io.pilothouse.pipes.worker.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The events of an answer that does not end by itself. */
public class EventFramesTest {
    /** As the library botocore 1 reads it: the payload <code>{'foo':'bar'}</code> under a content type. */
    private static final String DOCUMENTED =
            "0000003d0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a27626172277d8d9c08b1";

    public static byte[] frame(Map<String, String> fields, String payload) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        DataOutputStream field = new DataOutputStream(head);
        // One that is no text comes first: it is passed over.
        field.writeByte(4);
        field.writeBytes("date");
        field.writeByte(8);
        field.writeLong(7);
        for (Map.Entry<String, String> one : fields.entrySet()) {
            field.writeByte(one.getKey().length());
            field.writeBytes(one.getKey());
            field.writeByte(7);
            field.writeUTF(one.getValue());
        }
        byte[] content = payload.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(whole);
        out.writeInt(16 + head.size() + content.length);
        out.writeInt(head.size());
        out.writeInt(checksum(whole.toByteArray()));
        head.writeTo(out);
        out.write(content);
        out.writeInt(checksum(whole.toByteArray()));
        return whole.toByteArray();
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static EventFrames frames(byte[]... all) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] one : all) {
            bytes.writeBytes(one);
        }
        return new EventFrames(new ByteArrayInputStream(bytes.toByteArray()));
    }

    @Test
    void documentedEventIsRead() throws IOException, AwsRefusal {
        EventFrames frames = frames(HexFormat.of().parseHex(DOCUMENTED));
        assertThat(frames.next())
                .hasValueSatisfying(
                        event -> assertThat(event.payload()).asString().isEqualTo("{'foo':'bar'}"));
        assertThat(frames.next()).isEmpty();
    }

    @Test
    void eventsFollowEachOtherUntilTheEnd() throws IOException, AwsRefusal {
        EventFrames frames = frames(
                frame(Map.of(":message-type", "event", ":event-type", "First"), "1"),
                frame(Map.of(":message-type", "event", ":event-type", "Second"), ""));
        assertThat(frames.next().orElseThrow().type()).isEqualTo("First");
        assertThat(frames.next())
                .hasValueSatisfying(event -> assertThat(event.payload()).isEmpty());
        assertThat(frames.next()).isEmpty();
    }

    @Test
    void exceptionAmongTheEventsIsARefusal() throws IOException {
        EventFrames frames =
                frames(frame(Map.of(":message-type", "exception", ":exception-type", "ResourceInUseException"), "{}"));
        assertThatThrownBy(frames::next)
                .isInstanceOfSatisfying(
                        AwsRefusal.class,
                        refusal ->
                                assertThat(refusal.is("ResourceInUseException")).isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "exception, :exception-type, InternalFailureException, true",
        "exception, :exception-type, KMSThrottlingException, true",
        "exception, :exception-type, ServiceUnavailableException, true",
        "exception, :exception-type, SomethingOfTomorrow, true",
        "error, :error-code, SlowDown, true",
        "error, :error-code, '', true",
        "exception, :exception-type, KMSAccessDeniedException, false",
        "exception, :exception-type, KMSDisabledException, false",
        "exception, :exception-type, KMSOptInRequired, false",
        "exception, :exception-type, ResourceNotFoundException, false"
    })
    void onlyWhatSomebodyHasToChangeIsForTheOwner(String sort, String field, String name, boolean passes)
            throws IOException {
        EventFrames frames = frames(frame(Map.of(":message-type", sort, field, name), "{}"));
        assertThatThrownBy(frames::next)
                .isInstanceOfSatisfying(
                        AwsRefusal.class,
                        refusal -> assertThat(refusal.trouble("Kinesis"))
                                .isInstanceOf(passes ? Trouble.SourceAway.class : Trouble.Owner.class));
    }

    @Test
    void whatWasDamagedOrCutOffIsNotTaken() throws IOException {
        byte[] event = frame(Map.of(":event-type", "First"), "payload");
        for (int place : new int[] {2, 14, event.length - 6}) {
            byte[] damaged = event.clone();
            damaged[place] ^= 1;
            assertThatThrownBy(frames(damaged)::next)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("damaged");
        }
        byte[] cut = Arrays.copyOf(event, event.length - 1);
        assertThatThrownBy(frames(cut)::next).isInstanceOf(EOFException.class);
    }

    @Test
    void eventThatSaysThatItIsHugeIsNotRead() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(Integer.MAX_VALUE);
        out.writeInt(0);
        out.writeInt(checksum(bytes.toByteArray()));
        assertThatThrownBy(frames(bytes.toByteArray())::next)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("larger");
    }
}
