package io.pilothouse.incoming.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected bytes are those of X.690 and of well-known identifiers. */
class TlsDerTest {
    @ParameterizedTest
    @CsvSource({"0,0400", "127,047f", "128,048180", "255,0481ff", "256,04820100", "65535,0482ffff", "65536,0483010000"})
    void lengthTakesAsFewBytesAsItCan(int length, String head) {
        String written = hex(TlsDer.octets(new byte[length]));
        assertThat(written).startsWith(head).hasSize(head.length() + 2 * length);
    }

    @ParameterizedTest
    @CsvSource({
        "1.2.840.10045.4.3.2, 06082a8648ce3d040302",
        "2.5.29.17,           0603551d11",
        "1.3.6.1.5.5.7.3.1,   06082b06010505070301",
        "2.5.4.3,             0603550403"
    })
    void objectIdentifierIsWrittenInGroupsOfSevenBits(String dotted, String expected) {
        assertThat(hex(TlsDer.objectIdentifier(dotted))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0,020100", "127,02017f", "128,02020080", "256,02020100"})
    void integerKeepsItsSign(int value, String expected) {
        assertThat(hex(TlsDer.integer(BigInteger.valueOf(value)))).isEqualTo(expected);
    }

    @Test
    void yearsFrom2050OnHaveFourDigits() {
        assertThat(text(TlsDer.time(Instant.parse("2049-12-31T23:59:59Z")))).isEqualTo("491231235959Z");
        assertThat(TlsDer.time(Instant.parse("2049-12-31T23:59:59Z"))[0]).isEqualTo((byte) 0x17);
        assertThat(text(TlsDer.time(Instant.parse("2050-01-01T00:00:00Z")))).isEqualTo("20500101000000Z");
        assertThat(TlsDer.time(Instant.parse("2050-01-01T00:00:00Z"))[0]).isEqualTo((byte) 0x18);
    }

    @Test
    void constructedFormsHoldTheirPartsInOrder() {
        byte[] parts = TlsDer.sequence(TlsDer.bool(true), TlsDer.set(TlsDer.utf8("é")), TlsDer.bits(1, new byte[] {6}));
        assertThat(hex(parts)).isEqualTo("300d" + "0101ff" + "3104" + "0c02c3a9" + "03020106");
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String text(byte[] tagged) {
        return new String(tagged, 2, tagged.length - 2, StandardCharsets.US_ASCII);
    }
}
