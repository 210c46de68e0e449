package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How one run of another program ended: its exit code, -1 if there is no such program, and what it printed where. */
record ToolRun(int code, String output, String errors) {
    /** Runs it to its end, and kills it when that takes longer. */
    static ToolRun of(ProcessBuilder tool, Duration atMost) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("tool-run");
        Path output = Files.createFile(folder.resolve("output"));
        Path errors = Files.createFile(folder.resolve("errors"));
        try {
            if (tool.redirectOutput().equals(ProcessBuilder.Redirect.PIPE)) {
                tool.redirectOutput(output.toFile());
            }
            Process process;
            try {
                process = tool.redirectError(errors.toFile()).start();
            } catch (IOException missing) {
                return new ToolRun(-1, "", String.valueOf(missing.getMessage()));
            }
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            return new ToolRun(
                    process.exitValue(),
                    Files.readString(output, StandardCharsets.UTF_8),
                    Files.readString(errors, StandardCharsets.UTF_8));
        } finally {
            Folders.delete(folder);
        }
    }

    /** What it printed for a program to read, where it must succeed. */
    static String must(ProcessBuilder tool, Duration atMost) throws IOException, InterruptedException {
        ToolRun run = of(tool, atMost);
        List<String> command = tool.command();
        assertThat(run.code())
                .as(String.join(" ", command.subList(1, command.size())) + "\n" + run.printed())
                .isZero();
        return run.output();
    }

    String printed() {
        return output + errors;
    }
}
