package io.pilothouse.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;

/** One connection that is kept open; as cheap as possible, so that the other side is what is measured. */
final class Wire implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final String authority;

    Wire(URI server) throws IOException {
        this.socket = new Socket(server.getHost(), server.getPort());
        this.socket.setTcpNoDelay(true);
        this.socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
        this.authority = server.getAuthority();
    }

    String authority() {
        return authority;
    }

    /** The answer: its head and the length of its body, which is read and dropped. */
    record Reply(String head, long bodyBytes) {
        int status() {
            return Integer.parseInt(head.substring(9, 12));
        }

        String field(String name) {
            for (String line : head.lines().toList()) {
                if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                    return line.substring(name.length() + 1).strip();
                }
            }
            return "";
        }
    }

    Reply exchange(Request request) throws IOException {
        Reply reply = exchange(request.bytes(authority));
        if (reply.status() >= 400) {
            throw new IOException("The program answered " + reply.status() + " to " + request.method());
        }
        return reply;
    }

    Reply exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        String head = head();
        Reply reply = new Reply(head, 0);
        if (reply.status() == 304 || reply.status() == 204) {
            return reply;
        }
        String length = reply.field("Content-Length");
        long bytes = length.isEmpty() ? skipChunks() : skip(Long.parseLong(length));
        return new Reply(head, bytes);
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder(512);
        while (head.length() < 4 || !"\r\n\r\n".contentEquals(head.subSequence(head.length() - 4, head.length()))) {
            head.append((char) read());
        }
        return head.toString();
    }

    private int read() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("The program closed the connection");
        }
        return next;
    }

    private long skip(long bytes) throws IOException {
        in.skipNBytes(bytes);
        return bytes;
    }

    private long skipChunks() throws IOException {
        long sum = 0;
        while (true) {
            long size = Long.parseLong(line().strip(), 16);
            skip(size);
            line();
            if (size == 0) {
                return sum;
            }
            sum += size;
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int next = read();
        while (next != '\n') {
            line.append((char) next);
            next = read();
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
