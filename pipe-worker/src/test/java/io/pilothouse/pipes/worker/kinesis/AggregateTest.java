package io.pilothouse.pipes.worker.kinesis;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import io.pilothouse.pipes.worker.kinesis.Aggregate.Inner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that the producer library put together. */
class AggregateTest {
    private static final byte[] MAGIC = {(byte) 0xF3, (byte) 0x89, (byte) 0x9A, (byte) 0xC2};

    /** A message of the library: two keys, one hash, and a record for each text, the last with the hash. */
    static byte[] aggregate(String... texts) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(body);
        out.writeString(1, "a");
        out.writeString(1, "b");
        out.writeString(2, "7");
        for (int i = 0; i < texts.length; i++) {
            ByteArrayOutputStream record = new ByteArrayOutputStream();
            CodedOutputStream inner = CodedOutputStream.newInstance(record);
            inner.writeUInt64(1, i % 2);
            if (i == texts.length - 1) {
                inner.writeUInt64(2, 0);
            }
            inner.writeByteArray(3, texts[i].getBytes(StandardCharsets.UTF_8));
            inner.writeByteArray(4, new byte[] {1});
            inner.flush();
            out.writeByteArray(3, record.toByteArray());
        }
        out.flush();
        return framed(body.toByteArray());
    }

    private static byte[] framed(byte[] body) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(MAGIC);
        all.write(body);
        try {
            all.write(MessageDigest.getInstance("MD5").digest(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
        return all.toByteArray();
    }

    @Test
    void isTakenApart() throws IOException {
        List<Inner> inside = Aggregate.open(aggregate("x", "y", "z")).orElseThrow();
        assertThat(inside).extracting(Inner::key).containsExactly("a", "b", "a");
        assertThat(inside)
                .extracting(inner -> new String(inner.message(), StandardCharsets.UTF_8))
                .containsExactly("x", "y", "z");
        assertThat(inside.getFirst().effectiveHash()).isEqualTo(Shard.hash("a"));
        assertThat(inside.getLast().effectiveHash()).isEqualTo(BigInteger.valueOf(7));
    }

    @Test
    void whatOnlyLooksLikeOneIsLeftAsItIs() throws IOException {
        byte[] spoilt = aggregate("x");
        spoilt[spoilt.length - 1]++;
        assertThat(Aggregate.open(spoilt)).isEmpty();
        assertThat(Aggregate.open("{}".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(Aggregate.open("{\"a long message\": 1234567890}".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(Aggregate.open(framed(new byte[] {(byte) 0xFF, 1, 2}))).isEmpty();
        // A record whose key is in no table.
        assertThat(Aggregate.open(framed(new byte[] {0x1A, 2, 8, 9}))).isEmpty();
    }
}
