package io.pilothouse.testkit.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A connection that sends exactly the bytes of a test; its answers are judged like any other. For one thread. */
public final class ApiRaw implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Api api;
    private final Socket socket;
    private final InputStream in;

    ApiRaw(Api api, URI base) {
        this.api = api;
        this.socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(base.getHost(), base.getPort()), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            this.in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends these bytes; false when the other side has hung up. */
    public boolean send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return true;
        } catch (IOException hungUp) {
            return false;
        }
    }

    public boolean send(String latin1) {
        return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The answer to a well-formed request, held against the document. */
    public ApiAnswer read(String method, String target) {
        return read(method, target, true)
                .orElseThrow(() -> new AssertionError("No answer to " + method + " " + target));
    }

    /** The answer to bytes that may not be HTTP; empty when the other side hung up without one. */
    public Optional<ApiAnswer> readIfAny(String what) {
        return read("-", what, false);
    }

    private Optional<ApiAnswer> read(String method, String target, boolean wellFormed) {
        Optional<ApiAnswer> answer;
        try {
            answer = Optional.of(answer(method, target));
        } catch (EOFException | SocketException hungUp) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + target, e);
        }
        api.judgeRaw(method, target, wellFormed, answer.get());
        return answer;
    }

    private ApiAnswer answer(String method, String target) throws IOException {
        String[] statusLine = line().split(" ", 3);
        int status = Integer.parseInt(statusLine[1]);
        Map<String, List<String>> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        byte[] body = method.equals("HEAD") || status == 304 ? new byte[0] : body(headers);
        return new ApiAnswer(method + " " + target, status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private byte[] body(Map<String, List<String>> headers) throws IOException {
        if (!headers.getOrDefault("transfer-encoding", List.of()).contains("chunked")) {
            int length = Integer.parseInt(
                    headers.getOrDefault("content-length", List.of("0")).getFirst());
            return whole(length);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int length = Integer.parseInt(line(), 16); length > 0; length = Integer.parseInt(line(), 16)) {
            all.writeBytes(whole(length));
            line();
        }
        line();
        return all.toByteArray();
    }

    private byte[] whole(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("Broken off after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("Closed after " + line.size() + " bytes of a line");
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Whether the other side hangs up; waits for it. */
    public boolean isClosedByServer() {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says that nothing more will come, and still reads. */
    public void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Breaks the connection off, so that whatever the other side still sends is refused. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
