package io.pilothouse.server;

import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.store.SqliteDriver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prepares later starts, when the program has been built: leaves the database's native library in a folder, then starts
 * the program there, asks it a few things and ends, so that the JVM can learn what a start needs.
 */
final class Training {
    private static final int OK = 200;
    private static final int MAX_ANSWER_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final Path folder;

    private Training(Path folder) {
        this.folder = folder;
    }

    /** Trains in the empty folder that is the one argument; the caller removes it afterwards. */
    public static void main(String[] arguments) throws InterruptedException {
        try {
            new Training(Path.of(arguments[0])).run();
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        SqliteDriver.unpackLibrary(folder);
        System.setProperty(SqliteDriver.FOLDER_PROPERTY, folder.toString());
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Main program = new Main(Map.of(), out, System.err);
        List<String> up = List.of(
                "up",
                "--data=" + folder.resolve("data"),
                "--listen=127.0.0.1:0",
                "--alerts-listen=127.0.0.1:0",
                "--query-listen=127.0.0.1:0",
                "--admin-listen=127.0.0.1:0",
                "--plane=simulated",
                // What starts for tests should know of the emulator too, and costs others nothing.
                "--emulator",
                "--ready-file=" + folder.resolve("ready.json"),
                "--log-level=warning");
        Thread.ofPlatform().daemon().start(() -> program.run(up));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (printed.size() == 0) {
            if (System.nanoTime() > end) {
                throw new IOException("The program did not start in time");
            }
            TimeUnit.NANOSECONDS.sleep(BETWEEN_LOOKS.toNanos());
        }
        ask(Files.readString(folder.resolve("data").resolve("credentials.json")));
    }

    private static void ask(String credentials) throws IOException {
        URI management = URI.create(field(credentials, "base_url"));
        URI alerts = URI.create(field(credentials, "alerts_url"));
        String key = field(credentials, "key_id") + ":" + field(credentials, "key_secret");
        String basic = "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
        String bearer = "Bearer " + field(credentials, "token");
        String organization = "/v1/organizations/" + field(credentials, "organization_id");
        String services = organization + "/services";
        String made = send(management, "POST", services, basic, "{\"name\": \"Training\"}");
        send(management, "GET", services + "/" + field(made, "id"), basic, "");
        send(management, "GET", services, basic, "");
        send(management, "GET", organization, basic, "");
        send(alerts, "GET", "/api/v2/alerts", bearer, "");
        String tenants = "/_pilothouse/organizations";
        String tenant = send(management, "POST", tenants, basic, "");
        send(management, "DELETE", tenants + "/" + field(tenant, "id"), basic, "");
    }

    private static String send(URI listener, String method, String path, String authorization, String body)
            throws IOException {
        OutgoingHttp.Reply reply = OutgoingHttp.toAddresses(PATIENCE)
                .send(
                        method,
                        listener.resolve(path),
                        Map.of("Authorization", authorization, "Content-Type", "application/json"),
                        body.getBytes(StandardCharsets.UTF_8),
                        new OutgoingHttp.Limits(PATIENCE, PATIENCE, MAX_ANSWER_BYTES));
        if (reply.status() != OK) {
            throw new IOException("The program did not answer " + method + " " + path + " as it should");
        }
        return reply.body();
    }

    private static String field(String document, String name) throws IOException {
        Matcher matcher = Pattern.compile("\"" + name + "\":\\s*\"([^\"]*)\"").matcher(document);
        if (!matcher.find()) {
            throw new IOException("There is no " + name + " where it should be");
        }
        return matcher.group(1);
    }
}
