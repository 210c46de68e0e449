package io.pilothouse.pipes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A child process of this one, whose standard input and output are the ways, and whose words go to the log. */
final class ChildHost implements Host {
    private static final Logger LOG = System.getLogger(ChildHost.class.getName());

    private final Process process;
    private final ProcessUse use;

    ChildHost(Process process) {
        this.process = process;
        this.use = new ProcessUse(process.toHandle());
    }

    @Override
    public InputStream in() {
        return process.getInputStream();
    }

    @Override
    public OutputStream out() {
        return process.getOutputStream();
    }

    @Override
    public void begin(String name, ThreadFactory readers) {
        readers.newThread(() -> log(name)).start();
    }

    private void log(String name) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(line -> LOG.log(Level.INFO, "pipe {0}: {1}", name, line));
        } catch (IOException | UncheckedIOException gone) {
            LOG.log(Level.DEBUG, "The words of a worker of the pipe {0} broke off", name);
        }
    }

    @Override
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public String awaitEnd() {
        int exit;
        try {
            exit = process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            exit = -1;
        }
        return "A worker ended by itself (exit status " + exit + ") and is started again.";
    }

    @Override
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<ProcessUse> use() {
        return Optional.of(use);
    }
}
