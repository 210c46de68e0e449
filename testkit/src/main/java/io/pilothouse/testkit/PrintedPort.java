package io.pilothouse.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The port that a server of another maker chose, from the line that says so. */
public final class PrintedPort {
    private static final long MAX_SECONDS = 120;

    private PrintedPort() {}

    /** A server that does not say it in time is killed; {@code listening} has the port as its first group. */
    public static int await(Process server, Pattern listening) throws IOException {
        CompletableFuture<Void> late = CompletableFuture.runAsync(
                server::destroyForcibly, CompletableFuture.delayedExecutor(MAX_SECONDS, TimeUnit.SECONDS));
        try {
            BufferedReader lines = server.inputReader(StandardCharsets.UTF_8);
            StringBuilder seen = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = listening.matcher(line);
                if (matcher.find()) {
                    return Integer.parseInt(matcher.group(1));
                }
                seen.append(line).append('\n');
            }
            throw new AssertionError(server.info().command().orElse("A server") + " did not start: " + seen);
        } finally {
            late.cancel(false);
        }
    }
}
