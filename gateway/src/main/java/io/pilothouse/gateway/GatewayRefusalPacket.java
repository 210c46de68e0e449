package io.pilothouse.gateway;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A refusal in the first packet that a ClickHouse or MySQL client expects from its server. */
final class GatewayRefusalPacket {
    private static final int NATIVE_EXCEPTION = 2;
    private static final int NATIVE_NOT_IMPLEMENTED = 48;
    private static final int NATIVE_TOO_MANY_SIMULTANEOUS = 202;
    private static final int NATIVE_NETWORK_ERROR = 210;
    private static final int MYSQL_ERROR = 0xff;
    private static final int MYSQL_TOO_MANY_CONNECTIONS = 1040;
    private static final int MYSQL_UNKNOWN_ERROR = 1105;
    private static final int MYSQL_NOT_SUPPORTED_YET = 1235;
    private static final int MYSQL_SERVER_SHUTDOWN = 1053;
    private static final int MYSQL_HOST_IS_BLOCKED = 1129;
    private static final int MYSQL_MAX_MESSAGE = 512;

    private GatewayRefusalPacket() {}

    /** ClickHouse's exception packet: code, name, text, stack trace, no nested exception. */
    static byte[] forNative(GatewayUnreachable unreachable) {
        int code = switch (unreachable.reason()) {
            case UNSUPPORTED -> NATIVE_NOT_IMPLEMENTED;
            case TOO_MANY_CONNECTIONS, TOO_MANY_FAILURES -> NATIVE_TOO_MANY_SIMULTANEOUS;
            case UNAVAILABLE, ELSEWHERE -> NATIVE_NETWORK_ERROR;
        };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(NATIVE_EXCEPTION);
        littleEndian(out, code, 4);
        string(out, "DB::Exception");
        string(out, "DB::Exception: " + unreachable.sentence());
        string(out, "");
        out.write(0);
        return out.toByteArray();
    }

    /** MySQL's ERR packet in place of the greeting, where it carries no SQL state yet. */
    static byte[] forMysql(GatewayUnreachable unreachable) {
        int code = switch (unreachable.reason()) {
            case UNSUPPORTED -> MYSQL_NOT_SUPPORTED_YET;
            case TOO_MANY_CONNECTIONS -> MYSQL_TOO_MANY_CONNECTIONS;
            case UNAVAILABLE -> MYSQL_SERVER_SHUTDOWN;
            case ELSEWHERE -> MYSQL_UNKNOWN_ERROR;
            case TOO_MANY_FAILURES -> MYSQL_HOST_IS_BLOCKED;
        };
        byte[] message = unreachable.sentence().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(message.length, MYSQL_MAX_MESSAGE);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        littleEndian(out, 3 + length, 3);
        out.write(0);
        out.write(MYSQL_ERROR);
        littleEndian(out, code, 2);
        out.write(message, 0, length);
        return out.toByteArray();
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int rest = bytes.length;
        while (rest >= 0x80) {
            out.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
        out.writeBytes(bytes);
    }

    private static void littleEndian(ByteArrayOutputStream out, int value, int bytes) {
        for (int index = 0; index < bytes; index++) {
            out.write(value >>> (Byte.SIZE * index));
        }
    }
}
