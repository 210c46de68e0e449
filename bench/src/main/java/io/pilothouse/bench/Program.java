package io.pilothouse.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built program in a process of its own, by default with the simulated plane. */
final class Program implements AutoCloseable {
    private static final int MAX_SECONDS_TO_CALM = 300;
    private static final int CALM_MILLIS_A_SECOND = 200;

    private final Process process;
    private final Path data;
    private final int adminPort;
    private final Duration toFirstAnswer;

    private Program(Process process, Path data, int adminPort, Duration toFirstAnswer) {
        this.process = process;
        this.data = data;
        this.adminPort = adminPort;
        this.toFirstAnswer = toFirstAnswer;
    }

    static Program start(Machine machine, Path data) throws IOException {
        return start(machine, data, true);
    }

    static Program start(Machine machine, Path data, boolean cached) throws IOException {
        return start(machine, data, cached, List.of("--plane=simulated"));
    }

    /** Starts it and asks it for a service list until it answers with 200. */
    static Program start(Machine machine, Path data, boolean cached, List<String> plane) throws IOException {
        int adminPort = Broker.freePort();
        List<String> command = new ArrayList<>();
        command.add(machine.java().toString());
        command.addAll(machine.flags(cached));
        command.addAll(List.of(
                "-jar",
                machine.jar().toString(),
                "up",
                "--rules=cloud",
                "--data=" + data,
                "--listen=127.0.0.1:0",
                "--alerts-listen=127.0.0.1:0",
                "--query-listen=127.0.0.1:0",
                "--admin-listen=127.0.0.1:" + adminPort,
                "--log-level=warning"));
        command.addAll(plane);
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader printed =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = printed.readLine();
        while (line != null && !line.contains("organization_id")) {
            line = printed.readLine();
        }
        if (line == null) {
            throw new IOException("The program did not start");
        }
        Program program = new Program(process, data, adminPort, Duration.ofNanos(System.nanoTime() - begun));
        try (Wire wire = program.connect()) {
            wire.exchange(Request.get("/v1/organizations/" + program.organization(), program.authorization()));
        }
        return new Program(process, data, adminPort, Duration.ofNanos(System.nanoTime() - begun));
    }

    Duration toFirstAnswer() {
        return toFirstAnswer;
    }

    private String credential(String name) throws IOException {
        Matcher matcher = Pattern.compile("\"" + name + "\":\\s*\"([^\"]*)\"")
                .matcher(Files.readString(data.resolve("credentials.json")));
        if (!matcher.find()) {
            throw new IOException("The credentials have no " + name);
        }
        return matcher.group(1);
    }

    URI management() throws IOException {
        return URI.create(credential("base_url"));
    }

    String organization() throws IOException {
        return credential("organization_id");
    }

    String services() throws IOException {
        return "/v1/organizations/" + organization() + "/services";
    }

    String authorization() throws IOException {
        String key = credential("key_id") + ":" + credential("key_secret");
        return "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    Wire connect() throws IOException {
        return new Wire(management());
    }

    /** The sum of a metric over all of its labels. */
    double metric(String name) throws IOException {
        URI metrics = URI.create("http://127.0.0.1:" + adminPort + "/metrics");
        try (InputStream in = metrics.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    double residentMib() throws IOException {
        return Machine.residentMib(process.toHandle());
    }

    /** Its process, and through it those that it has started. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Runs a measurement while this program is suspended, so that the measured part has the machine to itself. */
    double whileStill(Measurement other) throws IOException, InterruptedException {
        signal("STOP");
        try {
            return other.take();
        } finally {
            signal("CONT");
        }
    }

    /** Waits until it has caught up after being suspended. */
    void awaitCalm() throws IOException, InterruptedException {
        for (int second = 0; second < MAX_SECONDS_TO_CALM; second++) {
            Duration before = processorTime(handle());
            TimeUnit.SECONDS.sleep(1);
            if (processorTime(handle()).minus(before).toMillis() < CALM_MILLIS_A_SECOND) {
                return;
            }
        }
        throw new IOException("The program is still busy after " + MAX_SECONDS_TO_CALM + " seconds");
    }

    static Duration processorTime(ProcessHandle process) throws IOException {
        return process.info()
                .totalCpuDuration()
                .orElseThrow(() -> new IOException("This system does not report how much a process has worked"));
    }

    @FunctionalInterface
    interface Measurement {
        double take() throws IOException, InterruptedException;
    }

    private void signal(String name) throws IOException, InterruptedException {
        Machine.run("kill", "-" + name, String.valueOf(process.pid()));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
