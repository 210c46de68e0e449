package io.pilothouse.testkit.soak;

import io.pilothouse.testkit.Trusting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A service as its owner knows it: what was answered to them is there, whatever happened since. For one thread. */
final class SoakService implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int ROWS_OF_A_BATCH = 100;

    private final UUID id;
    private final URI endpoint;
    private final HttpClient client;

    /** Batches whose inserts were answered, and those that may be there or not. */
    private final Set<Long> sure = new HashSet<>();

    private final Set<Long> perhaps = new HashSet<>();
    private final List<Backup> backups = new ArrayList<>();
    private String name;
    private String password;
    private boolean running = true;
    private boolean resting;

    /** A backup with what is sure to be in it, and how much had gone wrong when it began. */
    record Backup(UUID id, Set<Long> within, long disturbances) {}

    /** What a client knows of the table: batches that have to be there, and those that may. */
    record Known(Set<Long> sure, Set<Long> perhaps) {
        static final Known NOTHING = new Known(Set.of(), Set.of());
    }

    SoakService(String name, JsonNode made, Path authority, Known known) {
        JsonNode service = made.path("service");
        JsonNode https = service.path("endpoints").path(0);
        this.id = UUID.fromString(service.path("id").asString());
        this.endpoint = URI.create("https://" + https.path("host").asString() + ":"
                + https.path("port").asInt() + "/");
        this.name = name;
        this.password = made.path("password").asString();
        this.client = client(authority);
        sure.addAll(known.sure());
        perhaps.addAll(known.perhaps());
    }

    private static HttpClient client(Path authority) {
        try (InputStream in = Files.newInputStream(authority)) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(Trusting.only(certificate))
                    .build();
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError("The authority of services cannot be read", e);
        }
    }

    UUID id() {
        return id;
    }

    String path() {
        return "/services/" + id;
    }

    String name() {
        return name;
    }

    void rename(String next) {
        name = next;
    }

    void open(String next) {
        password = next;
    }

    boolean isRunning() {
        return running;
    }

    void wantRunning(boolean wanted) {
        running = wanted;
    }

    /** Whether it is left alone, so that it falls asleep. */
    boolean isResting() {
        return resting;
    }

    void rest(boolean alone) {
        resting = alone;
    }

    List<Backup> backups() {
        return backups;
    }

    Known known() {
        return new Known(Set.copyOf(sure), Set.copyOf(perhaps));
    }

    private Optional<String> send(String sql) throws IOException, InterruptedException {
        byte[] pair = ("default:" + password).getBytes(StandardCharsets.UTF_8);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(endpoint)
                        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair))
                        .timeout(PATIENCE)
                        .POST(HttpRequest.BodyPublishers.ofString(sql))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + answer.body());
        }
        return Optional.of(answer.body());
    }

    /** Can be done again. */
    void makeTable() throws InterruptedException {
        SoakWait.until(
                "a table in " + id,
                () -> send(
                        "CREATE TABLE IF NOT EXISTS soak (batch UInt64, n UInt64) ENGINE = MergeTree ORDER BY batch"));
    }

    /** The numbers of the batches that it may send, of which each is sent once. */
    @FunctionalInterface
    interface Numbers {
        long next();
    }

    /** Until one was answered. */
    void insert(Numbers numbers) throws InterruptedException {
        SoakWait.until("an insert into " + id, () -> {
            long batch = numbers.next();
            perhaps.add(batch);
            Optional<String> answer =
                    send("INSERT INTO soak SELECT " + batch + ", number FROM numbers(" + ROWS_OF_A_BATCH + ")");
            perhaps.remove(batch);
            sure.add(batch);
            return answer;
        });
    }

    /** Every batch that was answered is there as a whole, and no other but those of lost answers. */
    void check() throws InterruptedException {
        Set<Long> found = SoakWait.until(
                "what is in " + id,
                () -> send("SELECT batch, count(), sum(n) FROM soak GROUP BY batch")
                        .map(this::whole));
        Set<Long> missing = new HashSet<>(sure);
        missing.removeAll(found);
        if (!missing.isEmpty()) {
            throw new AssertionError("Acknowledged and missing in " + id + ": " + missing);
        }
        found.removeAll(sure);
        if (!perhaps.containsAll(found)) {
            throw new AssertionError("In " + id + " and from nobody: " + found);
        }
        sure.addAll(found);
        perhaps.removeAll(found);
    }

    private Set<Long> whole(String rows) {
        String whole = "\t" + ROWS_OF_A_BATCH + "\t" + (long) ROWS_OF_A_BATCH * (ROWS_OF_A_BATCH - 1) / 2;
        Set<Long> found = new HashSet<>();
        rows.lines().forEach(row -> {
            if (!row.endsWith(whole)) {
                throw new AssertionError("Not as it was sent, in " + id + ": " + row);
            }
            found.add(Long.valueOf(row.substring(0, row.indexOf('\t'))));
        });
        return found;
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
