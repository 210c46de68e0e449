package io.pilothouse.testkit.soak;

import io.pilothouse.testkit.api.ApiJson;
import java.io.File;
import java.io.IOException;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The program as an operator runs it: started, stopped, killed and started again over the same data. */
final class SoakProgram implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** Killed again and again, it would never have the time to make anything as wanted. */
    private static final Duration SPARED = Duration.ofSeconds(15);

    private static final int TERMINATED = 143;
    private static final int UNAVAILABLE = 503;
    private static final Pattern LIVE = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

    private final Soak.Place place;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicLong disturbances = new AtomicLong();
    private volatile @Nullable Process process;
    private volatile @Nullable JsonNode access;
    private volatile long upSince;

    /** What it answered; {@code again} if an earlier answer to the same request may have been lost. */
    record Answer(int status, JsonNode body, boolean again) {
        JsonNode result() {
            if (status != 200) {
                throw new AssertionError("Refused: " + status + " " + body);
            }
            return body.path("result");
        }
    }

    /** What it holds while it has nothing to do. */
    record Held(long liveBytes, long threads, long files) {}

    SoakProgram(Soak.Place place) {
        this.place = place;
    }

    Path data() {
        return place.folder().resolve("data");
    }

    SoakPorts ports() {
        return place.ports();
    }

    int starts() {
        return starts.get();
    }

    /** How often something was killed or restarted so far, which may end a backup that is under way. */
    long disturbances() {
        return disturbances.get();
    }

    void disturb() {
        disturbances.incrementAndGet();
    }

    synchronized void start(boolean keepingServices) throws IOException, InterruptedException {
        begin(keepingServices);
        awaitUp();
    }

    private synchronized void begin(boolean keepingServices) throws IOException {
        List<String> whole = new ArrayList<>(place.command());
        whole.addAll(List.of("up", "--data=" + data(), "--plane=local", "--failed-logins=0", "--engine-memory=4G"));
        whole.addAll(place.ports().flags());
        whole.addAll(place.flags());
        if (keepingServices) {
            whole.add("--keep-services");
        }
        ProcessBuilder builder = new ProcessBuilder(whole)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.appendTo(log()));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("PILOTHOUSE_"));
        process = builder.start();
        starts.incrementAndGet();
        disturb();
    }

    private File log() {
        return place.folder().resolve("log.txt").toFile();
    }

    /** What it logged, but for requests. */
    List<String> logged() throws IOException {
        try (Stream<String> lines = Files.lines(log().toPath(), StandardCharsets.UTF_8)) {
            return lines.filter(line -> !line.contains(" event=request ")).toList();
        }
    }

    /** Whether it came up only a moment ago. */
    boolean isSpared() {
        return System.nanoTime() - upSince < SPARED.toNanos();
    }

    private synchronized void awaitUp() throws InterruptedException {
        Process started = process();
        SoakWait.until("the program is up", () -> {
            if (!started.isAlive()) {
                throw new AssertionError("The program ended at its start, see " + log());
            }
            return send("GET", "", null, "").status() == 200 ? Optional.of(true) : Optional.empty();
        });
        upSince = System.nanoTime();
    }

    /** Kills it, while others talk to it, and starts it; and kills it again before it is up, after each of these times. */
    synchronized void kill(boolean keepingServices, List<Integer> millisUntilKilledAgain)
            throws IOException, InterruptedException {
        process().destroyForcibly().waitFor();
        for (int millis : millisUntilKilledAgain) {
            begin(keepingServices);
            process().waitFor(millis, TimeUnit.MILLISECONDS);
            process().destroyForcibly().waitFor();
        }
        start(keepingServices);
    }

    synchronized void restart(boolean keepingServices) throws IOException, InterruptedException {
        stop();
        start(keepingServices);
    }

    synchronized void stop() throws InterruptedException {
        process().destroy();
        if (!process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("The program does not stop");
        }
        if (process().exitValue() != TERMINATED) {
            throw new AssertionError("The program ended with " + process().exitValue() + ", see " + log());
        }
    }

    private Process process() {
        Process there = process;
        if (there == null) {
            throw new IllegalStateException("The program was not started");
        }
        return there;
    }

    /** Asks until there is an answer; the program may be killed meanwhile. The key makes a POST happen once. */
    Answer ask(String method, String path, @Nullable String body, String idempotencyKey) throws InterruptedException {
        boolean[] lost = {false};
        return SoakWait.until(method + " " + path, () -> {
            try {
                Answer answer = send(method, path, body, idempotencyKey);
                if (answer.status() == UNAVAILABLE) {
                    return Optional.empty();
                }
                return Optional.of(new Answer(answer.status(), answer.body(), lost[0]));
            } catch (IOException e) {
                lost[0] = true;
                throw e;
            }
        });
    }

    Answer get(String path) throws InterruptedException {
        return ask("GET", path, null, "");
    }

    /** {@code path} is one below the organization. */
    private Answer send(String method, String path, @Nullable String body, String idempotencyKey)
            throws IOException, InterruptedException {
        JsonNode known = access;
        if (known == null) {
            known = ApiJson.read(Files.readAllBytes(data().resolve("credentials.json")));
            access = known;
        }
        String pair =
                known.path("key_id").asString() + ":" + known.path("key_secret").asString();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(place.ports().management() + "/v1/organizations/"
                                + known.path("organization_id").asString() + path))
                .timeout(PATIENCE)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (!idempotencyKey.isEmpty()) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(answer.statusCode(), ApiJson.read(answer.body()), false);
    }

    /** Processes that run in the data folder, apart from the program's own. */
    List<ProcessHandle> databases() {
        return ProcessHandle.allProcesses()
                .filter(other -> commandLine(other).contains(data() + "/"))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException ended) {
            return process.info().commandLine().orElse("");
        }
    }

    /** After a collection of all garbage. */
    Held held() throws IOException, InterruptedException {
        long pid = process().pid();
        Path words = place.folder().resolve("histogram");
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(pid),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .redirectOutput(words.toFile())
                .start();
        if (!histogram.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            histogram.destroyForcibly();
            throw new AssertionError("The JDK's jcmd does not end");
        }
        String printed = Files.readString(words);
        Matcher total = LIVE.matcher(printed);
        if (histogram.exitValue() != 0 || !total.find()) {
            throw new AssertionError("The JDK's jcmd does not say what lives: "
                    + printed.lines().limit(5).toList());
        }
        return new Held(Long.parseLong(total.group(1)), count(pid, "task"), count(pid, "fd"));
    }

    /** 0 where the system does not show it. */
    private static long count(long pid, String what) throws IOException {
        Path shown = Path.of("/proc", Long.toString(pid), what);
        if (!Files.isDirectory(shown)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(shown)) {
            return all.count();
        }
    }

    /** Leaves nothing that runs, however it went, and returns once that is so: then its files can be deleted. */
    @Override
    public void close() {
        Process there = process;
        if (there != null) {
            try {
                there.destroyForcibly().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                SoakWait.untilNothingIsMissing("no database is left", () -> {
                    List<ProcessHandle> left = databases();
                    left.forEach(ProcessHandle::destroyForcibly);
                    return left.isEmpty() ? "" : left.toString();
                });
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        }
        client.shutdownNow();
        client.close();
    }
}
