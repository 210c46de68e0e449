package io.pilothouse.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.ToolCache;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample project as its user runs it: with a Maven of its own that knows nothing of this build but the artifacts of
 * a release, which lie in a folder, and takes all else from what this build has fetched. No network.
 */
class ExamplesIT {
    private static final String GROUP = "io/pilothouse";
    private static final List<String> ARTIFACTS = List.of(
            "core",
            "outgoing",
            "incoming",
            "http",
            "console",
            "store",
            "gateway",
            "plane-local",
            "plane-simulated",
            "pipes",
            "server",
            "pilothouse-junit");

    private static final int RUN_SECONDS = 300;

    private final Path root = Path.of("..").toAbsolutePath().normalize();
    private final String version = version();

    @TempDir
    private Path folder;

    private Path java;

    /** How a run ended. */
    private record Run(int code, String printed) {}

    @BeforeEach
    void release() throws IOException {
        Path project = root.resolve("examples");
        java = folder.resolve("examples").resolve("java");
        copy(project.resolve("java"), java);
        copy(project.resolve("terraform"), folder.resolve("examples").resolve("terraform"));
        Path release = folder.resolve("release");
        put(release, "pilothouse", root.resolve("pom.xml"), "pom");
        for (String artifact : ARTIFACTS) {
            Path module = root.resolve(artifact);
            Path jar = module.resolve("target")
                    .resolve(artifact.equals("server") ? "pilothouse.jar" : artifact + "-" + version + ".jar");
            Assumptions.assumeTrue(Files.isRegularFile(jar), "The modules are packed by a whole build only.");
            put(release, artifact, module.resolve("pom.xml"), "pom");
            put(release, artifact, jar, "jar");
        }
        Files.writeString(
                folder.resolve("settings.xml"), """
                <settings>
                  <mirrors>
                    <mirror><id>fetched</id><mirrorOf>central</mirrorOf><url>%s</url></mirror>
                  </mirrors>
                  <profiles>
                    <profile>
                      <id>release</id>
                      <repositories>
                        <repository><id>release</id><url>%s</url></repository>
                      </repositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>release</activeProfile></activeProfiles>
                </settings>
                """.formatted(fetched().toUri(), release.toUri()));
    }

    @Test
    void sampleProjectPassesItsTestsFromTheArtifactsOfARelease() throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(Map.of(
                "XDG_CACHE_HOME", folder.resolve("cache").toString(),
                "JAVA_HOME", System.getProperty("java.home")));
        useTerraform(environment);
        Run run = run(
                environment,
                maven(),
                "-B",
                "-s",
                folder.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + folder.resolve("repository"),
                "-Dpilothouse.version=" + version,
                "-Dpilothouse.prepare=true",
                "-Dpilothouse.options=--gateway-ports=23700-23799 --engine-ports=24700-24799 --engine-cache="
                        + ToolCache.home().resolve("pilothouse"),
                "test");
        Assumptions.assumeFalse(
                run.printed().contains("npm"), "There is no bundled ClickHouse for the sample project.");
        assertThat(run.code()).as(run.printed()).isZero();
        assertThat(run.printed()).doesNotContain("http://", "https://");
        assertThat(run.printed()).containsPattern("Tests run: 54, Failures: 0, Errors: 0, Skipped: [01]\n");
        if (environment.containsKey("TF_CLI_CONFIG_FILE")) {
            assertThat(run.printed()).contains("Tests run: 54, Failures: 0, Errors: 0, Skipped: 0\n");
        }
        try (Stream<Path> starts =
                Files.list(folder.resolve("cache").resolve("pilothouse").resolve("starts"))) {
            assertThat(starts)
                    .singleElement()
                    .satisfies(start -> assertThat(start).hasExtension("aot"));
        }
    }

    /** The unmodified client and provider that may lie packed beside the clone; the path is left without others. */
    private void useTerraform(Map<String, String> environment) throws IOException, InterruptedException {
        Path packed = root.resolveSibling("shared").resolve("clients");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        for (String name : List.of("tofu", "terraform-provider-clickhouse")) {
            Path archive = packed.resolve(name + ".xz");
            if (!Files.isRegularFile(archive)) {
                return;
            }
            Path into = bin.resolve(name);
            Run xz = run(Map.of(), "/bin/sh", "-c", "xz -dkc '" + archive + "' >'" + into + "'");
            if (xz.code() != 0 || !into.toFile().setExecutable(true)) {
                return;
            }
        }
        Path settings = Files.writeString(folder.resolve("settings.tfrc"), """
                provider_installation {
                  dev_overrides {
                    "ClickHouse/clickhouse" = "%s"
                  }
                  direct {}
                }
                """.formatted(bin));
        environment.put("TF_CLI_CONFIG_FILE", settings.toString());
        environment.put("PATH", bin + File.pathSeparator + System.getenv("PATH"));
    }

    private Run run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        Path printed = folder.resolve("printed.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(java.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_") || name.startsWith("PILOTHOUSE_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return new Run(process.exitValue(), Files.readString(printed, StandardCharsets.UTF_8));
    }

    /** The Maven of this build. */
    private static String maven() {
        String home = System.getProperty("pilothouse.maven", "");
        return home.isEmpty() ? "mvn" : Path.of(home, "bin", "mvn").toString();
    }

    /** What this build has fetched, by where one of its own libraries lies. */
    private static Path fetched() {
        String library = "org/junit/jupiter/junit-jupiter-api";
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.contains(library))
                .map(entry -> Path.of(entry.substring(0, entry.indexOf(library))))
                .findFirst()
                .orElseThrow();
    }

    private String version() {
        try {
            String pom = Files.readString(root.resolve("pom.xml"));
            int at = pom.indexOf("<version>") + "<version>".length();
            return pom.substring(at, pom.indexOf('<', at));
        } catch (IOException e) {
            throw new AssertionError("the version of this build is not to be found", e);
        }
    }

    private void put(Path release, String artifact, Path file, String kind) throws IOException {
        Path place = release.resolve(GROUP).resolve(artifact).resolve(version);
        Files.createDirectories(place);
        Files.copy(file, place.resolve(artifact + "-" + version + "." + kind));
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(from)) {
            all.filter(Files::isRegularFile)
                    .filter(file -> !from.relativize(file).startsWith("target"))
                    .forEach(files::add);
        }
        for (Path file : files) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }
}
