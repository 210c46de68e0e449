package io.pilothouse.server.webhook;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;

/**
 * A real receiver on a loopback port: it reads each message whole and answers as its script says, the last line of
 * which holds for all that come after. Closing it ends its connections.
 */
public final class WebhookReceiver implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final ServerSocket server;
    private final Thread listening;
    private final Deque<Behaviour> script = new ArrayDeque<>(List.of(answer(204)));
    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    /** The action of a receiver that has read a message; it may throw to break the connection. */
    @FunctionalInterface
    public interface Behaviour {
        void answer(OutputStream out, Socket socket) throws IOException, InterruptedException;
    }

    /** A message as it came over the wire; the names of headers are in small letters. */
    public record Message(String requestLine, Map<String, String> headers, String body) {}

    private WebhookReceiver(ServerSocket server) {
        this.server = server;
        this.listening = Thread.ofVirtual().start(this::listen);
    }

    public static WebhookReceiver start() {
        return start(ServerSocketFactory.getDefault());
    }

    public static WebhookReceiver start(ServerSocketFactory factory) {
        try {
            return new WebhookReceiver(factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/hook";
    }

    /** From now on it does this, one after the other. */
    public void does(Behaviour... behaviours) {
        synchronized (script) {
            script.clear();
            script.addAll(List.of(behaviours));
        }
    }

    public List<Message> messages() {
        return List.copyOf(messages);
    }

    /** The next message that was not taken yet, once it is there. */
    public Message take() throws InterruptedException {
        Message message = arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("No message came within " + PATIENCE_SECONDS + " seconds");
        }
        return message;
    }

    public static Behaviour answer(int status, String... headers) {
        return (out, _) -> out.write(head(status, headers));
    }

    /** Says nothing for as long as the other side holds on. */
    public static Behaviour hang() {
        return (_, socket) -> socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Breaks the connection without a word. */
    public static Behaviour slam() {
        return (_, _) -> {};
    }

    /** Writes these bytes as they are. */
    public static Behaviour raw(String text) {
        return (out, _) -> out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Writes this again and again until the other side gives up. */
    public static Behaviour endless(String first, String again) {
        return (out, _) -> {
            out.write(first.getBytes(StandardCharsets.ISO_8859_1));
            while (true) {
                out.write(again.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        };
    }

    private static byte[] head(int status, String... headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\nContent-Length: 0\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private void listen() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // Closed, which ends the loop, or a handshake that was given up.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            Message message = read(new BufferedInputStream(socket.getInputStream()));
            messages.add(message);
            arrived.add(message);
            Behaviour behaviour;
            synchronized (script) {
                behaviour = script.size() > 1 ? script.removeFirst() : script.getFirst();
            }
            behaviour.answer(socket.getOutputStream(), socket);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // The other side gave up, which is what some tests are about.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Message read(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            lines.add(line);
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(": ");
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Message(lines.getFirst(), headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("The message ended early");
            }
            line.append((char) next);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() {
        try {
            server.close();
            // Until it has let go, the system still takes connections.
            listening.join();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
