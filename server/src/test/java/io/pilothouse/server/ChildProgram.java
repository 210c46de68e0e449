package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** The built program in a process of its own, as a person runs it. */
final class ChildProgram implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path errors;
    private final BufferedReader output;
    private final StringBuilder printed = new StringBuilder();

    private ChildProgram(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the program with these arguments; its standard error is written to a new file in the folder. */
    static ChildProgram start(Path folder, String... arguments) throws IOException {
        return java(folder, jarWith(jar(), arguments));
    }

    private static List<String> jarWith(String jar, String... arguments) {
        List<String> command = new ArrayList<>(List.of("-jar", jar));
        command.addAll(List.of(arguments));
        return command;
    }

    static String jar() {
        Path jar = Path.of("target", "pilothouse.jar").toAbsolutePath();
        assertThat(jar).as("the program, which Maven's package phase builds").exists();
        return jar.toString();
    }

    /** Starts the control plane from the classes of the tests, so that it needs no built jar, and waits for nothing. */
    static ChildProgram fromClasses(Path folder, List<String> more) throws IOException {
        return fromClasses(folder, List.of(Main.class.getName(), "up"), more);
    }

    /** The same with another class, and what comes before the flags. */
    static ChildProgram fromClasses(Path folder, List<String> program, List<String> more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED", "-cp", classes(folder).toString()));
        arguments.addAll(program);
        List<String> up = up(folder, more);
        arguments.addAll(up.subList(1, up.size()));
        arguments.addAll(more);
        return java(folder, arguments);
    }

    /** Up on free ports, with its data in a folder. */
    private static List<String> up(Path folder) {
        return up(folder, List.of());
    }

    /** The same without the listeners that are among these flags. */
    private static List<String> up(Path folder, List<String> more) {
        List<String> arguments =
                new ArrayList<>(List.of("up", "--data", folder.resolve("data").toString()));
        for (String listener : List.of("--listen", "--query-listen", "--alerts-listen", "--admin-listen")) {
            if (!more.contains(listener)) {
                arguments.addAll(List.of(listener, "127.0.0.1:0"));
            }
        }
        return arguments;
    }

    /** All classes under one name: of a command that is longer than a page only the beginning can be seen. */
    private static Path classes(Path folder) throws IOException {
        Path jar = folder.resolve("classes.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    /** Starts this JVM's java with these arguments. */
    static ChildProgram java(Path folder, List<String> arguments) throws IOException {
        return java(folder, List.of(), arguments);
    }

    private static ChildProgram java(Path folder, List<String> prefix, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A killed process leaves the driver's library behind.
        command.add("-Dorg.sqlite.tmpdir=" + folder);
        command.addAll(arguments);
        return command(folder, command);
    }

    /** Starts any command, without what the surroundings may say to the program. */
    static ChildProgram command(Path folder, List<String> command) throws IOException {
        Path errors = Files.createTempFile(folder, "stderr", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("PILOTHOUSE_"));
        return new ChildProgram(builder.start(), errors);
    }

    /** Starts the control plane on free ports with its data in a folder, and waits until it says that it is up. */
    static ChildProgram up(Path folder, String... more) throws IOException {
        return up(folder, jar(), List.of(), more);
    }

    /** The same from another copy of the program. */
    static ChildProgram upFrom(Path jar, Path folder, String... more) throws IOException {
        return up(folder, jar.toString(), List.of(), more);
    }

    /** The same where no file can grow beyond this many blocks of 512 bytes, as if the disk were full. */
    static ChildProgram upWithSmallFiles(Path folder, int blocks, String... more) throws IOException {
        return up(folder, jar(), List.of("/bin/sh", "-c", "ulimit -f " + blocks + " && exec \"$@\"", "sh"), more);
    }

    /** The same with a heap of this size, which ends the process when it is not enough. */
    static ChildProgram upWithHeap(Path folder, int megabytes, String... more) throws IOException {
        return up(
                folder,
                jar(),
                List.of("/usr/bin/env", "JDK_JAVA_OPTIONS=-Xmx" + megabytes + "m -XX:+ExitOnOutOfMemoryError"),
                more);
    }

    private static ChildProgram up(Path folder, String jar, List<String> prefix, String... more) throws IOException {
        List<String> arguments = up(folder);
        if (!List.of(more).contains("--plane")) {
            arguments.addAll(List.of("--plane", "simulated"));
        }
        arguments.addAll(List.of(more));
        ChildProgram program = java(folder, prefix, jarWith(jar, arguments.toArray(String[]::new)));
        program.readUntil("organization_id");
        return program;
    }

    private void readUntil(String mark) throws IOException {
        String line;
        do {
            line = output.readLine();
            assertThat(line).as("%s%n%s", printed, Files.readString(errors)).isNotNull();
            printed.append(line).append('\n');
        } while (!line.contains(mark));
    }

    /** The lines it printed, up to one with this in it. */
    String printedUntil(String mark) throws IOException {
        if (!printed.toString().contains(mark)) {
            readUntil(mark);
        }
        return printed.toString();
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    Process process() {
        return process;
    }

    /** Sends a signal by its name. */
    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("ended")
                .isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        output.close();
    }
}
