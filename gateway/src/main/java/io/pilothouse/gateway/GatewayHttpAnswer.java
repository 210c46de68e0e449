package io.pilothouse.gateway;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Follows a database's answer as it streams by, to know where it ends. It holds nothing back: progress headers have to
 * reach the client while the query still runs, so a head may last for hours and have any length. An answer that the
 * client could understand to end elsewhere is broken. A cookie is blanked: a browser would send it to every port of the
 * host, and so to the console.
 */
final class GatewayHttpAnswer {
    /** Longer than any line that decides something; the rest of a longer line passes unread. */
    private static final int REMEMBERED_LINE = 256;

    private static final int SIZE_DIGITS = 15;
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-9]\\d\\d(?: .*)?");
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern COMMA = Pattern.compile("[ \\t]*,[ \\t]*");
    private static final String COOKIE = "set-cookie";
    private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding", "connection");

    private final boolean neverHasBody;
    private final StringBuilder line = new StringBuilder(REMEMBERED_LINE);
    private State state = State.STATUS_LINE;
    private boolean untouched = true;
    private int status;
    private boolean keepAlive;
    private long exceptionCode;
    private boolean afterCarriageReturn;
    private boolean longer;
    private boolean inCookie;
    private boolean closes;
    private int lengths;
    private int encodings;
    private long left;

    private enum State {
        STATUS_LINE,
        HEADERS,
        SIZED_BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        BODY_UNTIL_END,
        COMPLETE,
        BROKEN
    }

    /** {@code neverHasBody}: an answer to a HEAD request announces a body that does not come. */
    GatewayHttpAnswer(boolean neverHasBody) {
        this.neverHasBody = neverHasBody;
    }

    /** Takes in the next bytes, blanks cookies in them, and returns how many of them belong to this answer. */
    int accept(byte[] bytes, int length) {
        int index = 0;
        while (index < length && state != State.COMPLETE && state != State.BROKEN) {
            untouched = false;
            switch (state) {
                case SIZED_BODY, CHUNK -> index += skipPayload(length - index);
                case BODY_UNTIL_END -> index = length;
                case STATUS_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS -> takeIn(bytes, index++);
                case COMPLETE, BROKEN -> throw new IllegalStateException("the loop has ended");
            }
        }
        return index;
    }

    boolean complete() {
        return state == State.COMPLETE;
    }

    /** Whether the head of the final answer was read, so that its status is known. */
    boolean hasHead() {
        return switch (state) {
            case SIZED_BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILERS, BODY_UNTIL_END, COMPLETE -> true;
            case STATUS_LINE, HEADERS, BROKEN -> false;
        };
    }

    /** Whether nothing of the final answer has come, so that the client can still be given another one. */
    boolean untouched() {
        return untouched;
    }

    boolean broken() {
        return state == State.BROKEN;
    }

    /** Whether the database takes another request on the same connection. */
    boolean keepAlive() {
        return complete() && keepAlive;
    }

    int status() {
        return status;
    }

    /** ClickHouse's number of what went wrong; 0 if nothing did. */
    long exceptionCode() {
        return exceptionCode;
    }

    /** One byte of a line, which has to end in CR LF: a bare one of them ends it for some clients only. */
    private void takeIn(byte[] bytes, int index) {
        byte next = bytes[index];
        boolean control = (next >= 0 && next < ' ' && next != '\t') || next == 0x7f;
        if (afterCarriageReturn != (next == '\n') || (control && next != '\r' && next != '\n')) {
            state = State.BROKEN;
        } else if (next == '\n') {
            afterCarriageReturn = false;
            lineEnds();
            line.setLength(0);
            longer = false;
            inCookie = false;
        } else if (next == '\r') {
            afterCarriageReturn = true;
        } else {
            if (inCookie) {
                bytes[index] = ' ';
            } else {
                inCookie = next == ':' && lineIsCookie();
            }
            remember(next);
        }
    }

    private void remember(byte next) {
        if (line.length() < REMEMBERED_LINE) {
            line.append((char) (next & 0xff));
        } else {
            longer = true;
        }
    }

    /** In place: the usual answer costs no text for it. */
    private boolean lineIsCookie() {
        boolean same = line.length() == COOKIE.length();
        for (int index = 0; same && index < COOKIE.length(); index++) {
            same = Character.toLowerCase(line.charAt(index)) == COOKIE.charAt(index);
        }
        return same;
    }

    private int skipPayload(int available) {
        int count = (int) Math.min(available, left);
        left -= count;
        if (left == 0) {
            state = state == State.CHUNK ? State.CHUNK_END : State.COMPLETE;
        }
        return count;
    }

    private void lineEnds() {
        switch (state) {
            case STATUS_LINE -> readStatusLine();
            case HEADERS -> readHeader();
            case CHUNK_SIZE -> readChunkSize();
            case CHUNK_END -> state = line.isEmpty() ? State.CHUNK_SIZE : State.BROKEN;
            case TRAILERS -> readTrailer();
            case SIZED_BODY, CHUNK, BODY_UNTIL_END, COMPLETE, BROKEN ->
                throw new IllegalStateException("no lines in " + state);
        }
    }

    private void readStatusLine() {
        int code = STATUS_LINE.matcher(line).matches() ? (int) number(line.substring(9, 12), 10) : 0;
        // after a switch of protocols the gateway could no longer see the framing
        if (code == 0 || code == 101) {
            state = State.BROKEN;
            return;
        }
        status = code;
        keepAlive = line.charAt(7) == '1';
        closes = false;
        lengths = 0;
        encodings = 0;
        left = -1;
        state = State.HEADERS;
    }

    private void readHeader() {
        if (line.isEmpty()) {
            headEnds();
            return;
        }
        int colon = line.indexOf(":");
        if (!isField(colon)) {
            state = State.BROKEN;
            return;
        }
        String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
        if (longer && FRAMING.contains(name)) {
            state = State.BROKEN;
            return;
        }
        String value = line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
        switch (name) {
            case "content-length" -> {
                left = number(value, 10);
                if (left < 0 || ++lengths > 1) {
                    state = State.BROKEN;
                }
            }
            case "transfer-encoding" -> {
                // a tab behind it is part of the word for some clients
                if (!value.equals("chunked") || line.charAt(line.length() - 1) <= ' ' || ++encodings > 1) {
                    state = State.BROKEN;
                }
            }
            case "connection" -> {
                for (String option : COMMA.splitAsStream(value).toList()) {
                    closes |= option.equals("close");
                    keepAlive |= option.equals("keep-alive");
                }
            }
            case "x-clickhouse-exception-code" -> exceptionCode = number(value, 10);
            default -> {
                // says nothing about where the answer ends
            }
        }
    }

    /** Whether the line has a proper name; that of a very long one may go on behind what is remembered. */
    private boolean isField(int colon) {
        return colon < 0
                ? longer && TOKEN.matcher(line).matches()
                : colon > 0 && TOKEN.matcher(line).region(0, colon).matches();
    }

    private void readTrailer() {
        if (line.isEmpty()) {
            state = State.COMPLETE;
        } else if (!isField(line.indexOf(":"))) {
            state = State.BROKEN;
        }
    }

    private void headEnds() {
        boolean chunked = encodings > 0;
        keepAlive &= !closes;
        if (chunked && lengths > 0) {
            state = State.BROKEN;
        } else if (status < 200) {
            untouched = true;
            state = State.STATUS_LINE;
        } else if (neverHasBody || status == 204 || status == 304 || (!chunked && left == 0)) {
            state = State.COMPLETE;
        } else if (chunked) {
            state = State.CHUNK_SIZE;
        } else if (left > 0) {
            state = State.SIZED_BODY;
        } else {
            keepAlive = false;
            state = State.BODY_UNTIL_END;
        }
    }

    private void readChunkSize() {
        int extension = line.indexOf(";");
        left = number(extension < 0 ? line.toString() : line.substring(0, extension), 16);
        if (left < 0) {
            state = State.BROKEN;
        } else {
            state = left == 0 ? State.TRAILERS : State.CHUNK;
        }
    }

    private static long number(String digits, int radix) {
        if (digits.isEmpty() || digits.length() > SIZE_DIGITS) {
            return -1;
        }
        long value = 0;
        for (int index = 0; index < digits.length(); index++) {
            int digit = Character.digit(digits.charAt(index), radix);
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }
}
