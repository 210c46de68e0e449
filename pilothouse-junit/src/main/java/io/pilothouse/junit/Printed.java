package io.pilothouse.junit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a server prints: read to its end, kept nowhere, as it has secrets in it. Only one line of it counts. */
final class Printed {
    private static final String UP = " is up";

    private final Process process;
    private final CountDownLatch known = new CountDownLatch(1);
    private volatile boolean up;

    Printed(Process process) {
        this.process = process;
    }

    void readAll() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null) {
                if (line.contains(UP)) {
                    up = true;
                    known.countDown();
                }
                line = lines.readLine();
            }
            // The exit code is known only a moment after the end of the output.
            process.waitFor();
        } catch (IOException e) {
            up = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            known.countDown();
        }
    }

    /** Whether it said that it is up; false once it ended without that, or took longer. */
    boolean isUpWithin(Duration atMost) throws InterruptedException {
        return known.await(atMost.toMillis(), TimeUnit.MILLISECONDS) && up;
    }
}
