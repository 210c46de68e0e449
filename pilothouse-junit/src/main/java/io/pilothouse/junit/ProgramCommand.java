package io.pilothouse.junit;

import io.pilothouse.server.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** How the program is run as a child. */
final class ProgramCommand {
    private static final String SCRIPT = "pilothouse";

    /** The flags that the program's script starts it with; another JDK may not know all of them. */
    private static final List<String> FLAGS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-Xms32m",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.locale.providers=SPI",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTReplayTraining");

    /** Prepares a start, or knows it prepared: the servers of one run share what is made. */
    @FunctionalInterface
    interface Preparation {
        PreparedStart of(List<String> java, String classes);
    }

    private ProgramCommand() {}

    /** Everything before the name of the command. */
    static List<String> of(Settings settings, Preparation preparation, Path folder) throws IOException {
        if (settings.program().isPresent()) {
            return of(settings.program().get());
        }
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(FLAGS);
        String classes = classPath();
        if (settings.prepare()) {
            command.addAll(preparation.of(command, classes).flags());
        }
        // A process that is killed leaves the library of the store behind.
        command.addAll(List.of("-Dorg.sqlite.tmpdir=" + folder, "-cp", classes, Main.class.getName()));
        return command;
    }

    private static List<String> of(Path program) throws IOException {
        Path file = (Files.isDirectory(program) ? program.resolve(SCRIPT) : program).toAbsolutePath();
        if (!Files.isRegularFile(file)) {
            throw new IOException(Settings.PROGRAM + " names " + program + ", and there is no program there");
        }
        if (!file.toString().endsWith(".jar")) {
            return List.of(file.toString());
        }
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(FLAGS);
        command.addAll(List.of("-jar", file.toString()));
        return command;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Of the class path of the tests what can have the program in it: jars, and folders with classes of ours. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(entry -> Files.isRegularFile(entry) || Files.isDirectory(entry.resolve("io/pilothouse")))
                .map(entry -> entry.toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
