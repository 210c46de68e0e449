package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three programs behind the load balancer of docs/scaling.md, each restarted in turn while clients write and read. */
class RollingRestartIT {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int CLIENTS = 3;
    private static final int BETWEEN_REQUESTS_MILLIS = 100;
    private static final int ANSWERS = 15;
    private static final int MAX_LINES = 20;
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    /** Below those that the system gives to connections, so that they are still free after a restart. */
    private static final int FIRST_PORT = 20_000;

    private static final int PORTS = 8_000;

    @TempDir
    private Path folder;

    private final Queue<String> failed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final List<ChildOnPostgres> programs = new ArrayList<>();

    @Test
    void noRequestFailsWhileEachProgramIsRestartedInTurn() throws IOException, InterruptedException, SQLException {
        String haproxy = haproxy();
        List<Integer> ports = ports(2 * NAMES.size() + 1);
        try (StorePostgres postgres = new StorePostgres(folder)) {
            try {
                for (int program = 0; program < NAMES.size(); program++) {
                    programs.add(start(postgres, ports, program));
                }
                try (ChildProgram balancer =
                        ChildProgram.command(folder, List.of(haproxy, "-db", "-f", configuration(ports)))) {
                    restartInTurn(postgres, ports, balancer);
                }
            } finally {
                for (ChildOnPostgres program : programs) {
                    program.close();
                }
            }
        }
    }

    private static String haproxy() {
        for (String place : List.of("/usr/sbin/haproxy", "/usr/bin/haproxy", "/usr/local/sbin/haproxy")) {
            if (Files.isExecutable(Path.of(place))) {
                return place;
            }
        }
        return Assumptions.abort("There is no haproxy here.");
    }

    private static List<Integer> ports(int count) {
        List<Integer> free = new ArrayList<>();
        int first = (int) (ProcessHandle.current().pid() % PORTS);
        for (int tried = 0; free.size() < count; tried++) {
            int port = FIRST_PORT + (first + tried) % PORTS;
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                free.add(probe.getLocalPort());
            } catch (IOException taken) {
                assertThat(tried).isLessThan(PORTS);
            }
        }
        return free;
    }

    private ChildOnPostgres start(StorePostgres postgres, List<Integer> ports, int program) throws IOException {
        Path home = folder.resolve(NAMES.get(program));
        Path data = Files.createDirectories(home.resolve("data"));
        if (program > 0 && !Files.exists(data.resolve("secret.key"))) {
            for (String key : List.of("secret.key", "vault.key", "credentials.json")) {
                Files.copy(folder.resolve(NAMES.getFirst()).resolve("data").resolve(key), data.resolve(key));
            }
        }
        List<String> flags = new ArrayList<>(postgres.flags());
        flags.addAll(List.of("--store-shared", "--listen", "127.0.0.1:" + ports.get(2 * program)));
        flags.addAll(List.of("--admin-listen", "127.0.0.1:" + ports.get(2 * program + 1)));
        return ChildOnPostgres.beside(home, Duration.ZERO, flags);
    }

    /** The one of the page, with the addresses of here. */
    private String configuration(List<Integer> ports) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "scaling.md"));
        int begin = page.indexOf("```haproxy\n") + "```haproxy\n".length();
        String text = page.substring(begin, page.indexOf("```", begin));
        text = replaced(text, "/run/haproxy/admin.sock", socket().toString());
        text = replaced(text, ":443 ssl crt /etc/haproxy/pilothouse.pem", "127.0.0.1:" + ports.getLast());
        for (int program = 0; program < NAMES.size(); program++) {
            text = replaced(
                    text,
                    "10.0.0." + (program + 1) + ":8080 port 9090",
                    "127.0.0.1:" + ports.get(2 * program) + " port " + ports.get(2 * program + 1));
        }
        return Files.writeString(folder.resolve("haproxy.cfg"), text).toString();
    }

    private static String replaced(String text, String from, String to) {
        assertThat(text).contains(from);
        return text.replace(from, to);
    }

    private Path socket() {
        return folder.resolve("admin.sock");
    }

    private void restartInTurn(StorePostgres postgres, List<Integer> ports, ChildProgram balancer)
            throws IOException, InterruptedException {
        awaitThat(balancer, () -> Files.exists(socket()) && stat("a").contains(",UP,"));
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            URI base = URI.create("http://127.0.0.1:" + ports.getLast());
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                clients.execute(() -> ask(base, number));
            }
            try {
                for (int program = 0; program < NAMES.size(); program++) {
                    awaitAnswers(balancer);
                    String name = NAMES.get(program);
                    command("set server pilothouse/" + name + " state drain");
                    awaitThat(balancer, () -> inUse(name) == 0);
                    ChildOnPostgres leaves = programs.get(program);
                    leaves.program().signal("TERM");
                    assertThat(leaves.program().exitCode()).isIn(0, 143);
                    leaves.close();
                    awaitAnswers(balancer);
                    programs.set(program, start(postgres, ports, program));
                    command("set server pilothouse/" + name + " state ready");
                    awaitThat(balancer, () -> stat(name).contains(",UP,"));
                }
                awaitAnswers(balancer);
            } finally {
                enough.set(true);
            }
        }
        requireNoFailure();
        System.out.printf("RollingRestartIT: %d requests, none of which failed%n", answered.get());
    }

    private void ask(URI base, int client) {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            String services = base + "/v1/organizations/" + programs.get(0).credential("organization_id") + "/services";
            HttpRequest.Builder any = programs.get(0).request("GET", "/services", "");
            String made = "";
            for (int number = 0; !enough.get(); number++) {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_REQUESTS_MILLIS);
                String name = "{\"name\": \"Client " + client + " " + number + "\"}";
                boolean makes = made.isEmpty();
                boolean looks = !makes && number % 2 == 0;
                HttpRequest request = any.copy()
                        .uri(URI.create(makes ? services : services + "/" + made))
                        .timeout(ANSWER_WITHIN)
                        .method(
                                makes ? "POST" : looks ? "GET" : "PATCH",
                                looks ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(name))
                        .build();
                HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    answered.incrementAndGet();
                    made = makes ? SharedLoad.idIn(answer.body()) : made;
                } else {
                    failed.add(request.method() + " " + answer.statusCode() + " " + answer.body());
                }
            }
        } catch (IOException e) {
            failed.add(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswers(ChildProgram balancer) throws IOException, InterruptedException {
        int before = answered.get();
        awaitThat(balancer, () -> answered.get() > before + ANSWERS || !failed.isEmpty());
        requireNoFailure();
    }

    private void requireNoFailure() throws IOException {
        List<String> errors = new ArrayList<>();
        for (ChildOnPostgres program : programs) {
            program.program()
                    .errors()
                    .lines()
                    .filter(line -> line.contains(" status=5") || !line.contains(" level=info "))
                    .limit(MAX_LINES)
                    .forEach(errors::add);
        }
        assertThat(failed).as("%s", errors).isEmpty();
    }

    /** Something that is so after a while. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void awaitThat(ChildProgram balancer, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            assertThat(balancer.process().isAlive()).as(balancer.errors()).isTrue();
            assertThat(System.nanoTime()).as(balancer.errors()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** The line of statistics about a server. */
    private String stat(String name) throws IOException {
        return command("show stat")
                .lines()
                .filter(line -> line.startsWith("pilothouse," + name + ","))
                .findFirst()
                .orElse("");
    }

    private int inUse(String name) throws IOException {
        return Integer.parseInt(stat(name).split(",", -1)[4]);
    }

    private String command(String text) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket()));
            channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.US_ASCII)));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            Channels.newInputStream(channel).transferTo(answer);
            return answer.toString(StandardCharsets.US_ASCII);
        }
    }
}
