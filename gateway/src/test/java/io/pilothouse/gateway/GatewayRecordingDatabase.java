package io.pilothouse.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** A stand-in for a database on a real socket: it records every byte it receives and answers as the test says. */
final class GatewayRecordingDatabase implements AutoCloseable {
    private static final int MAX_READ = 64 * 1024;

    private final ServerSocket server;
    private final Executor threads;
    private final Script script;
    private final List<Visit> visits = new CopyOnWriteArrayList<>();

    /** The database's side of one connection. */
    interface Script {
        void play(Visit visit) throws IOException;
    }

    GatewayRecordingDatabase(Executor threads, Script script) throws IOException {
        this.threads = threads;
        this.script = script;
        this.server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** Answers every request with its body's length, and goes on for as long as the client does. */
    static void answerEach(Visit visit) throws IOException {
        for (String head = visit.readHead(); !head.isEmpty(); head = visit.readHead()) {
            byte[] body = visit.readBody(head);
            visit.say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Length: " + body.length + "\r\n\r\nOk.\n");
            if (head.contains("Connection: close")) {
                return;
            }
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    List<Visit> visits() {
        return visits;
    }

    String received() {
        StringBuilder all = new StringBuilder();
        visits.forEach(visit -> all.append(visit.received()));
        return all.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Visit visit : visits) {
            visit.socket.close();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Visit visit = new Visit(server.accept());
                visits.add(visit);
                threads.execute(() -> play(visit));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void play(Visit visit) {
        try (Socket socket = visit.socket) {
            script.play(visit);
            socket.shutdownOutput();
        } catch (IOException broken) {
            visit.broken = true;
        } finally {
            visit.over = true;
        }
    }

    /** One connection from the gateway. */
    static final class Visit {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final ByteArrayOutputStream record = new ByteArrayOutputStream();
        volatile boolean inputEnded;
        volatile boolean broken;
        volatile boolean over;

        Visit(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        Socket socket() {
            return socket;
        }

        String received() {
            synchronized (record) {
                return record.toString(StandardCharsets.ISO_8859_1);
            }
        }

        void say(String text) throws IOException {
            say(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        void say(byte[] bytes) throws IOException {
            out.write(bytes);
        }

        /** One byte, or -1 at the end. */
        int readByte() throws IOException {
            int next = in.read();
            if (next < 0) {
                inputEnded = true;
            } else {
                synchronized (record) {
                    record.write(next);
                }
            }
            return next;
        }

        /** Reads to the gateway's half-close without keeping more than the record. */
        void readToEnd() throws IOException {
            byte[] piece = new byte[MAX_READ];
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                synchronized (record) {
                    record.write(piece, 0, count);
                }
            }
            inputEnded = true;
        }

        /** Empty at the end of the connection. */
        String readHead() throws IOException {
            StringBuilder head = new StringBuilder();
            while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
                int next = readByte();
                if (next < 0) {
                    return "";
                }
                head.append((char) next);
            }
            return head.toString();
        }

        byte[] readBody(String head) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            String lower = head.toLowerCase(Locale.ROOT);
            if (lower.contains("\ntransfer-encoding: chunked")) {
                for (int size = readChunkSize(); size > 0; size = readChunkSize()) {
                    read(size, body);
                    read(2, new ByteArrayOutputStream());
                }
                read(2, new ByteArrayOutputStream());
            } else if (lower.contains("\ncontent-length: ")) {
                String rest = lower.substring(lower.indexOf("\ncontent-length: ") + 17);
                read(Integer.parseInt(rest.substring(0, rest.indexOf("\r\n")).strip()), body);
            }
            return body.toByteArray();
        }

        private int readChunkSize() throws IOException {
            StringBuilder line = new StringBuilder();
            while (!line.toString().endsWith("\r\n")) {
                int next = readByte();
                if (next < 0) {
                    throw new IOException("the body was cut off");
                }
                line.append((char) next);
            }
            return Integer.parseInt(line.substring(0, line.length() - 2), 16);
        }

        private void read(int count, ByteArrayOutputStream into) throws IOException {
            byte[] bytes = in.readNBytes(count);
            synchronized (record) {
                record.writeBytes(bytes);
            }
            into.writeBytes(bytes);
            if (bytes.length < count) {
                inputEnded = true;
                throw new IOException("the body was cut off");
            }
        }
    }
}
