package io.pilothouse.server.log;

import io.pilothouse.core.port.Clock;
import io.pilothouse.http.metrics.MetricsText;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Writes log lines in the order in which they came. While it runs, lines wait for a thread of its own, so that a slow
 * terminal holds no thread up: a line that finds no room is dropped and counted, and only a warning waits a moment for
 * room. Before {@link #start} and after {@link #close} each line is written at once.
 */
public final class LogWriter implements AutoCloseable {
    private static final int MAX_WAITING_CHARACTERS = 256 * 1024;
    private static final long WARNING_WAITS_SECONDS = 1;
    private static final long CLOSING_WAITS_MILLIS = 2_000;

    private final OutputStream out;
    private final LogFormat format;
    private final Clock clock;
    private final Thread thread = Thread.ofPlatform().name("log").daemon().unstarted(this::writeWhileRunning);
    private final Semaphore room = new Semaphore(MAX_WAITING_CHARACTERS);
    private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final AtomicLong dropped = new AtomicLong();
    private final ReentrantLock writing = new ReentrantLock();
    private long reportedAsDropped;
    private volatile boolean running;

    public LogWriter(OutputStream out, LogFormat format, Clock clock) {
        this.out = out;
        this.format = format;
        this.clock = clock;
    }

    public void start() {
        running = true;
        thread.start();
    }

    /** Writes one line: its time, its level, and what {@code fields} adds to it. */
    void write(Level level, Consumer<LogLine> fields) {
        String line = line(level, fields);
        if (!takeRoom(line.length(), level.getSeverity() >= Level.WARNING.getSeverity())) {
            dropped.incrementAndGet();
            return;
        }
        waiting.add(line);
        if (!running) {
            writeWaiting("");
        }
    }

    private String line(Level level, Consumer<LogLine> fields) {
        LogLine line = new LogLine(format, clock.now(), LogLevel.of(level));
        fields.accept(line);
        return line.toString();
    }

    private boolean takeRoom(int characters, boolean patient) {
        if (room.tryAcquire(characters)) {
            return true;
        }
        try {
            return patient && room.tryAcquire(characters, WARNING_WAITS_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void writeWhileRunning() {
        try {
            while (running) {
                writeWaiting(waiting.take());
            }
            writeWaiting("");
        } catch (InterruptedException e) {
            // Nothing interrupts this thread; without it, the logging thread writes.
            running = false;
        }
    }

    /** Writes this and all that waits, as one piece. */
    private void writeWaiting(String first) {
        writing.lock();
        try {
            List<String> lines = new ArrayList<>(List.of(first));
            waiting.drainTo(lines);
            lines.removeIf(String::isEmpty);
            String text = String.join("", lines);
            try {
                long lost = dropped.get();
                String notice = lost > reportedAsDropped ? notice(lost - reportedAsDropped) : "";
                out.write((text + notice).getBytes(StandardCharsets.UTF_8));
                out.flush();
                reportedAsDropped = lost;
            } catch (IOException e) {
                // There is nowhere left to say so.
                dropped.addAndGet(lines.size());
            } finally {
                room.release(text.length());
            }
        } finally {
            writing.unlock();
        }
    }

    private String notice(long lost) {
        return line(Level.WARNING, fields -> {
            fields.text("logger", "log");
            fields.text("message", "Lines were dropped because they were not read fast enough");
            fields.number("dropped", lost);
        });
    }

    public void write(MetricsText text) {
        text.single(
                "pilothouse_log_lines_dropped_total",
                MetricsText.Kind.COUNTER,
                "Log lines that found no room, because they were not read fast enough.",
                dropped());
    }

    /** How many lines found no room. */
    long dropped() {
        return dropped.get();
    }

    /** Writes what waits, for a moment at most; later lines are written by the thread that logs them. */
    @Override
    public void close() {
        running = false;
        // No line: it only wakes the thread, which then ends.
        waiting.add("");
        try {
            thread.join(CLOSING_WAITS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
