package io.pilothouse.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends exactly the bytes it is given, sound or not. */
final class GatewayRawClient implements AutoCloseable {
    private static final int DEADLINE_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    GatewayRawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(DEADLINE_MILLIS);
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    Socket socket() {
        return socket;
    }

    GatewayRawClient say(String text) throws IOException {
        return say(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    GatewayRawClient say(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    GatewayRawClient get(String target) throws IOException {
        return say("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    void leave() throws IOException {
        socket.close();
    }

    /** Vanishes without a goodbye. */
    void reset() throws IOException {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        socket.close();
    }

    int read() throws IOException {
        return in.read();
    }

    byte[] read(int count) throws IOException {
        return in.readNBytes(count);
    }

    String readToEnd() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** One answer, head and body. */
    String readAnswer() throws IOException {
        String head = readHead();
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("content-length: ");
        if (at < 0) {
            return head;
        }
        String rest = lower.substring(at + 16);
        int length = Integer.parseInt(rest.substring(0, rest.indexOf("\r\n")));
        return head + new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    String readHead() throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the answer ended after: " + head.toString(StandardCharsets.ISO_8859_1));
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /** Whether the other side has ended the connection, gently or not. */
    boolean endsWithoutAByte() {
        try {
            return in.read() < 0;
        } catch (IOException ended) {
            return !(ended instanceof SocketTimeoutException);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
