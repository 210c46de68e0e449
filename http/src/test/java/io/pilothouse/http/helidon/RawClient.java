package io.pilothouse.http.helidon;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client that sends exactly the bytes it is given, and reads answers one by one. */
public final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 15_000;

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** Connects from this address of the machine. */
    RawClient(int port, String from) throws IOException {
        this.socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Speaks over a connection that is there. */
    RawClient(Socket connected) throws IOException {
        this.socket = connected;
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** An answer as it came over the wire. */
    public record Reply(int status, Map<String, String> headers, String body) {
        @Nullable
        String header(String name) {
            return headers.get(name);
        }
    }

    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** A request without a body, on a connection that stays open. */
    Reply ask(String methodAndPath) throws IOException {
        return send(methodAndPath + " HTTP/1.1\r\nHost: test\r\n\r\n").read(methodAndPath.startsWith("HEAD "));
    }

    /** A request with a JSON body. */
    Reply ask(String methodAndPath, String body) throws IOException {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        send(methodAndPath + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\n\r\n");
        return send(body.getBytes(StandardCharsets.UTF_8)).read();
    }

    public Reply read() throws IOException {
        return read(false);
    }

    public Reply read(boolean withoutBody) throws IOException {
        String[] statusLine = line().split(" ", 3);
        int status = Integer.parseInt(statusLine[1]);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.merge(line.substring(0, colon), line.substring(colon + 1).strip(), (a, b) -> a + ", " + b);
        }
        if (withoutBody || status == 304 || status < 200) {
            return new Reply(status, headers, "");
        }
        byte[] body = "chunked".equals(headers.get("Transfer-Encoding"))
                ? chunks()
                : in.readNBytes(Integer.parseInt(headers.getOrDefault("Content-Length", "0")));
        return new Reply(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int length = Integer.parseInt(line().toLowerCase(Locale.ROOT), 16);
        while (length > 0) {
            byte[] chunk = in.readNBytes(length);
            if (chunk.length < length) {
                throw new EOFException("broken off in a chunk");
            }
            all.writeBytes(chunk);
            line();
            length = Integer.parseInt(line().toLowerCase(Locale.ROOT), 16);
        }
        line();
        return all.toByteArray();
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("closed after: " + line.toString(StandardCharsets.ISO_8859_1));
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Whether the other side closes, waited for as long as the socket is patient. */
    public boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    void receiveBuffer(int bytes) throws IOException {
        socket.setReceiveBufferSize(bytes);
    }

    /** Closes before its time is up. */
    void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
