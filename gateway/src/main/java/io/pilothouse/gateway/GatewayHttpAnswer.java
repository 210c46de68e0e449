package io.pilothouse.gateway;

import java.util.Locale;

/**
 * Follows a database's answer as it streams by, to know where it ends. It holds nothing back: progress headers have to
 * reach the client while the query still runs, so a head may last for hours and have any length.
 */
final class GatewayHttpAnswer {
    /** Longer than any line that decides something; the rest of a longer line passes unread. */
    private static final int REMEMBERED_LINE = 256;

    private static final int SIZE_DIGITS = 15;

    private final boolean neverHasBody;
    private final StringBuilder line = new StringBuilder(REMEMBERED_LINE);
    private State state = State.STATUS_LINE;
    private boolean untouched = true;
    private int status;
    private boolean keepAlive;
    private long exceptionCode;
    private boolean chunked;
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

    /** Takes in the next bytes and returns how many of them belong to this answer. */
    int accept(byte[] bytes, int length) {
        int index = 0;
        while (index < length && state != State.COMPLETE && state != State.BROKEN) {
            untouched = false;
            switch (state) {
                case SIZED_BODY, CHUNK -> index += skipPayload(length - index);
                case BODY_UNTIL_END -> index = length;
                case STATUS_LINE, HEADERS, CHUNK_SIZE, CHUNK_END, TRAILERS -> {
                    byte next = bytes[index++];
                    if (next == '\n') {
                        lineEnds();
                        line.setLength(0);
                    } else if (next != '\r' && line.length() < REMEMBERED_LINE) {
                        line.append((char) (next & 0xff));
                    }
                }
                case COMPLETE, BROKEN -> throw new IllegalStateException("the loop has ended");
            }
        }
        return index;
    }

    boolean complete() {
        return state == State.COMPLETE;
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
            case TRAILERS -> state = line.isEmpty() ? State.COMPLETE : State.TRAILERS;
            case SIZED_BODY, CHUNK, BODY_UNTIL_END, COMPLETE, BROKEN ->
                throw new IllegalStateException("no lines in " + state);
        }
    }

    private void readStatusLine() {
        String text = line.toString();
        boolean wellFormed = text.length() >= 12 && text.startsWith("HTTP/1.") && text.charAt(8) == ' ';
        long code = wellFormed ? number(text.substring(9, 12), 10) : -1;
        // after a switch of protocols the gateway could no longer see the framing
        if (code < 100 || code == 101) {
            state = State.BROKEN;
            return;
        }
        status = (int) code;
        keepAlive = text.charAt(7) != '0';
        chunked = false;
        left = -1;
        state = State.HEADERS;
    }

    private void readHeader() {
        if (line.isEmpty()) {
            headEnds();
            return;
        }
        int colon = line.indexOf(":");
        if (colon < 1) {
            return;
        }
        String value = line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
        switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "content-length" -> {
                left = number(value, 10);
                if (left < 0) {
                    state = State.BROKEN;
                }
            }
            case "x-clickhouse-exception-code" -> exceptionCode = number(value, 10);
            case "transfer-encoding" -> chunked = value.endsWith("chunked");
            case "connection" -> keepAlive = value.contains("keep-alive") || (keepAlive && !value.contains("close"));
            default -> {
                // says nothing about where the answer ends
            }
        }
    }

    private void headEnds() {
        if (status < 200) {
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
        left = number((extension < 0 ? line.toString() : line.substring(0, extension)).strip(), 16);
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
