package io.pilothouse.pipes.worker.connect;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.TaskHello;
import io.pilothouse.pipes.wire.TaskHello.Purpose;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.worker.kafka.KafkaSource;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Link;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one task does: it visits the control plane, works as it is told until that visit ends, and visits it again until
 * Kafka Connect stops the task. A visit that the control plane broke off is over at once, in the middle of what it did.
 */
final class Visits implements Runnable {
    private static final Logger LOG = System.getLogger(Visits.class.getName());

    /** Two that take the same task for their own come less and less often. */
    private static final long STEADY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Door door;
    private final Function<TaskHello, Destination.Way> rows;
    private final String token;
    private final int index;
    private final Clock clock;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private @Nullable Link link;
    /** Whether the log says already why the control plane is not reached. */
    private boolean quiet;

    /** Where the control plane takes in tasks. */
    @FunctionalInterface
    interface Door {
        Socket connect(TaskHello hello) throws IOException;
    }

    /** {@code rows} makes the way of a visit to its database. */
    Visits(Door door, Function<TaskHello, Destination.Way> rows, String token, int index, Clock clock) {
        this.door = door;
        this.rows = rows;
        this.token = token;
        this.index = index;
        this.clock = clock;
    }

    @Override
    public void run() {
        BackOff backOff = new BackOff();
        try {
            boolean stopped = false;
            while (!stopped) {
                long begun = System.nanoTime();
                visit();
                if (System.nanoTime() - begun > STEADY_NANOS) {
                    backOff.reset();
                }
                stopped = stopping.await(backOff.millis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void visit() throws InterruptedException {
        String name = UUID.randomUUID().toString();
        try (Socket socket = door.connect(new TaskHello(Purpose.ORDERS, token, index, name))) {
            work(socket, name);
        } catch (IOException away) {
            LOG.log(
                    quiet ? Level.DEBUG : Level.WARNING,
                    "The control plane does not take this task in: {0}",
                    away.getMessage());
            quiet = true;
        } catch (RuntimeException bug) {
            // The task is nothing but this thread: it must not end before Kafka Connect says so.
            LOG.log(Level.ERROR, "A task of a pipe broke off and begins again", bug);
        }
    }

    private void work(Socket socket, String name) throws IOException, InterruptedException {
        Visit visit = new Visit(Thread.currentThread());
        Link orders = new Link(new Wire(socket.getInputStream(), socket.getOutputStream()), _ -> visit.halt());
        Thread listener = Thread.ofVirtual().name("pilothouse-orders").start(() -> {
            try {
                orders.listen();
            } finally {
                visit.halt();
            }
        });
        begun(orders);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Assignment assignment = orders.awaitAssignment();
            quiet = false;
            orders.report(Condition.STARTING, "", -1);
            Destination destination = new Destination(
                    orders, assignment.target(), rows.apply(new TaskHello(Purpose.ROWS, token, index, name)));
            new KafkaSource(orders, assignment, destination, threads, clock).run();
        } catch (InterruptedException over) {
            LOG.log(Level.DEBUG, "The control plane ended a visit");
        } finally {
            visit.leave();
            begun(null);
            socket.close();
        }
        listener.join();
    }

    private synchronized void begun(@Nullable Link next) {
        link = next;
        if (next != null && stopping.getCount() == 0) {
            next.drain();
        }
    }

    /** Lets the worker finish what is in hand; waits for nothing. */
    synchronized void stop() {
        stopping.countDown();
        if (link != null) {
            link.drain();
        }
    }

    /** Waits this long, or until the task is to stop; whether it is. */
    boolean awaitStop(long millis) throws InterruptedException {
        return stopping.await(millis, TimeUnit.MILLISECONDS);
    }

    /** The thread that works, which may be interrupted for as long as its visit lasts and no longer. */
    private static final class Visit {
        private @Nullable Thread worker;

        Visit(Thread worker) {
            this.worker = worker;
        }

        synchronized void halt() {
            if (worker != null) {
                worker.interrupt();
            }
        }

        /** What came in time was meant for this visit. */
        synchronized void leave() {
            worker = null;
            LOG.log(Level.DEBUG, Thread.interrupted() ? "A visit was broken off" : "A visit ended");
        }
    }
}
