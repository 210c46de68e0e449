package io.pilothouse.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands behind the front door while it is measured: it answers from memory, as a database would a small query,
 * {@code /download} with {@link #STREAM_BYTES}, and takes in any body.
 */
final class DoorServer {
    static final int STREAM_BYTES = 16 << 20;

    private static final int BACKLOG = 1_024;
    private static final int MAX_HEAD = 4_096;
    private static final Pattern LENGTH = Pattern.compile("(?i)\\ncontent-length: *(\\d+)");
    private static final Pattern CLOSES = Pattern.compile("(?i)\\nconnection: *close");

    private DoorServer() {}

    public static void main(String[] arguments) throws IOException {
        try (ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            System.out.println("http://127.0.0.1:" + server.getLocalPort());
            while (true) {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            }
        }
    }

    private static void serve(Socket accepted) {
        try (Socket socket = accepted) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            OutputStream out = socket.getOutputStream();
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                Matcher length = LENGTH.matcher(head);
                in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
                boolean closes = CLOSES.matcher(head).find();
                answer(out, head.startsWith("GET /download") ? STREAM_BYTES : 2, closes);
                if (closes) {
                    return;
                }
            }
        } catch (IOException gone) {
            // A client that has what it came for.
        }
    }

    private static void answer(OutputStream out, int bytes, boolean closes) throws IOException {
        byte[] head = ("HTTP/1.1 200 OK\r\nConnection: " + (closes ? "close" : "Keep-Alive")
                        + "\r\nContent-Type: text/tab-separated-values; charset=UTF-8\r\n"
                        + "X-ClickHouse-Format: TabSeparated\r\nContent-Length: " + bytes + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] first = Arrays.copyOf(head, head.length + 2);
        first[head.length] = '1';
        first[head.length + 1] = '\n';
        out.write(first);
        byte[] piece = new byte[1 << 16];
        for (int left = bytes - 2; left > 0; left -= piece.length) {
            out.write(piece, 0, Math.min(left, piece.length));
        }
    }

    /** The next head, to its empty line; empty where the connection ends. */
    private static String head(InputStream in) throws IOException {
        byte[] head = new byte[MAX_HEAD];
        int length = 0;
        while (length < MAX_HEAD) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head[length++] = (byte) next;
            if (next == '\n' && length >= 4 && head[length - 2] == '\r' && head[length - 3] == '\n') {
                return new String(head, 0, length, StandardCharsets.US_ASCII);
            }
        }
        throw new IOException("A head of the measurement is too long");
    }
}
