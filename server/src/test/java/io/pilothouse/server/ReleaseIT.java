package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a release promises: it runs where nothing is installed, and keeps data through upgrades and removals. */
final class ReleaseIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String LATER = "0.2.0";
    private static final long MAX_BYTES = 70L << 20;

    /** What Jackson looks for and does without. */
    private static final String SPARED = "java.desktop";

    @TempDir
    private Path folder;

    /** What ./pilothouse package does once everything is built; a build cannot run inside of this one. */
    private Path release(String version) throws IOException, InterruptedException {
        Path out = Files.createTempDirectory(folder, "release");
        String script = "set -euo pipefail; root=$1; jdk=$2; jar=$root/server/target/pilothouse.jar;"
                + " trained=$root/server/target; for part in tools start package; do . \"$root/script/$part.sh\"; done;"
                + " make_release \"$3\"";
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-c",
                        script,
                        "bash",
                        Path.of("..").toRealPath().toString(),
                        System.getProperty("java.home"),
                        out.toString())
                .redirectErrorStream(true);
        builder.environment().put("RELEASE_VERSION", version);
        Process process = builder.start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(words).isZero();
        return out;
    }

    private static Path only(Path release, String ending) throws IOException {
        try (Stream<Path> files = Files.list(release)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .reduce((one, other) -> {
                        throw new AssertionError(one + " and " + other);
                    })
                    .orElseThrow();
        }
    }

    @Test
    void itsRuntimeHasTheModulesThatTheProgramUses() throws IOException, InterruptedException {
        Set<String> linked = Set.of(Files.readString(Path.of("..", "script", "package.sh"))
                .lines()
                .filter(line -> line.startsWith("readonly JAVA_MODULES="))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .findFirst()
                .orElseThrow()
                .split(",", -1));
        for (String jars : List.of("lib", "worker")) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "jdeps").toString(),
                    "--print-module-deps",
                    "--ignore-missing-deps",
                    "--multi-release",
                    "25"));
            try (Stream<Path> files = Files.list(Path.of("target", jars))) {
                files.map(Path::toString).forEach(command::add);
            }
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            List<String> used = List.of(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()
                    .getLast()
                    .split(",", -1));
            assertThat(process.waitFor()).isZero();
            assertThat(used)
                    .contains("java.sql")
                    .filteredOn(module -> !module.equals(SPARED))
                    .isSubsetOf(linked);
        }
    }

    @Test
    void itRunsWhereNothingIsInstalledAndKeepsDataThroughUpgradeAndRemoval()
            throws IOException, InterruptedException, GeneralSecurityException, StartRefused {
        Path engine = Path.of(LocalProgram.engine());
        BareDebian debian = BareDebian.in(Files.createDirectory(folder.resolve("debian")));
        assertThat(debian.run("sh", "-c", "command -v java || echo none").strip())
                .isEqualTo("none");
        Files.copy(engine, debian.at("/opt/" + engine.getFileName()));
        Path first = release("0.1.0");
        Path second = release(LATER);
        Path again = release(LATER);
        assertThat(only(second, ".tar.gz")).hasSameBinaryContentAs(only(again, ".tar.gz"));
        assertThat(only(second, ".deb")).hasSameBinaryContentAs(only(again, ".deb"));
        assertThat(Files.size(only(second, ".tar.gz"))).isLessThan(MAX_BYTES);

        Files.copy(only(first, ".tar.gz"), debian.at("/opt/release.tar.gz"));
        debian.run("tar", "-C", "/opt", "-xzf", "/opt/release.tar.gz");
        String home = "/opt/pilothouse-0.1.0";
        assertThat(debian.run("sh", "-c", "ls " + home + "/sbom " + home + "/licences"))
                .contains("pilothouse.json", "pipe-worker.json", "Apache-2.0.txt", "kafka-clients-");
        List<String> unpacked = List.of(home + "/bin/pilothouse", "up", "--data", "/srv/pilothouse");
        try (Up up = up(debian, unpacked, engine, "/srv/pilothouse")) {
            assertThat(query(debian, "/srv/pilothouse", create(up), "SELECT 6 * 7"))
                    .isEqualTo("42");
            up.stop();
        }

        Files.copy(only(first, ".deb"), debian.at("/opt/first.deb"));
        Files.copy(only(second, ".deb"), debian.at("/opt/second.deb"));
        debian.run("dpkg", "-i", "/opt/first.deb");
        List<String> installed = List.of(
                "setpriv", "--reuid=pilothouse", "--regid=pilothouse", "--clear-groups", "--", "pilothouse", "up");
        String data = "/var/lib/pilothouse";
        String service;
        try (Up up = up(debian, installed, engine, data, "--config", "/etc/pilothouse.conf")) {
            service = create(up);
            query(debian, data, service, "CREATE TABLE kept (n UInt8) ENGINE = MergeTree ORDER BY n");
            query(debian, data, service, "INSERT INTO kept VALUES (42)");
            up.stop();
        }
        debian.run("dpkg", "-i", "/opt/second.deb");
        assertThat(debian.run("sh", "-c", "cat /usr/lib/pilothouse/VERSION").strip())
                .isEqualTo(LATER);
        try (Up up = up(debian, installed, engine, data, "--config", "/etc/pilothouse.conf")) {
            up.awaitRunning(TestProgram.field(service.substring(service.indexOf("\"service\"")), "id"));
            assertThat(query(debian, data, service, "SELECT n FROM kept")).isEqualTo("42");
            up.stop();
        }
        debian.run("dpkg", "-r", "pilothouse");
        assertThat(debian.at("/usr/lib/pilothouse")).doesNotExist();
        assertThat(debian.at("/usr/bin/pilothouse")).doesNotExist();
        assertThat(debian.at("/etc/pilothouse.conf")).exists();
        assertThat(debian.run("dpkg", "-P", "pilothouse")).contains("still has the data");
        assertThat(debian.at("/etc/pilothouse.conf")).doesNotExist();
        assertThat(debian.at(data + "/credentials.json")).exists();
    }

    private Up up(BareDebian debian, List<String> command, Path engine, String data, String... more)
            throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        all.addAll(List.of("--plane", "local", "--engine", "/opt/" + engine.getFileName()));
        all.addAll(List.of("--gateway-ports", "23900-23999", "--engine-ports", "24900-24999"));
        for (String listener : List.of("--listen", "--query-listen", "--alerts-listen", "--admin-listen")) {
            all.addAll(List.of(listener, "127.0.0.1:0"));
        }
        ChildProgram program = debian.start(folder, all);
        boolean isUp = false;
        try {
            program.printedUntil("organization_id");
            isUp = true;
            return new Up(program, new FirstKey(debian.at(data)));
        } finally {
            if (!isUp) {
                program.close();
            }
        }
    }

    /** Makes a service, waits until it runs, and returns the answer that made it. */
    private static String create(Up up) throws IOException, InterruptedException {
        String created =
                up.send("POST", "/services", "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleScaling\":false}");
        up.awaitRunning(TestProgram.field(created.substring(created.indexOf("\"service\"")), "id"));
        return created;
    }

    private static String query(BareDebian debian, String data, String created, String sql)
            throws IOException, InterruptedException, GeneralSecurityException {
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(debian.at(data)), created)) {
            return client.send(sql).body().strip();
        }
    }

    /** The program that runs in there, and a client of it. */
    private record Up(ChildProgram program, FirstKey key) implements AutoCloseable {
        private String send(String method, String path, String body) throws IOException, InterruptedException {
            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpRequest.Builder request = key.request(method, path, body);
                return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
            }
        }

        private void awaitRunning(String service) throws IOException, InterruptedException {
            long end = System.nanoTime() + PATIENCE.toNanos();
            String seen = send("GET", "/services/" + service, "");
            while (!seen.contains("\"state\":\"running\"")) {
                assertThat(System.nanoTime()).as("%s%s", seen, program.errors()).isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(50);
                seen = send("GET", "/services/" + service, "");
            }
        }

        private void stop() throws IOException, InterruptedException {
            program.signal("TERM");
            assertThat(program.exitCode()).as(program.errors()).isIn(0, 143);
        }

        @Override
        public void close() throws IOException {
            program.close();
        }
    }
}
