package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as its users meet it: started, asked, stopped and killed from outside. */
class ProgramIT {
    private static final String LAST_LINE = "/api/v2/alerts";

    @TempDir
    private Path folder;

    private String credentials() throws IOException {
        return Files.readString(folder.resolve("data/credentials.json"));
    }

    private String credential(String name) throws IOException {
        return TestProgram.field(credentials(), name);
    }

    /** Runs lines as a person would paste them into a shell. */
    private static String paste(String lines) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder("bash").redirectErrorStream(true).start();
        try (OutputStream in = bash.getOutputStream()) {
            in.write((lines + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(output).isZero();
        return output;
    }

    private String curl(String path) throws IOException, InterruptedException {
        return paste("curl -s -u " + credential("key_id") + ":" + credential("key_secret") + " "
                + credential("base_url") + path);
    }

    private static void assumeCurl() throws IOException, InterruptedException {
        assumeThat(new ProcessBuilder("bash", "-c", "command -v curl").start().waitFor())
                .as("curl is installed")
                .isZero();
    }

    @Test
    void theLinesOfTheFirstStartEndInTheDatabase() throws IOException, InterruptedException, StartRefused {
        assumeCurl();
        try (ChildProgram program = ChildProgram.up(folder, LocalProgram.flags())) {
            String welcome = program.printedUntil(LAST_LINE);
            assertThat(welcome).contains("  ca_file          ");
            List<String> lines = welcome.lines()
                    .filter(line -> line.startsWith("curl -s --cacert ") || line.startsWith("ANSWER="))
                    .toList();
            assertThat(lines).hasSize(2);
            assertThat(paste(String.join("\n", lines)).lines().toList().getLast())
                    .matches("\\d+\\.\\d+\\.\\d+\\.\\d+");
        }
    }

    @Test
    void theLinesOfTheFirstStartWorkWhenPasted() throws IOException, InterruptedException {
        assumeCurl();
        try (ChildProgram program = ChildProgram.up(folder)) {
            List<String> lines = program.printedUntil(LAST_LINE)
                    .lines()
                    .filter(line -> line.startsWith("curl ") || line.startsWith("ANSWER="))
                    .toList();
            assertThat(lines).hasSize(3);
            String answer = paste(String.join("\n", lines) + "\necho \" $SERVICE_ID\"");
            assertThat(answer).contains("\"name\":\"My first service\"", "\"password\":\"", "{\"data\":[{");
            assertThat(answer.split("\"status\":200", -1)).as(answer).hasSize(3);
            String id = answer.substring(answer.lastIndexOf(' ')).strip();
            assertThat(id).matches("[0-9a-f-]{36}");
            assertThat(answer.split("\"id\":\"" + id + "\"", -1)).hasSize(3);
        }
    }

    @Test
    void aSecondStartFindsWhatTheFirstOneMade() throws IOException, InterruptedException {
        assumeCurl();
        String organization;
        try (ChildProgram program = ChildProgram.up(folder)) {
            paste(program.printedUntil(LAST_LINE)
                    .lines()
                    .filter(line -> line.startsWith("ANSWER="))
                    .toList()
                    .getFirst());
            organization = "/v1/organizations/" + credential("organization_id");
            program.signal("TERM");
            assertThat(program.exitCode()).isEqualTo(143);
        }
        try (ChildProgram program = ChildProgram.up(folder)) {
            assertThat(curl(organization + "/services")).contains("\"name\":\"My first service\"");
            assertThat(program.printedUntil("organization_id"))
                    .contains(credential("organization_id"))
                    .doesNotContain(credential("key_secret"));
        }
    }

    @Test
    void aKilledProgramStartsAgainWithWhatItHadAnswered() throws IOException, InterruptedException {
        assumeCurl();
        try (ChildProgram program = ChildProgram.up(folder)) {
            paste(program.printedUntil(LAST_LINE)
                    .lines()
                    .filter(line -> line.startsWith("ANSWER="))
                    .toList()
                    .getFirst());
            program.signal("KILL");
            assertThat(program.exitCode()).isEqualTo(137);
        }
        try (ChildProgram program = ChildProgram.up(folder)) {
            assertThat(program.process().isAlive()).isTrue();
            assertThat(curl("/v1/organizations/" + credential("organization_id") + "/services"))
                    .contains("\"name\":\"My first service\"");
        }
    }

    @Test
    void aStopLetsTheRequestThatRunsEnd() throws IOException, InterruptedException {
        try (ChildProgram program = ChildProgram.up(folder)) {
            URI base = URI.create(credential("base_url"));
            byte[] body = "{\"name\":\"In flight\"}".getBytes(StandardCharsets.UTF_8);
            String pair = credential("key_id") + ":" + credential("key_secret");
            try (Socket socket = new Socket(base.getHost(), base.getPort())) {
                OutputStream out = socket.getOutputStream();
                out.write(("POST /v1/organizations/" + credential("organization_id") + "/services HTTP/1.1\r\n"
                                + "Host: " + base.getAuthority() + "\r\n"
                                + "Content-Type: application/json\r\n"
                                + "Content-Length: " + body.length + "\r\n"
                                + "Expect: 100-continue\r\n"
                                + "Authorization: Basic "
                                + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                byte[] proceed = socket.getInputStream().readNBytes("HTTP/1.1 100".length());
                assertThat(new String(proceed, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 100");
                out.write(body, 0, 5);
                program.signal("TERM");
                awaitRefusal(base);
                out.write(body, 5, body.length - 5);
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).contains("HTTP/1.1 200", "\"name\":\"In flight\"");
            }
            assertThat(program.exitCode()).isEqualTo(143);
            assertThat(program.errors())
                    .contains("Stopping", "operation_id=instanceCreate", "status=200")
                    .endsWith("message=Stopped\n");
        }
        try (ChildProgram program = ChildProgram.up(folder)) {
            assumeCurl();
            assertThat(program.process().isAlive()).isTrue();
            assertThat(curl("/v1/organizations/" + credential("organization_id") + "/services"))
                    .contains("\"name\":\"In flight\"");
        }
    }

    /** Waits until no client is let in any more, which is when the stop has begun. */
    private static void awaitRefusal(URI base) {
        boolean refused = false;
        while (!refused) {
            try (Socket socket = new Socket(base.getHost(), base.getPort())) {
                refused = socket.isClosed();
            } catch (IOException e) {
                refused = true;
            }
        }
    }

    @Test
    void controlAndCStopItToo() throws IOException, InterruptedException {
        assumeThat(ignoresInterrupts())
                .as("this run ignores SIGINT, as one in the background of a shell does, and so would its children")
                .isFalse();
        try (ChildProgram program = ChildProgram.up(folder)) {
            program.signal("INT");
            assertThat(program.exitCode()).isEqualTo(130);
            assertThat(program.errors()).endsWith("message=Stopped\n");
        }
    }

    /** Whether the signal of Control and C, the second, is ignored from birth; unknown counts as no. */
    private static boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.isReadable(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) & 2) != 0);
    }

    @Test
    void aTakenPortIsOneSentence() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            refuses(
                    "--listen " + address,
                    address + " is taken by another program: choose another address with --listen.");
        }
    }

    @Test
    void aFolderThatCannotBeWrittenToIsOneSentence() throws IOException, InterruptedException {
        refuses("--data /proc/self", "The data folder /proc/self cannot be written to: --data names another one.");
        Path file = Files.createFile(folder.resolve("file"));
        refuses(
                "--data " + file + "/data",
                "The data folder " + file + "/data cannot be made: --data names one that can.");
    }

    @Test
    void aFolderInUseIsOneSentence() throws IOException, InterruptedException {
        try (ChildProgram program = ChildProgram.up(folder)) {
            assertThat(program.process().isAlive()).isTrue();
            Path data = folder.resolve("data");
            refuses(
                    "--data " + data,
                    "The data folder " + data + " is in use by another process: stop that one first.");
        }
    }

    @Test
    void aLostKeyIsOneSentence() throws IOException, InterruptedException {
        try (ChildProgram program = ChildProgram.up(folder)) {
            program.signal("TERM");
            program.exitCode();
        }
        Path key = folder.resolve("data/secret.key");
        Files.delete(key);
        refuses(
                "--data " + folder.resolve("data"),
                "The file " + key + " is missing, and without it no key or token in the store can be checked:"
                        + " put it back from a backup.");
    }

    private void refuses(String flags, String sentence) throws IOException, InterruptedException {
        String[] arguments =
                ("up --plane simulated --alerts-listen 127.0.0.1:0 --query-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 "
                                + flags
                                + (flags.contains("--listen") ? "" : " --listen 127.0.0.1:0")
                                + (flags.contains("--data") ? "" : " --data " + folder.resolve("data")))
                        .split(" ", -1);
        try (ChildProgram program = ChildProgram.start(folder, arguments)) {
            assertThat(program.exitCode()).isEqualTo(1);
            assertThat(program.errors()).isEqualTo(sentence + "\n");
        }
    }

    @Test
    void aMisuseReportsEveryMistake() throws IOException, InterruptedException {
        try (ChildProgram program = ChildProgram.start(folder, "up", "--fly", "--log-level", "loud")) {
            assertThat(program.exitCode()).isEqualTo(2);
            assertThat(program.errors().lines())
                    .containsExactly(
                            "--fly is no option of up.",
                            "--log-level \"loud\" must be one of error, warning, info, debug.");
        }
    }

    @Test
    void librariesOfSourcesAreWithTheWorkersOnly() {
        assertThat(new File("target/lib").list())
                .isNotEmpty()
                .noneMatch(jar -> jar.matches("(kafka|avro|protobuf|zstd|lz4|snappy|scala).*"));
        assertThat(new File("target/worker").list()).anyMatch(jar -> jar.startsWith("kafka-clients-"));
    }

    @Test
    void theVersionIsThatOfTheJar() throws IOException, InterruptedException {
        try (ChildProgram program = ChildProgram.start(folder, "version")) {
            assertThat(program.printedUntil("pilothouse")).matches("pilothouse [0-9]+\\.[0-9]+\\.[0-9]+.*\n");
            assertThat(program.exitCode()).isZero();
        }
    }

    @Test
    void nothingThatIsLoggedIsASecret() throws IOException, InterruptedException {
        assumeCurl();
        try (ChildProgram program = ChildProgram.up(folder, "--log-level", "debug")) {
            String lines = program.printedUntil(LAST_LINE)
                    .lines()
                    .filter(line -> line.startsWith("curl ") || line.startsWith("ANSWER="))
                    .reduce("", (all, line) -> all + line + "\n");
            String password = TestProgram.field(paste(lines), "password");
            String secret = credential("key_secret");
            paste("curl -s -u " + secret + ":" + secret + " " + credential("base_url") + "/" + secret);
            program.signal("TERM");
            program.exitCode();
            assertThat(program.errors().lines().filter(line -> line.contains("event=request")))
                    .hasSize(4);
            assertThat(program.errors()).doesNotContain(password, secret, credential("key_id"), credential("token"));
        }
    }

    @Test
    void theProgramStartsFromTheCacheOfATraining() throws IOException, InterruptedException {
        String cache = folder.resolve("pilothouse.aot").toString();
        Path ground = Files.createDirectory(folder.resolve("training"));
        try (ChildProgram trained = asTheScript(
                "-XX:AOTCacheOutput=" + cache,
                "-cp",
                ChildProgram.jar(),
                Training.class.getName(),
                ground.toString())) {
            assertThat(trained.exitCode()).as(trained.errors()).isZero();
        }
        // In this mode the JVM ends at once when the cache is of no use to it.
        try (ChildProgram program =
                asTheScript("-XX:AOTMode=on", "-XX:AOTCache=" + cache, "-jar", ChildProgram.jar(), "version")) {
            assertThat(program.exitCode()).as(program.errors()).isZero();
        }
        // Warnings of the JVM about its cache are not for users.
        List<String> quietly = new ArrayList<>(List.of("-XX:AOTCache=" + cache));
        quietly.addAll(inTheScript("-Xlog:[a-z*]+=off"));
        quietly.addAll(List.of("-jar", ChildProgram.jar(), "version"));
        try (ChildProgram program = asTheScript(quietly.toArray(String[]::new))) {
            assertThat(program.printedUntil("pilothouse")).startsWith("pilothouse ");
        }
    }

    /** Starts a JVM with the flags that the script gives every one. */
    private ChildProgram asTheScript(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(inTheScript("(?m)^ {4}-(-enable-native-access=|XX:)\\S+$"));
        all.replaceAll(String::strip);
        all.addAll(List.of(arguments));
        return ChildProgram.java(folder, all);
    }

    private static List<String> inTheScript(String expression) throws IOException {
        return Pattern.compile(expression)
                .matcher(Files.readString(Path.of("..", "script", "start.sh")))
                .results()
                .map(MatchResult::group)
                .toList();
    }
}
