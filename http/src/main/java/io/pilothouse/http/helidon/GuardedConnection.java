package io.pilothouse.http.helidon;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One open connection. The server asks each of its connections a few times a second how long it has been idle, and
 * closes those that were idle for too long: here the answer comes from the deadline, whatever the connection is doing.
 */
final class GuardedConnection implements ServerConnection, InterruptableTask<Void> {
    /** The idle time reported by a connection that must be closed; any other reports none. */
    static final Duration TOO_LONG = Duration.ofSeconds(1);

    private static final long MAX_DRAINED = 1024 * 1024;

    private final ServerConnection inner;
    private final GuardedContext context;
    private final TransportErrors errors;
    private final AtomicBoolean stopping;

    GuardedConnection(ServerConnection inner, GuardedContext context, TransportErrors errors, AtomicBoolean stopping) {
        this.inner = inner;
        this.context = context;
        this.errors = errors;
        this.stopping = stopping;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        // One that was accepted while the listener stopped was not asked to end: it was not known yet.
        if (stopping.get()) {
            return;
        }
        inner.handle(limit);
        if (context.refusedInHead() && !context.caughtUp()) {
            context.drain(MAX_DRAINED);
        }
    }

    @Override
    public Duration idleTime() {
        Deadline deadline = context.deadline();
        boolean over = deadline.late() || (stopping.get() && deadline.step() == Deadline.Step.IDLE);
        return over ? TOO_LONG.plusSeconds(1) : Duration.ZERO;
    }

    /** Gives the connection up if its step took too long; one that is still sending gets an answer first. */
    @Override
    public void close(boolean interrupt) {
        switch (context.deadline().endIfLate()) {
            case HEAD -> answerAndClose(null);
            case BODY -> answerAndClose(context.requestId());
            case IDLE, WRITE, DRAIN -> closeSocket();
            case WORK, OVER -> stop(interrupt);
        }
    }

    /** The listener stops: a connection without a request ends now, one with a request may finish it first. */
    private void stop(boolean interrupt) {
        if (context.deadline().endUnlessAsked()) {
            closeSocket();
        }
        inner.close(interrupt);
    }

    private void answerAndClose(@Nullable UUID requestId) {
        // A stopping listener takes no more tasks, and does not wait for slow clients.
        if (stopping.get()) {
            closeSocket();
            return;
        }
        context.executor().execute(() -> {
            try {
                context.serverSocket().write(BufferData.create(errors.timeout(requestId)));
            } catch (RuntimeException gone) {
                // Then it needs no answer.
            }
            closeSocket();
        });
    }

    private void closeSocket() {
        try {
            context.serverSocket().close();
        } catch (RuntimeException gone) {
            // Its own thread closes it too.
        }
    }

    @Override
    public boolean canInterrupt() {
        return inner instanceof InterruptableTask<?> task && task.canInterrupt();
    }
}
