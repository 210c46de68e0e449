package io.pilothouse.gateway;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;

/**
 * Measures the gateway: the same load straight at a server, through the gateway in plain HTTP, and through it over TLS,
 * alternately within one run. Server, gateway and load share the machine, so the figures are for comparison.
 */
public final class GatewayMeasurement implements AutoCloseable {
    private static final int ROUNDS = 3;
    private static final int CLIENTS = 16;
    private static final int STREAMS = 2;
    private static final int STREAM_BYTES = 512 << 20;
    private static final int QUERIES_OF_ONE = 5_000;
    private static final int CONNECTIONS = 500;
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final byte[] ANSWER = http("""
        HTTP/1.1 200 OK
        Connection: Keep-Alive
        Content-Type: text/tab-separated-values; charset=UTF-8
        X-ClickHouse-Format: TabSeparated
        Keep-Alive: timeout=10
        Content-Length: 3

        1
        """);
    private static final byte[] STREAM_HEAD = http("HTTP/1.1 200 OK\nContent-Length: " + STREAM_BYTES + "\n\n");
    private static final byte[] QUERY = http("""
        POST / HTTP/1.1
        Host: localhost
        X-ClickHouse-User: default
        X-ClickHouse-Key: secret
        Content-Length: 8

        SELECT 1\
        """);
    private static final byte[] DOWNLOAD = http("GET /download HTTP/1.1\nHost: localhost\n\n");
    private static final byte[] UPLOAD =
            http("POST /upload HTTP/1.1\nHost: localhost\nContent-Length: " + STREAM_BYTES + "\n\n");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final PrintStream out = System.out;
    private final GatewayFixture fixture;
    private final ServerSocket server;
    private final List<Way> ways;

    private interface Dial {
        Socket open() throws IOException;
    }

    private record Way(String name, Dial dial) {
        Socket open() throws IOException {
            Socket socket = dial.open();
            socket.setTcpNoDelay(true);
            return socket;
        }
    }

    private GatewayMeasurement(Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
        server = new ServerSocket(0, 1024, InetAddress.ofLiteral("127.0.0.1"));
        threads.execute(this::accept);
        InetSocketAddress direct = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        fixture.serve(GatewaySwitch.awake(direct));
        InetAddress loopback = server.getInetAddress();
        int port = fixture.port(GatewayProtocol.HTTPS);
        SSLContext trust = fixture.trust();
        ways = List.of(
                new Way("direct", () -> new Socket(loopback, server.getLocalPort())),
                new Way("gateway, plain", () -> new Socket(loopback, port)),
                new Way("gateway, TLS", () -> trust.getSocketFactory().createSocket(loopback, port)));
    }

    public static void main(String[] arguments)
            throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
        Path folder = Files.createTempDirectory("gateway-measurement");
        try (GatewayMeasurement measurement = new GatewayMeasurement(folder)) {
            measurement.run();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        fixture.close();
        threads.shutdownNow();
    }

    private void run() throws InterruptedException, ExecutionException, IOException {
        for (Way way : ways) {
            queries(way);
            connections(way);
        }
        measure("queries, " + CLIENTS + " clients", this::queries);
        measure("queries, 1 client", this::queriesOfOne);
        measure("megabytes down, " + STREAMS + " streams", way -> megabytes(way, this::download));
        measure("megabytes up, " + STREAMS + " streams", way -> megabytes(way, this::upload));
        measure("new connections with one query", this::connections);
        idle();
    }

    /** How much was done in a round: queries, megabytes or connections. */
    private interface Load {
        long on(Way way) throws InterruptedException, ExecutionException, IOException;
    }

    private void measure(String unit, Load load) throws InterruptedException, ExecutionException, IOException {
        double[][] perSecond = new double[ways.size()][ROUNDS];
        double[][] cpuMicros = new double[ways.size()][ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int way = 0; way < ways.size(); way++) {
                long began = System.nanoTime();
                long cpuBegan = cpuNanos();
                long done = load.on(ways.get(way));
                cpuMicros[way][round] = (cpuNanos() - cpuBegan) / 1e3 / done;
                perSecond[way][round] = done * 1e9 / (System.nanoTime() - began);
            }
        }
        for (int way = 0; way < ways.size(); way++) {
            out.printf(
                    Locale.ROOT,
                    "%-38s %-15s %8.0f/s %8.0f microseconds of CPU each%n",
                    unit,
                    ways.get(way).name(),
                    median(perSecond[way]),
                    median(cpuMicros[way]));
        }
    }

    private static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /**
     * Of the whole process, including load and server, so that the gateway's share is the difference from the direct
     * way.
     */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private long queries(Way way) throws InterruptedException, ExecutionException {
        long until = System.nanoTime() + ROUND.toNanos();
        List<Future<Long>> clients = new ArrayList<>();
        for (int count = 0; count < CLIENTS; count++) {
            clients.add(threads.submit(() -> {
                try (Socket socket = way.open()) {
                    long queries = 0;
                    while (System.nanoTime() - until < 0) {
                        query(socket);
                        queries++;
                    }
                    return queries;
                }
            }));
        }
        long all = 0;
        for (Future<Long> client : clients) {
            all += client.get();
        }
        return all;
    }

    private long queriesOfOne(Way way) throws IOException {
        try (Socket socket = way.open()) {
            for (int count = 0; count < QUERIES_OF_ONE; count++) {
                query(socket);
            }
            return QUERIES_OF_ONE;
        }
    }

    private long connections(Way way) throws IOException {
        for (int count = 0; count < CONNECTIONS; count++) {
            query(way);
        }
        return CONNECTIONS;
    }

    private interface Transfer {
        void over(Socket socket) throws IOException;
    }

    private long megabytes(Way way, Transfer transfer) throws InterruptedException, ExecutionException {
        List<Future<Boolean>> streams = new ArrayList<>();
        for (int count = 0; count < STREAMS; count++) {
            streams.add(threads.submit(() -> {
                try (Socket socket = way.open()) {
                    transfer.over(socket);
                    return true;
                }
            }));
        }
        for (Future<Boolean> stream : streams) {
            stream.get();
        }
        return STREAMS * (long) STREAM_BYTES / 1_000_000;
    }

    private void download(Socket socket) throws IOException {
        socket.getOutputStream().write(DOWNLOAD);
        byte[] piece = new byte[64 * 1024];
        InputStream in = socket.getInputStream();
        for (long left = STREAM_HEAD.length + (long) STREAM_BYTES; left > 0; ) {
            left -= in.read(piece);
        }
    }

    private void upload(Socket socket) throws IOException {
        OutputStream to = socket.getOutputStream();
        to.write(UPLOAD);
        byte[] piece = new byte[64 * 1024];
        for (int sent = 0; sent < STREAM_BYTES; sent += piece.length) {
            to.write(piece);
        }
        requireAnswer(socket);
    }

    private void idle() throws IOException {
        Way plain = ways.get(1);
        List<Socket> sockets = new ArrayList<>();
        query(plain);
        long before = usedHeap();
        int threadsBefore = Thread.getAllStackTraces().size();
        for (int count = 0; count < 500; count++) {
            Socket socket = plain.open();
            sockets.add(socket);
            query(socket);
        }
        long heap = (usedHeap() - before) / 1024 / sockets.size();
        int more = Thread.getAllStackTraces().size() - threadsBefore;
        out.printf(
                Locale.ROOT,
                "500 idle connections: %d KiB of heap each (the test's client and server halves included), %d threads"
                        + " more%n",
                heap,
                more);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static void query(Way way) throws IOException {
        try (Socket socket = way.open()) {
            query(socket);
        }
    }

    private static void query(Socket socket) throws IOException {
        socket.getOutputStream().write(QUERY);
        requireAnswer(socket);
    }

    private static void requireAnswer(Socket socket) throws IOException {
        byte[] answer = socket.getInputStream().readNBytes(ANSWER.length);
        if (!Arrays.equals(answer, ANSWER)) {
            throw new IOException("not the answer that was expected: " + new String(answer, StandardCharsets.US_ASCII));
        }
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> answer(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void answer(Socket accepted) {
        try (Socket socket = accepted) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
            OutputStream to = socket.getOutputStream();
            byte[] piece = new byte[64 * 1024];
            for (int first = in.read(); first >= 0; first = in.read()) {
                String head = restOfHead(in);
                if (head.startsWith("ET /download")) {
                    to.write(STREAM_HEAD);
                    for (int sent = 0; sent < STREAM_BYTES; sent += piece.length) {
                        to.write(piece);
                    }
                } else {
                    int length = head.startsWith("OST /upload") ? STREAM_BYTES : 8;
                    for (int left = length; left > 0; ) {
                        left -= in.read(piece, 0, Math.min(left, piece.length));
                    }
                    to.write(ANSWER);
                }
            }
        } catch (IOException gone) {
            GatewayLog.debug("a client of the measurement left", gone);
        }
    }

    private static String restOfHead(InputStream in) throws IOException {
        byte[] head = new byte[1024];
        int length = 0;
        while (length < 4
                || head[length - 1] != '\n'
                || head[length - 2] != '\r'
                || head[length - 3] != '\n'
                || head[length - 4] != '\r') {
            head[length++] = (byte) in.read();
        }
        return new String(head, 0, length, StandardCharsets.US_ASCII);
    }

    private static byte[] http(String text) {
        return text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }
}
