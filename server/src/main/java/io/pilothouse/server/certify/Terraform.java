package io.pilothouse.server.certify;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.server.client.CommandRefused;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs {@code terraform} or {@code tofu}, one command at a time, and kills the one that runs when it is closed. */
final class Terraform implements AutoCloseable {
    private static final Duration RUN = Duration.ofMinutes(30);
    private static final Duration END_WITHIN = Duration.ofSeconds(20);
    private static final int MAX_OUTPUT_BYTES = 64 << 20;

    private final Path binary;
    private final Map<String, String> environment;
    private final Path outputs;
    private @Nullable Process running;
    private boolean closed;

    /** {@code outputs} is a folder for what the runs print. */
    Terraform(Path binary, Map<String, String> environment, Path outputs) {
        this.binary = binary;
        this.environment = Map.copyOf(environment);
        this.outputs = outputs;
    }

    /** The program that is named, or the first of {@code tofu} and {@code terraform} on the path. */
    static Path find(Optional<Path> named, Map<String, String> environment) throws CommandRefused {
        if (named.isPresent()) {
            Path binary = named.get().toAbsolutePath();
            if (!Files.isRegularFile(binary) || !Files.isExecutable(binary)) {
                throw new CommandRefused(binary + " is no program.");
            }
            return binary;
        }
        return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .flatMap(folder -> Stream.of(Path.of(folder, "tofu"), Path.of(folder, "terraform")))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .orElseThrow(() -> new CommandRefused(
                        "There is no tofu and no terraform on the path: --terraform names one of them."));
    }

    /** Runs a command in a folder, and gives what it printed. */
    String run(Path folder, List<String> arguments) throws TerraformFailed, IOException, InterruptedException {
        Path output = outputs.resolve("output");
        Path errors = outputs.resolve("errors");
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = start(builder);
        try {
            if (!process.waitFor(RUN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TerraformFailed(
                        arguments.getFirst(), List.of("It did not end within " + RUN.toMinutes() + " minutes."));
            }
        } finally {
            end(process);
        }
        if (process.exitValue() != 0) {
            throw new TerraformFailed(arguments.getFirst(), error(read(errors), read(output)));
        }
        return read(output);
    }

    private synchronized Process start(ProcessBuilder builder) throws IOException, InterruptedException {
        if (closed) {
            throw new InterruptedException("The certification was stopped");
        }
        Process process = builder.start();
        running = process;
        return process;
    }

    /** Waits for one that ends, and for one that does not asks politely first: it may be writing its state. */
    private static void end(Process process) throws InterruptedException {
        List<ProcessHandle> providers = process.descendants().toList();
        if (process.isAlive()) {
            process.destroy();
            if (!process.waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        providers.forEach(ProcessHandle::destroyForcibly);
    }

    Tree.Members json(Path folder, List<String> arguments) throws TerraformFailed, IOException, InterruptedException {
        return document(run(folder, arguments), arguments.getFirst());
    }

    private static Tree.Members document(String text, String command) throws TerraformFailed {
        try {
            return JsonReader.readObject(text.getBytes(StandardCharsets.UTF_8), new Faults());
        } catch (Refused e) {
            throw new TerraformFailed(command, List.of("Its answer cannot be read: " + e.sentence()));
        }
    }

    private static String read(Path file) throws IOException {
        if (Files.size(file) > MAX_OUTPUT_BYTES) {
            throw new IOException("Terraform printed more than " + (MAX_OUTPUT_BYTES >> 20) + " MB");
        }
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** The errors among what was printed, without the frame around them. */
    static List<String> error(String errors, String output) {
        String text = errors.isBlank() ? output : errors;
        List<String> lines = text.lines()
                .map(line -> line.replaceAll("\\x1b\\[[0-9;]*m", "")
                        .replaceFirst("^[│╷╵] ?", "")
                        .stripTrailing())
                .filter(line -> !line.isBlank())
                .toList();
        int first = 0;
        while (first < lines.size() && !lines.get(first).startsWith("Error: ")) {
            first++;
        }
        return first == lines.size() ? lines : lines.subList(first, lines.size());
    }

    /** Ends the run of now, and lets no other begin. */
    @Override
    public void close() {
        Process last;
        synchronized (this) {
            closed = true;
            last = running;
        }
        try {
            if (last != null) {
                end(last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
