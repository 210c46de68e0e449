package io.pilothouse.plane.local.bundled;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets the bundled ClickHouse's own boot session log in, and no session after it. That session can only log in as the
 * user {@code default} with an empty password, which no client may ever do; so that user is also authenticated here:
 * the first request is accepted, all later ones are refused. It must listen for as long as the database lives: another
 * process could take a released port and accept any login.
 */
final class BootLogin implements Closeable {
    private static final int SLOWEST_QUESTION_MILLIS = 500;
    private static final long MAX_QUESTION_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_AT_ONCE = 64;
    private static final int MAX_QUESTION_LENGTH = 8192;

    private final Executor answers;
    private final ServerSocket listener;
    private final String path;
    private final Semaphore places = new Semaphore(MAX_AT_ONCE);
    private final AtomicBoolean open = new AtomicBoolean(true);

    /** {@code answers} runs several at once: one who says nothing holds up nobody. */
    BootLogin(Executor answers) throws IOException {
        this.answers = answers;
        // Only the database knows the path, so no other process can use up the one accepted login.
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        path = "/" + HexFormat.of().formatHex(secret);
        listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
    }

    InetSocketAddress socketAddress() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Answers until it is closed; a caller that says nothing, or fails, does not affect others. */
    void serve() {
        while (!listener.isClosed()) {
            try {
                Socket question = listener.accept();
                places.acquireUninterruptibly();
                answers.execute(() -> answer(question));
            } catch (IOException failure) {
                // A process without free file descriptors would fail here in an endless loop.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    private void answer(Socket question) {
        try (question) {
            question.setSoTimeout(SLOWEST_QUESTION_MILLIS);
            boolean asked = readHead(question.getInputStream()).startsWith("GET " + path + " ");
            answer(question, asked && open.compareAndSet(true, false) ? "200 OK" : "403 Forbidden");
        } catch (IOException gone) {
            // The one who asked has not waited for the answer.
        } finally {
            places.release();
        }
    }

    private static void answer(Socket question, String status) throws IOException {
        question.getOutputStream()
                .write(("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String readHead(InputStream from) throws IOException {
        byte[] head = new byte[MAX_QUESTION_LENGTH];
        int length = 0;
        long begun = System.nanoTime();
        // Also for one who sends it byte by byte.
        while (length < head.length && System.nanoTime() - begun < MAX_QUESTION_NANOS) {
            int count = from.read(head, length, head.length - length);
            if (count < 0) {
                break;
            }
            length += count;
            String text = new String(head, 0, length, StandardCharsets.US_ASCII);
            if (text.contains("\r\n\r\n")) {
                return text;
            }
        }
        return "";
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
