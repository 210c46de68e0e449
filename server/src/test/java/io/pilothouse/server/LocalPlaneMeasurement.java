package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of a local service on this machine: {@code ./pilothouse test -pl server -am -Dit.test=LocalPlaneMeasurement
 * -Dtest=none}. No part of the tests, because a figure is no verdict.
 */
class LocalPlaneMeasurement {
    private static final int SERVICES = 5;
    private static final int QUERIES = 3_000;
    private static final int ROUNDS = 3;
    private static final int CHANGES = 20;
    private static final int MAX_WAIT_MILLIS = 10_000;

    @TempDir
    private Path folder;

    private final PrintStream out = System.out;

    @Test
    void service() throws Exception {
        LocalProgram local = new LocalProgram();
        try (TestProgram program = local.start(folder)) {
            List<String> created = new ArrayList<>();
            List<Double> first = new ArrayList<>();
            for (int i = 0; i < SERVICES; i++) {
                long begun = System.nanoTime();
                created.add(program.createService(
                                "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5}")
                        .body());
                try (ServiceClient client = client(created.getLast())) {
                    assertThat(client.query("SELECT 1")).isEqualTo("1");
                }
                first.add(millisSince(begun));
            }
            say("create to first answer", first, "ms");
            for (String each : created) {
                awaitState(program, each, "running");
            }
            memory(created);
            accessList(program, created.getFirst());
            overhead(created.getFirst());

            local.advance(Duration.ofMinutes(10));
            for (String each : created) {
                awaitState(program, each, "idle");
            }
            List<Double> wakes = new ArrayList<>();
            for (String each : created) {
                long begun = System.nanoTime();
                try (ServiceClient client = client(each)) {
                    assertThat(client.query("SELECT 1")).isEqualTo("1");
                }
                wakes.add(millisSince(begun));
            }
            say("wake: a client's first answer", wakes, "ms");
        }
    }

    private ServiceClient client(String created) throws Exception {
        return new ServiceClient(LocalProgram.authority(folder), created);
    }

    private static String id(String created) {
        return TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
    }

    private static void awaitState(TestProgram program, String created, String state)
            throws IOException, InterruptedException {
        program.await(
                program.organizationUrl() + "/services/" + id(created),
                body -> body.contains("\"state\":\"" + state + "\""));
    }

    private static double millisSince(long begun) {
        return (System.nanoTime() - begun) / 1e6;
    }

    private void say(String what, List<Double> figures, String unit) {
        List<Double> sorted = new ArrayList<>(figures);
        Collections.sort(sorted);
        out.printf(
                Locale.ROOT,
                "%s: median %.1f %s, from %.1f to %.1f (%d times)%n",
                what,
                sorted.get(sorted.size() / 2),
                unit,
                sorted.getFirst(),
                sorted.getLast(),
                sorted.size());
    }

    /** Pss shares out the pages that services have in common; Rss counts them for each. */
    private void memory(List<String> created) throws IOException {
        List<Double> whole = new ArrayList<>();
        List<Double> share = new ArrayList<>();
        List<Double> own = new ArrayList<>();
        for (String each : created) {
            long pid = LocalProgram.pid(
                    folder.resolve("services").resolve(id(each)).resolve("process"));
            String rollup = Files.readString(Path.of("/proc/" + pid + "/smaps_rollup"));
            whole.add(megabytes(rollup, "Rss"));
            share.add(megabytes(rollup, "Pss"));
            own.add(megabytes(rollup, "Private_Dirty") + megabytes(rollup, "Private_Clean"));
        }
        say("memory of a service, Rss", whole, "MB");
        say("memory of a service, Pss of " + created.size(), share, "MB");
        say("memory of a service, private", own, "MB");
    }

    private static double megabytes(String rollup, String name) {
        Matcher matcher = Pattern.compile(name + ":\\s+(\\d+) kB").matcher(rollup);
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1)) / 1024.0;
    }

    /** From the answer of the request that changes the list, which is when its sender may count on it. */
    private void accessList(TestProgram program, String created) throws Exception {
        List<Double> closed = new ArrayList<>();
        List<Double> refused = new ArrayList<>();
        List<Double> allowed = new ArrayList<>();
        try (ServiceClient client = client(created)) {
            for (int i = 0; i < CHANGES; i++) {
                try (Socket open = new Socket(InetAddress.getLoopbackAddress(), client.port())) {
                    change(program, created, "remove");
                    long removed = System.nanoTime();
                    while (answers(client)) {
                        assertThat(millisSince(removed)).isLessThan(MAX_WAIT_MILLIS);
                    }
                    refused.add(millisSince(removed));
                    open.setSoTimeout(MAX_WAIT_MILLIS);
                    assertThat(open.getInputStream().read()).isEqualTo(-1);
                    closed.add(millisSince(removed));
                }
                change(program, created, "add");
                long added = System.nanoTime();
                while (!answers(client)) {
                    assertThat(millisSince(added)).isLessThan(MAX_WAIT_MILLIS);
                }
                allowed.add(millisSince(added));
            }
        }
        say("address taken from the access list, to the first refusal", refused, "ms");
        say("address taken from the access list, to the end of its open connection", closed, "ms");
        say("address added to the access list, to its first answer", allowed, "ms");
    }

    private static void change(TestProgram program, String created, String way)
            throws IOException, InterruptedException {
        String body = "{\"ipAccessList\":{\"" + way + "\":[{\"source\":\"127.0.0.1\"}]}}";
        String url = program.organizationUrl() + "/services/" + id(created);
        program.patch(url, body);
    }

    private static boolean answers(ServiceClient client) throws InterruptedException {
        try {
            return client.query("SELECT 1").equals("1");
        } catch (IOException refused) {
            return false;
        }
    }

    private void overhead(String created) throws Exception {
        Path config = folder.resolve("services").resolve(id(created)).resolve("config.xml");
        Matcher port = Pattern.compile("<http_port>(\\d+)</http_port>").matcher(Files.readString(config));
        assertThat(port.find()).isTrue();
        String password = TestProgram.field(created, "password");
        try (ServiceClient client = client(created)) {
            for (int round = 0; round < ROUNDS; round++) {
                say(
                        "SELECT 1, straight at the database",
                        times(plain(Integer.parseInt(port.group(1)), password)),
                        "ms");
                say("SELECT 1, through the gateway, plain", times(plain(client.port(), password)), "ms");
                say("SELECT 1, through the gateway, TLS", times(() -> client.query("SELECT 1")), "ms");
            }
        }
    }

    private interface Ask {
        String ask() throws IOException, InterruptedException;
    }

    private static Ask plain(int port, String password) {
        String pair = Base64.getEncoder().encodeToString(("default:" + password).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .header("Authorization", "Basic " + pair)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString("SELECT 1"))
                .build();
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return () -> client.send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .strip();
    }

    private static List<Double> times(Ask ask) throws IOException, InterruptedException {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            long begun = System.nanoTime();
            assertThat(ask.ask()).isEqualTo("1");
            times.add(millisSince(begun));
        }
        return times;
    }
}
