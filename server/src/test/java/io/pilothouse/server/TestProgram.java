package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.Option;
import io.pilothouse.server.config.Options;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The whole program in this process, on free ports and with its log in memory. */
final class TestProgram implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path folder;
    private final Running running;
    private final ByteArrayOutputStream log;
    private final HttpClient client = HttpClient.newHttpClient();

    private TestProgram(Path folder, Running running, ByteArrayOutputStream log) {
        this.folder = folder;
        this.running = running;
        this.log = log;
    }

    static TestProgram start(Path folder, String... flags) throws StartRefused {
        return start(folder, Map.of(), flags);
    }

    static TestProgram start(Path folder, Map<String, String> environment, String... flags) throws StartRefused {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        return new TestProgram(folder, Wiring.open(config(folder, environment, flags), surroundings(log)), log);
    }

    static TestProgram start(Path folder, Surroundings surroundings, ByteArrayOutputStream log, String... flags)
            throws StartRefused {
        return new TestProgram(folder, Wiring.open(config(folder, Map.of(), flags), surroundings), log);
    }

    /** With the plane that these flags and this machine come to, which is not always the simulated one. */
    static TestProgram startAsGiven(Path folder, Surroundings surroundings, ByteArrayOutputStream log, String... flags)
            throws StartRefused {
        return new TestProgram(folder, Wiring.open(configAsGiven(folder, Map.of(), flags), surroundings), log);
    }

    static Config config(Path folder, Map<String, String> environment, String... flags) {
        if (List.of(flags).contains("--plane")) {
            return configAsGiven(folder, environment, flags);
        }
        List<String> simulated = new ArrayList<>(List.of(flags));
        simulated.addAll(List.of("--plane", "simulated"));
        return configAsGiven(folder, environment, simulated.toArray(String[]::new));
    }

    private static Config configAsGiven(Path folder, Map<String, String> environment, String... flags) {
        List<String> arguments = new ArrayList<>(List.of("--data", folder.toString()));
        arguments.addAll(List.of(flags));
        if (!arguments.contains("--simulated-provisioning-time")) {
            arguments.addAll(List.of("--simulated-provisioning-time", "50ms"));
        }
        for (Option<HostPort> option :
                List.of(Options.LISTEN, Options.ALERTS_LISTEN, Options.QUERY_LISTEN, Options.ADMIN_LISTEN)) {
            if (!arguments.contains(option.flag())) {
                arguments.addAll(List.of(option.flag(), "127.0.0.1:0"));
            }
        }
        ConfigSources.Outcome outcome = ConfigSources.read("up", arguments, environment);
        assertThat(outcome.misuses()).isEmpty();
        assertThat(outcome.mistakes()).isEmpty();
        return outcome.config();
    }

    static Surroundings surroundings(ByteArrayOutputStream log) {
        return new Surroundings(
                Instant::now,
                new SecureRandom(),
                Surroundings.ofProcess(Map.of()).plane(),
                log,
                request -> {});
    }

    Running running() {
        return running;
    }

    String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    /** One value of credentials.json. */
    String credential(String name) throws IOException {
        return field(Files.readString(folder.resolve("credentials.json")), name);
    }

    static String field(String document, String name) {
        Matcher matcher =
                Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(document);
        assertThat(matcher.find()).as("%s in %s", name, document).isTrue();
        return matcher.group(1);
    }

    String organizationUrl() throws IOException {
        return credential("base_url") + "/v1/organizations/" + credential("organization_id");
    }

    /** A request to the management API with the first key. */
    HttpRequest.Builder management(String url) throws IOException {
        String pair = credential("key_id") + ":" + credential("key_secret");
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    /** The same parts with another plane and other backups. */
    static PlaneParts around(PlaneParts parts, DataPlane plane, Backups backups) {
        return new PlaneParts(
                plane,
                backups,
                parts.pipes(),
                parts.schemas(),
                parts.addresses(),
                parts.wayIn(),
                parts.figures(),
                parts.queries(),
                parts.settings(),
                parts.beginning(),
                parts.notices(),
                parts.fence(),
                parts.authority(),
                parts.meter(),
                parts.inside(),
                parts.memory(),
                parts.data());
    }

    HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE));
    }

    HttpResponse<String> getAsFirstKey(String url) throws IOException, InterruptedException {
        return send(management(url));
    }

    HttpResponse<String> createService(String body) throws IOException, InterruptedException {
        return send(management(organizationUrl() + "/services")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /** The answer of a change that must work. */
    String patch(String url, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(management(url)
                .header("Content-Type", "application/json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Asks until the answer is as wanted. */
    String await(String url, Predicate<String> wanted) throws IOException, InterruptedException {
        return await(url, wanted, PATIENCE);
    }

    String await(String url, Predicate<String> wanted, Duration patience) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(patience);
        while (true) {
            String body = getAsFirstKey(url).body();
            if (wanted.test(body)) {
                return body;
            }
            assertThat(Instant.now()).as(body).isBefore(deadline);
        }
    }

    @Override
    public void close() {
        client.close();
        running.close();
    }
}
