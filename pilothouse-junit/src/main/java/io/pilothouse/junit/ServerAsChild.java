package io.pilothouse.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server that is a process of its own: its libraries and loggers never meet those of the tests. It ends with the
 * process of the tests, however that ends, as it then has no more input.
 */
record ServerAsChild(TestFolder folder, Process process, ServerAccess access) implements RunningServer {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(30);
    private static final int LINES_OF_LOG = 20;

    static ServerAsChild start(Plane plane, Settings settings, ProgramCommand.Preparation preparation) {
        TestFolder folder = TestFolder.make();
        Path log = folder.path().resolve("server.log");
        try {
            List<String> command = new ArrayList<>(ProgramCommand.of(settings, preparation, folder.path()));
            command.add("up");
            command.addAll(RunningServer.arguments(folder.path(), plane, settings.more()));
            command.add("--until-input-ends");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            builder.environment().keySet().retainAll(settings.environment().keySet());
            return started(builder.start(), folder, log, settings.startLimit());
        } catch (IOException e) {
            folder.remove();
            throw new PilothouseException("The server did not start: " + e.getMessage(), e);
        }
    }

    private static ServerAsChild started(Process process, TestFolder folder, Path log, Duration atMost)
            throws IOException {
        try {
            if (saysThatItIsUp(process, atMost)) {
                return new ServerAsChild(
                        folder, process, ServerAccess.readFrom(RunningServer.readyFile(folder.path())));
            }
            throw new PilothouseException("The server did not start: " + whyNot(process, atMost) + lastLines(log));
        } catch (PilothouseException e) {
            process.destroyForcibly().onExit().join();
            folder.remove();
            throw e;
        }
    }

    /** Reads what it prints to its end, in a thread of its own: it has its secrets in it and goes nowhere. */
    private static boolean saysThatItIsUp(Process process, Duration atMost) {
        Printed printed = new Printed(process);
        Thread.ofVirtual().name("pilothouse-output").start(printed::readAll);
        try {
            return printed.isUpWithin(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PilothouseException("The start of the server was cut short", e);
        }
    }

    private static String whyNot(Process process, Duration atMost) {
        return process.isAlive()
                ? "it was not up after " + atMost.toSeconds() + " seconds (" + Settings.START_LIMIT + ")."
                : "it ended with code " + process.exitValue() + ".";
    }

    private static String lastLines(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        return "\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()));
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The server did not stop well", e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            folder.remove();
        }
    }
}
