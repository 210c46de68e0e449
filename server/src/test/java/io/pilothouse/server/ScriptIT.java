package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./pilothouse} on systems that lack a JDK or Maven: a copy of it, with a PATH that holds what a test put there. */
class ScriptIT {
    private static final List<String> PLAIN_TOOLS =
            List.of("awk bash cat cp dirname env find grep head mkdir mktemp mv readlink rm sed sh tail tee touch tr"
                    .split(" ", -1));

    private static final String JDK_SENTENCE = "Pilothouse needs a JDK 25: ";
    private static final String MAVEN_SENTENCE = "Building Pilothouse needs Maven 3.8.7 or newer: ";

    @TempDir
    private Path folder;

    private Path bin;
    private Path jdks;
    private Path log;

    /** How a run ended. */
    private record Run(int code, String output) {}

    @BeforeEach
    void makeSystem() throws IOException {
        bin = Files.createDirectory(folder.resolve("bin"));
        jdks = Files.createDirectory(folder.resolve("jdks"));
        log = Files.createFile(folder.resolve("log"));
        for (String tool : PLAIN_TOOLS) {
            program(tool, "exec " + where(tool) + " \"$@\"");
        }
        isUser(0);
        Path clone = Files.createDirectory(folder.resolve("clone"));
        Files.createDirectory(clone.resolve("script"));
        for (String part : List.of("pilothouse", "script/start.sh", "script/package.sh", "script/commands.txt")) {
            Files.copy(Path.of("..").resolve(part), clone.resolve(part));
        }
        // The last definition counts: this system has its JDKs and the lists of its packages elsewhere.
        Files.writeString(
                clone.resolve("script/tools.sh"),
                Files.readString(Path.of("..", "script", "tools.sh")) + "list_jdk_folders() { folders=('" + jdks
                        + "'/*); }\napt_knows_packages() { [ ! -e '" + folder + "/no-lists' ]; }\n");
    }

    private static Path where(String tool) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .map(place -> Path.of(place, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no " + tool + " on the PATH."));
    }

    private void program(Path at, String lines) throws IOException {
        Files.createDirectories(at.getParent());
        Files.writeString(at, "#!/bin/sh\n" + lines + "\n");
        assertThat(at.toFile().setExecutable(true)).isTrue();
    }

    private void program(String name, String lines) throws IOException {
        program(bin.resolve(name), lines);
    }

    private void isUser(int number) throws IOException {
        program("id", "echo " + number);
    }

    private void hasJdk() throws IOException {
        Path jdk = jdks.resolve("jdk-25");
        program(jdk.resolve("bin/java"), "");
        program(jdk.resolve("bin/javac"), "");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    }

    /** A Maven that writes down what it is asked for, and builds an empty program. */
    private void hasMaven() throws IOException {
        program("mvn", """
                case "$*" in *--version*) echo "Apache Maven 3.9.9 (abc)"; exit ;; esac
                echo "mvn $*" >>'%s'
                mkdir -p server/target && : >server/target/pilothouse.jar""".formatted(log));
    }

    /** A package manager that offers one version of everything, and installs what it is asked for. */
    private void hasPackages(String version) throws IOException {
        hasJdk();
        hasMaven();
        Path store = Files.createDirectory(folder.resolve("store"));
        Files.move(bin.resolve("mvn"), store.resolve("mvn"));
        Files.move(jdks.resolve("jdk-25"), store.resolve("jdk-25"));
        String install = """
                echo "${0##*/} $*" >>'%s'
                case "$*" in *maven*) cp '%s/mvn' '%s' ;; *) cp -R '%s/jdk-25' '%s' ;; esac""".formatted(log, store, bin, store, jdks);
        program("apt-cache", "[ '" + version + "' = none ] || echo 'Version: " + version + "'");
        program("apt-get", install);
        program("dnf", "case \"$*\" in *info*) echo 'Version      : " + version + "' ;; *) " + install + "\n;; esac");
        program("brew", "case \"$1\" in info) ;; *) " + install + "\n;; esac");
        program("sudo", "exec \"$@\"");
    }

    private void lacks(String... tools) throws IOException {
        for (String tool : tools) {
            Files.delete(bin.resolve(tool));
        }
    }

    private ProcessBuilder system(List<String> command, boolean buildServer) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(Map.of(
                "PATH", bin.toString(), "HOME", folder.toString(), "TMPDIR", folder.toString(), "SHELL", "/bin/sh"));
        if (buildServer) {
            environment.put("CI", "true");
        }
        return builder;
    }

    private static Run run(ProcessBuilder builder, String input) throws IOException, InterruptedException {
        Process process = builder.start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
            in.flush();
            // The input ends only after the run, because a terminal takes its end for a wish to be left.
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Run(process.waitFor(), output.replace("\r", ""));
        }
    }

    /** Runs it as a script does, without a terminal. */
    private Run pilothouse(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", folder + "/clone/pilothouse"));
        command.addAll(List.of(arguments));
        return run(system(command, false), "");
    }

    /** Runs it in a terminal in which this is typed. */
    private Run pilothouseInTerminal(String typed, boolean buildServer) throws IOException, InterruptedException {
        Path terminal = Path.of("/usr/bin/script");
        Assumptions.assumeTrue(
                Files.isExecutable(terminal) && Files.isDirectory(Path.of("/proc/self")),
                "There is no script of util-linux, which makes terminals.");
        return run(
                system(
                        List.of(terminal.toString(), "-qec", "bash " + folder + "/clone/pilothouse build", "/dev/null"),
                        buildServer),
                typed);
    }

    private String installed() throws IOException {
        return Files.readString(log);
    }

    @ParameterizedTest
    @CsvSource({
        "apt-get, 0,    apt-get install -y openjdk-25-jdk-headless,      apt-get install -y maven",
        "apt-get, 1000, sudo apt-get install -y openjdk-25-jdk-headless, sudo apt-get install -y maven",
        "dnf,     1000, sudo dnf install -y java-25-openjdk-devel,       sudo dnf install -y maven",
        "brew,    1000, brew install openjdk@25,                         brew install maven",
    })
    void missingToolIsOneSentenceWithTheCommandOfThisSystem(String manager, int user, String jdk, String maven)
            throws IOException, InterruptedException {
        hasPackages("25.0.1");
        isUser(user);
        for (String other : List.of("apt-get", "dnf", "brew")) {
            if (!other.equals(manager)) {
                lacks(other);
            }
        }

        assertThat(pilothouse("up")).isEqualTo(new Run(1, JDK_SENTENCE + "install it with \"" + jdk + "\".\n"));
        hasJdk();
        assertThat(pilothouse("up")).isEqualTo(new Run(1, MAVEN_SENTENCE + "install it with \"" + maven + "\".\n"));
        assertThat(installed()).isEmpty();
    }

    @Test
    void sdkmanIsUsedWhereTheSystemHasNoSuchPackage() throws IOException, InterruptedException {
        hasPackages("none");
        lacks("dnf", "brew");
        Path sdkman = folder.resolve(".sdkman/bin/sdkman-init.sh");
        Files.createDirectories(sdkman.getParent());
        Files.writeString(sdkman, """
                sdk() {
                    echo " Temurin       |     | 26.0.1       | tem     |            | 26.0.1-tem          "
                    echo "               |     | 25.0.2       | tem     |            | 25.0.2-tem          "
                    echo "               |     | 25.0.1       | tem     | installed  | 25.0.1-tem          "
                }
                """);

        assertThat(pilothouse("up"))
                .isEqualTo(new Run(1, JDK_SENTENCE + "install it with \"sdk install java 25.0.2-tem\".\n"));
        hasJdk();
        assertThat(pilothouse("up")).isEqualTo(new Run(1, MAVEN_SENTENCE + "install it with \"sdk install maven\".\n"));
    }

    @Test
    void systemWithoutSuchPackagesLearnsWhereTheyAre() throws IOException, InterruptedException {
        String jdk = "install one (Eclipse Temurin 25 from https://adoptium.net, for example) and set JAVA_HOME to its"
                + " folder.\n";
        String maven = "install it (https://maven.apache.org has it) and put mvn on the PATH.\n";

        assertThat(pilothouse("up")).isEqualTo(new Run(1, JDK_SENTENCE + jdk));
        hasJdk();
        assertThat(pilothouse("up")).isEqualTo(new Run(1, MAVEN_SENTENCE + maven));
        // A Maven that is too old would be refused after its installation.
        hasPackages("3.6.3-5");
        hasJdk();
        lacks("dnf", "brew");
        assertThat(pilothouse("up")).isEqualTo(new Run(1, MAVEN_SENTENCE + maven));
    }

    @Test
    void freshContainerIsAskedToUpdateItsPackageListsFirst() throws IOException, InterruptedException {
        hasPackages("none");
        lacks("dnf", "brew");
        Files.createFile(folder.resolve("no-lists"));

        assertThat(pilothouse("up"))
                .isEqualTo(new Run(
                        1,
                        JDK_SENTENCE
                                + "run \"apt-get update\" as root, so that this system knows its packages, and start"
                                + " again.\n"));
    }

    @Test
    void yesInATerminalInstallsBothAndBuilds() throws IOException, InterruptedException {
        hasPackages("25.0.1");
        isUser(1000);
        lacks("dnf", "brew");

        Run run = pilothouseInTerminal("y\nyes\n", false);

        assertThat(run.output())
                .contains(JDK_SENTENCE, MAVEN_SENTENCE, "Install it now? [y/N] ")
                .endsWith("built " + folder + "/clone/server/target/pilothouse.jar\n");
        assertThat(run.code()).isZero();
        assertThat(installed().lines())
                .startsWith("apt-get install -y openjdk-25-jdk-headless", "apt-get install -y maven")
                .last()
                .asString()
                .startsWith("mvn -B -pl server -am ");
    }

    @Test
    void anyOtherAnswerInstallsNothing() throws IOException, InterruptedException {
        hasPackages("25.0.1");

        assertThat(pilothouseInTerminal("\n", false).code()).isEqualTo(1);

        assertThat(installed()).isEmpty();
    }

    @Test
    void buildServerIsNeverAsked() throws IOException, InterruptedException {
        hasPackages("25.0.1");
        lacks("dnf", "brew");

        assertThat(pilothouseInTerminal("y\n", true).output())
                .endsWith(JDK_SENTENCE + "install it with \"apt-get install -y openjdk-25-jdk-headless\".\n")
                .doesNotContain("Install it now?");

        assertThat(installed()).isEmpty();
    }

    @Test
    void installationThatFailsOrLeavesNothingIsOneMoreSentence() throws IOException, InterruptedException {
        hasPackages("25.0.1");
        lacks("dnf", "brew");
        String command = "\"apt-get install -y openjdk-25-jdk-headless\"";

        program("apt-get", "exit 100");
        assertThat(pilothouseInTerminal("y\n", false).output()).endsWith(command + " failed.\n");
        program("apt-get", "exit 0");
        assertThat(pilothouseInTerminal("y\n", false).output())
                .endsWith(command + " left no JDK 25 that can be found: set JAVA_HOME to its folder.\n");
    }

    @Test
    void deepTestsWalkTheirFullLengthFromAPrintedSeed() throws IOException, InterruptedException {
        hasJdk();
        hasMaven();

        assertThat(pilothouse("test", "--deep", "-Dpilothouse.seed=7").output())
                .contains("\nrandom walks started from -Dpilothouse.seed=7\n")
                .endsWith("0 passed, 0 failed, 0 skipped\n");
        assertThat(installed()).contains(" verify ", " -Dpilothouse.seed=7", " -Dpilothouse.deep=true");
        Files.writeString(log, "");
        assertThat(pilothouse("test").output()).containsPattern("\nrandom walks started from -Dpilothouse.seed=\\d+\n");
        assertThat(installed()).doesNotContain("deep").containsPattern(" -Dpilothouse\\.seed=\\d+");
    }
}
