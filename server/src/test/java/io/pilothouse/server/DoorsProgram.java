package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.Installs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The program on the local plane without a ClickHouse: ports, doors and gateway are real, and no process is started. */
final class DoorsProgram implements AutoCloseable {
    private static final ClickHouse NOTHING = new ClickHouse.None("There is no ClickHouse here.");

    /** Below the ports that the system gives out, and apart from those of tests that run beside these. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 700 % 20_000));

    private static final Pattern PORT =
            Pattern.compile("\"protocol\":\"([a-z]+)\",\"host\":\"[^\"]*\",\"port\":(\\d+)");

    final TestProgram program;

    private DoorsProgram(TestProgram program) {
        this.program = program;
    }

    /** The first of a range of ports that nothing else is likely to use. */
    static int firstOf(int ports) {
        return 10_000 + NEXT_PORT.getAndAdd(ports) % 20_000;
    }

    static DoorsProgram start(Path folder, int firstPort, int ports, String... more) throws StartRefused {
        return start(folder, firstPort, ports, UnaryOperator.identity(), UnaryOperator.identity(), more);
    }

    static DoorsProgram start(
            Path folder,
            int firstPort,
            int ports,
            UnaryOperator<Store> store,
            UnaryOperator<PlaneParts> parts,
            String... more)
            throws StartRefused {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(
                Instant::now,
                new SecureRandom(),
                ground -> parts.apply(LocalPlaneWiring.open(ground, NOTHING, Installs.only(NOTHING))),
                log,
                request -> {},
                store);
        List<String> flags = new ArrayList<>(
                List.of("--plane", "local", "--gateway-ports", firstPort + "-" + (firstPort + ports - 1)));
        flags.addAll(List.of(more));
        return new DoorsProgram(TestProgram.start(folder, surroundings, log, flags.toArray(String[]::new)));
    }

    HttpResponse<String> create(String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = program.management(program.organizationUrl() + "/services")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}"));
        return program.send(headers.length == 0 ? request : request.headers(headers));
    }

    /** The answer to a create that must work. */
    String created(String... headers) throws IOException, InterruptedException {
        HttpResponse<String> answer = create(headers);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    String url(String created) throws IOException {
        return program.organizationUrl() + "/services/" + id(created);
    }

    static String id(String created) {
        return TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
    }

    /** Deletes a service that is going nowhere here, and waits until it is gone. */
    void delete(String created) throws IOException, InterruptedException {
        assertThat(program.send(program.management(url(created)).DELETE()).statusCode())
                .isEqualTo(200);
        program.await(url(created), body -> body.contains("\"status\":404"));
    }

    /** The ports of the endpoints in an answer. */
    static List<Integer> ports(String answer) {
        List<Integer> ports = new ArrayList<>();
        Matcher matcher = PORT.matcher(answer);
        while (matcher.find()) {
            ports.add(Integer.parseInt(matcher.group(2)));
        }
        return ports;
    }

    static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    String ready() throws IOException, InterruptedException {
        return program.get(program.running().urls().admin() + "/readyz").body();
    }

    @Override
    public void close() {
        program.close();
    }
}
