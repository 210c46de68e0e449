package io.pilothouse.incoming.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Writes the few ASN.1 DER forms that a certificate is made of. */
final class TlsDer {
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int FIRST_YEAR_OF_GENERALIZED_TIME = 2050;
    private static final DateTimeFormatter SHORT_YEAR = DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT);
    private static final DateTimeFormatter LONG_YEAR = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT);

    private TlsDer() {}

    static byte[] tagged(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int leadingZero = digits[0] == 0 ? 1 : 0;
            out.write(0x80 | digits.length - leadingZero);
            out.write(digits, leadingZero, digits.length - leadingZero);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] sequence(List<byte[]> parts) {
        return tagged(SEQUENCE, parts.toArray(byte[][]::new));
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, parts);
    }

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    static byte[] bool(boolean value) {
        return tagged(BOOLEAN, new byte[] {(byte) (value ? 0xff : 0)});
    }

    static byte[] utf8(String text) {
        return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] content) {
        return tagged(OCTET_STRING, content);
    }

    static byte[] bits(int unusedBits, byte[] content) {
        return tagged(BIT_STRING, new byte[] {(byte) unusedBits}, content);
    }

    static byte[] objectIdentifier(String dotted) {
        long[] arcs = Pattern.compile("\\.")
                .splitAsStream(dotted)
                .mapToLong(Long::parseLong)
                .toArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        base128(out, arcs[0] * 40 + arcs[1]);
        for (int index = 2; index < arcs.length; index++) {
            base128(out, arcs[index]);
        }
        return tagged(OBJECT_IDENTIFIER, out.toByteArray());
    }

    /** RFC 5280: two-digit years up to 2049, four digits from 2050 on. */
    static byte[] time(Instant instant) {
        ZonedDateTime utc = instant.atZone(ZoneOffset.UTC);
        boolean longYear = utc.getYear() >= FIRST_YEAR_OF_GENERALIZED_TIME;
        String text = utc.format(longYear ? LONG_YEAR : SHORT_YEAR);
        return tagged(longYear ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void base128(ByteArrayOutputStream out, long arc) {
        int groups = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(arc) + 6) / 7);
        for (int group = groups - 1; group >= 0; group--) {
            int sevenBits = (int) (arc >> (7 * group)) & 0x7f;
            out.write(group == 0 ? sevenBits : sevenBits | 0x80);
        }
    }
}
