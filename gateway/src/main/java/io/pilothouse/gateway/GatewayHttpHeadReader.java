package io.pilothouse.gateway;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Waits for one whole request head. Nothing of a head is passed on before its last byte has arrived and all of it is
 * sound: half a head has killed a database.
 */
final class GatewayHttpHeadReader {
    private static final String LINE_END = "\r\n";
    private static final String COOKIE = LINE_END + "Cookie:";

    private final GatewayHttpInput input;
    private final GatewayConnection connection;
    private final GatewayLimits limits;
    private int scanned;
    private int lines;
    private int lineLength;
    private boolean afterCarriageReturn;

    GatewayHttpHeadReader(GatewayHttpInput input, GatewayConnection connection) {
        this.input = input;
        this.connection = connection;
        this.limits = connection.limits();
    }

    /**
     * A head that was understood, and its bytes as they came but for cookies. Not a record: a head holds passwords and
     * must not print.
     */
    static final class Read {
        private final GatewayHttpHead head;
        private final byte[] bytes;

        private Read(GatewayHttpHead head, byte[] bytes) {
            this.head = head;
            this.bytes = bytes;
        }

        GatewayHttpHead head() {
            return head;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** Empty when the client left, or stayed idle for too long, without having begun another request. */
    Optional<Read> next() throws IOException, GatewayHttpRefusal {
        long waitingSince = System.nanoTime();
        long began = 0;
        while (true) {
            if (began == 0 && input.buffered() > 0) {
                began = System.nanoTime() | 1;
            }
            if (scan()) {
                byte[] bytes = input.take(scanned);
                input.shrink();
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                GatewayHttpHead head = GatewayHttpHead.parse(text);
                blankCookies(text, bytes);
                return Optional.of(new Read(head, bytes));
            }
            if (input.buffered() == 0) {
                began = 0;
            } else if (input.buffered() >= limits.headBytes()) {
                throw tooLong();
            }
            Duration patience = began == 0
                    ? connection.idleTimeLeft(waitingSince)
                    : limits.head().minusNanos(System.nanoTime() - began);
            if (!patience.isPositive()) {
                if (began == 0) {
                    return Optional.empty();
                }
                throw tooSlow();
            }
            if (!fill(patience)) {
                return Optional.empty();
            }
        }
    }

    private boolean fill(Duration patience) throws IOException, GatewayHttpRefusal {
        try {
            boolean more = input.fill(patience);
            if (!more && input.buffered() > 0) {
                throw new GatewayHttpRefusal(
                        GatewayHttpStatus.BAD_REQUEST, "The request ended before its head was complete.");
            }
            return more;
        } catch (SocketTimeoutException late) {
            // the clock is read again to judge whether that was too late
            return true;
        }
    }

    /** Scans the new bytes; true when the empty line was found, with {@code scanned} just behind it. */
    private boolean scan() throws GatewayHttpRefusal {
        while (scanned < input.buffered()) {
            byte next = input.at(scanned++);
            if (afterCarriageReturn != (next == '\n')) {
                throw new GatewayHttpRefusal(
                        GatewayHttpStatus.BAD_REQUEST, "Every line of a request head has to end in CR LF.");
            }
            afterCarriageReturn = next == '\r';
            if (next == '\n') {
                if (lineLength == 0 && lines > 0) {
                    return true;
                }
                if (lineLength == 0) {
                    skipEmptyLine();
                } else {
                    lines++;
                    lineLength = 0;
                }
            } else if (next != '\r') {
                if ((next >= 0 && next < ' ' && next != '\t') || next == 0x7f) {
                    throw new GatewayHttpRefusal(
                            GatewayHttpStatus.BAD_REQUEST, "A request head must not hold control characters.");
                }
                lineLength++;
            }
        }
        return false;
    }

    /** An empty line before a request is to be ignored (RFC 9112, 2.2). */
    private void skipEmptyLine() {
        input.skip(scanned);
        scanned = 0;
    }

    /** A browser sends the console's session to every port of its host, and SQL can read the headers of a request. */
    private static void blankCookies(String text, byte[] bytes) {
        int end;
        for (int from = text.indexOf(LINE_END); from >= 0; from = end) {
            end = text.indexOf(LINE_END, from + LINE_END.length());
            if (text.regionMatches(true, from, COOKIE, 0, COOKIE.length())) {
                Arrays.fill(bytes, from + COOKIE.length(), end, (byte) ' ');
            }
        }
    }

    private GatewayHttpRefusal tooLong() {
        return lines == 0
                ? new GatewayHttpRefusal(GatewayHttpStatus.URI_TOO_LONG, "The request line is too long.")
                : new GatewayHttpRefusal(GatewayHttpStatus.HEAD_TOO_LARGE, "The request's headers are too long.");
    }

    private static GatewayHttpRefusal tooSlow() {
        return new GatewayHttpRefusal(GatewayHttpStatus.REQUEST_TIMEOUT, "The request head took too long to arrive.");
    }
}
