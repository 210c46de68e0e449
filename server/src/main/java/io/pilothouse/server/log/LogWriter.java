package io.pilothouse.server.log;

import io.pilothouse.core.port.Clock;
import io.pilothouse.server.metrics.MetricsText;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Writes log lines in the order in which they came. While it runs, lines wait in a bounded buffer for a thread of its
 * own, so that whoever logs never waits for a slow terminal: a line that finds no room is dropped and counted, and only
 * a warning waits a moment for room. Before {@link #start} and after {@link #close} each line is written at once.
 */
public final class LogWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final long WARNING_WAITS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSING_WAITS_MILLIS = 2_000;

    private final OutputStream out;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();
    private final LogLine line;
    private final Thread thread;
    private byte[] waiting = {};
    private byte[] spare = {};
    private int length;
    private long dropped;
    private long droppedAndTold;
    private boolean running;
    private boolean broken;

    public LogWriter(OutputStream out, LogFormat format, Clock clock) {
        this.out = out;
        this.clock = clock;
        this.line = new LogLine(format);
        this.thread = Thread.ofPlatform().name("log").daemon().unstarted(this::drain);
    }

    public void start() {
        lock.lock();
        try {
            waiting = new byte[BUFFER_BYTES];
            spare = new byte[BUFFER_BYTES];
            running = true;
        } finally {
            lock.unlock();
        }
        thread.start();
    }

    /** Writes one line: its time, its level, and what {@code fields} adds to it. */
    void write(Level level, Consumer<LogLine> fields) {
        lock.lock();
        try {
            boolean patient = level.getSeverity() >= Level.WARNING.getSeverity() && !broken;
            build(level, fields);
            if (running && length + line.length() > waiting.length && patient) {
                awaitRoom(line.length());
                build(level, fields);
            }
            if (!running) {
                line.writeTo(out);
            } else if (length + line.length() > waiting.length) {
                dropped++;
            } else {
                append();
            }
        } catch (IOException e) {
            // There is nowhere left to say so.
            dropped++;
        } finally {
            lock.unlock();
        }
    }

    private void build(Level level, Consumer<LogLine> fields) {
        line.begin(clock.now());
        line.word("level", LogLevel.of(level).word());
        fields.accept(line);
        line.end();
    }

    private void append() {
        line.copyTo(waiting, length);
        if (length == 0) {
            filled.signal();
        }
        length += line.length();
    }

    private void awaitRoom(int wanted) {
        long nanos = WARNING_WAITS_NANOS;
        try {
            while (running && !broken && nanos > 0 && length + wanted > waiting.length) {
                nanos = drained.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void drain() {
        try {
            while (true) {
                byte[] batch;
                int batchLength;
                lock.lock();
                try {
                    while (length == 0 && running) {
                        filled.await();
                    }
                    if (length == 0) {
                        return;
                    }
                    noteDropped();
                    batch = waiting;
                    batchLength = length;
                    waiting = spare;
                    spare = batch;
                    length = 0;
                    drained.signalAll();
                } finally {
                    lock.unlock();
                }
                out.write(batch, 0, batchLength);
                out.flush();
            }
        } catch (InterruptedException | IOException e) {
            noteBroken();
        }
    }

    /** Nobody can read what is written here any more: lines are dropped from here on, and none is waited for. */
    private void noteBroken() {
        lock.lock();
        try {
            broken = true;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void noteDropped() {
        long untold = dropped - droppedAndTold;
        if (untold == 0) {
            return;
        }
        build(Level.WARNING, fields -> {
            fields.word("logger", "log");
            fields.text("message", "Lines were dropped because nobody took them fast enough");
            fields.whole("dropped", untold);
        });
        if (length + line.length() <= waiting.length) {
            append();
            droppedAndTold = dropped;
        }
    }

    public void write(MetricsText text) {
        text.single(
                "pilothouse_log_lines_dropped_total",
                MetricsText.Kind.COUNTER,
                "Log lines that found no room, because nobody took them fast enough.",
                dropped());
    }

    /** How many lines found no room. */
    long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /** Writes what waits, for a moment at most; lines that come later are written by whoever logs them. */
    @Override
    public void close() {
        boolean wasRunning;
        lock.lock();
        try {
            wasRunning = running;
            running = false;
            filled.signal();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        if (wasRunning) {
            try {
                thread.join(CLOSING_WAITS_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
