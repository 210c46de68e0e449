package io.pilothouse.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.testkit.Walk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClientHelloTest {
    private static final byte[] NOTHING = {};

    @Test
    void theNameIsReadInLowerCaseAndAllBytesAreKept() throws IOException {
        byte[] hello = records(hello(name("One.Example.ORG")), 16_384);
        ClientHello read = ClientHello.read(NOTHING, new ByteArrayInputStream(hello));
        assertThat(read.name()).contains("one.example.org");
        assertThat(read.bytes()).isEqualTo(hello);
    }

    @Test
    void itMayBeSplitIntoRecordsAndBeReadInPartAlready() throws IOException {
        byte[] hello = records(hello(name("one.example.org")), 1);
        byte[] first = Arrays.copyOf(hello, 9);
        byte[] rest = Arrays.copyOfRange(hello, 9, hello.length);
        ClientHello read = ClientHello.read(first, new ByteArrayInputStream(rest));
        assertThat(read.name()).contains("one.example.org");
        assertThat(read.bytes()).isEqualTo(hello);
    }

    @Test
    void nothingBehindTheHelloIsRead() throws IOException {
        byte[] hello = records(hello(name("a.b")), 16_384);
        ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(hello, hello.length + 5));
        ClientHello.read(NOTHING, in);
        assertThat(in.available()).isEqualTo(5);
    }

    @Test
    void helloWithoutExactlyOneNameNamesNobody() throws IOException {
        assertThat(nameIn(hello(NOTHING))).isEmpty();
        assertThat(nameIn(hello(null))).isEmpty();
        byte[] two = extension(0, part(both(entry(0, "a.b"), entry(0, "c.d"))));
        assertThat(nameIn(hello(two))).isEmpty();
        assertThat(nameIn(hello(extension(0, part(entry(1, "a.b")))))).isEmpty();
        assertThat(nameIn(hello(name("a".repeat(254))))).isEmpty();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> nameIn(hello(both(name("a.b"), name("a.b")))))
                .withMessageContaining("twice");
    }

    @Test
    void somethingElseThanTlsIsToldByItsFirstByte() throws IOException {
        ClientHello read =
                ClientHello.read(NOTHING, new ByteArrayInputStream("GET /".getBytes(StandardCharsets.UTF_8)));
        assertThat(read.isTls()).isFalse();
        assertThat(read.name()).isEmpty();
    }

    @Test
    void atMostSixteenKilobytesAreRead() {
        byte[] large = records(hello(both(extension(21, new byte[16_340]), name("a.b"))), 16_384);
        ByteArrayInputStream in = new ByteArrayInputStream(both(large, new byte[100_000]));
        int before = in.available();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ClientHello.read(NOTHING, in))
                .withMessageContaining("too long");
        assertThat(before - in.available()).isLessThanOrEqualTo(ClientHello.MAX_BYTES);
    }

    @Test
    void spoiltHelloIsRefusedOrReadAndNothingElse() {
        RandomGenerator random = Walk.begin(ClientHelloTest.class).random();
        for (int count = 0; count < Walk.length(20_000, 2_000_000); count++) {
            spoil(random);
        }
    }

    private static void spoil(RandomGenerator random) {
        byte[] sound = records(hello(name("one.example.org")), 1 + random.nextInt(200));
        byte[] bytes = Arrays.copyOf(sound, random.nextBoolean() ? sound.length : random.nextInt(sound.length + 1));
        for (int count = random.nextInt(4); count > 0 && bytes.length > 0; count--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        try {
            ClientHello read = ClientHello.read(NOTHING, new ByteArrayInputStream(bytes));
            assertThat(bytes).startsWith(read.bytes());
        } catch (IOException refused) {
            assertThat(refused).hasMessageContaining("TLS");
        }
    }

    private static Optional<String> nameIn(byte[] hello) throws IOException {
        return ClientHello.read(NOTHING, new ByteArrayInputStream(records(hello, 16_384)))
                .name();
    }

    private static byte[] name(String name) {
        return extension(0, part(entry(0, name)));
    }

    private static byte[] entry(int type, String name) {
        return both(new byte[] {(byte) type}, part(name.getBytes(StandardCharsets.US_ASCII)));
    }

    private static byte[] extension(int type, byte[] content) {
        return both(new byte[] {(byte) (type >> 8), (byte) type}, part(content));
    }

    private static byte[] part(byte[] content) {
        return both(new byte[] {(byte) (content.length >> 8), (byte) content.length}, content);
    }

    private static byte[] both(byte[] one, byte[] other) {
        byte[] whole = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, whole, one.length, other.length);
        return whole;
    }

    /** Without extensions at all for null. */
    private static byte[] hello(byte @Nullable [] extensions) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[34]);
        body.writeBytes(new byte[] {2, 9, 9});
        body.writeBytes(part(new byte[] {0x13, 1}));
        body.writeBytes(new byte[] {1, 0});
        if (extensions != null) {
            body.writeBytes(part(extensions));
        }
        return ByteBuffer.allocate(4 + body.size())
                .putInt((1 << 24) | body.size())
                .put(body.toByteArray())
                .array();
    }

    private static byte[] records(byte[] message, int size) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int from = 0; from < message.length; from += size) {
            byte[] piece = Arrays.copyOfRange(message, from, Math.min(message.length, from + size));
            out.writeBytes(new byte[] {22, 3, 1});
            out.writeBytes(part(piece));
        }
        return out.toByteArray();
    }
}
