package io.pilothouse.http.helidon;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Passes the first request of a connection on as one of HTTP/1.1, which is all that the HTTP server speaks, when it is
 * one of HTTP/1.0, as proxies and health checks send it. A second one never comes: the connection closes.
 */
final class OlderHead {
    private static final byte[] VERSION = " HTTP/1.0".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /** HTTP/1.1 requires a host, and HTTP/1.0 does not. */
    private static final byte[] HOST = "Host: pilothouse\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int maxBytes;
    private int matched;
    private boolean older;
    private boolean past;

    OlderHead(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Whether the first request is one of HTTP/1.0. */
    boolean older() {
        return older;
    }

    /** These bytes, or more of them, as the server is to read them. */
    byte[] pass(byte[] bytes, Supplier<byte[]> more) {
        for (int i = 0; !past && i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                past = true;
                return older ? withHost(bytes, i + 1, more) : bytes;
            }
            matched = bytes[i] == VERSION[matched] ? matched + 1 : bytes[i] == ' ' ? 1 : 0;
            if (matched == VERSION.length) {
                older = true;
                matched = 0;
                bytes[i] = '1';
            }
        }
        return bytes;
    }

    private byte[] withHost(byte[] bytes, int fields, Supplier<byte[]> more) {
        byte[] head = bytes;
        // An empty line may follow at once: the end of the first line is half of it.
        int from = Math.max(0, fields - 2);
        int end = indexOfEnd(head, from);
        while (end < 0 && head.length < maxBytes) {
            byte[] next = more.get();
            byte[] longer = Arrays.copyOf(head, head.length + next.length);
            System.arraycopy(next, 0, longer, head.length, next.length);
            // The end may have begun in the bytes before.
            end = indexOfEnd(longer, Math.max(from, head.length - END.length));
            head = longer;
        }
        String names = new String(head, from, Math.max(end, from) - from, StandardCharsets.ISO_8859_1);
        if (end < 0 || names.toLowerCase(Locale.ROOT).contains("\nhost:")) {
            return head;
        }
        byte[] whole = new byte[head.length + HOST.length];
        System.arraycopy(head, 0, whole, 0, fields);
        System.arraycopy(HOST, 0, whole, fields, HOST.length);
        System.arraycopy(head, fields, whole, fields + HOST.length, head.length - fields);
        return whole;
    }

    private static int indexOfEnd(byte[] bytes, int from) {
        for (int at = from; at + END.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + END.length, END, 0, END.length)) {
                return at;
            }
        }
        return -1;
    }
}
