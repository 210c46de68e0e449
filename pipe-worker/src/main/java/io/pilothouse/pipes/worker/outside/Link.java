package io.pilothouse.pipes.worker.outside;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.wire.Report.TableEvent;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** The worker's side of its connection to the control plane. When its parent is gone the worker is halted at once. */
public final class Link {
    private final Wire wire;
    private final IntConsumer halt;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, CompletableFuture<Tree.Members>> asked = new ConcurrentHashMap<>();
    private final CountDownLatch draining = new CountDownLatch(1);
    private volatile Runnable onDrain = () -> {};
    private final BlockingQueue<Assignment> assignments = new LinkedBlockingQueue<>();

    private Amounts amounts = Amounts.NONE;
    private final Map<Tally, Long> tallies = new EnumMap<>(Tally.class);
    private final Map<TableEvent, Long> events = new HashMap<>();
    private Map<String, Long> lags = Map.of();
    private long latencyMillis = -1;
    private long keptBytes = -1;

    public Link(Wire wire, IntConsumer halt) {
        this.wire = wire;
        this.halt = halt;
    }

    /** Takes what the parent says until it is gone. */
    public void listen() {
        try {
            Optional<Tree.Members> message = wire.receive();
            while (message.isPresent()) {
                take(message.get());
                message = wire.receive();
            }
        } catch (IOException gone) {
            System.err.println("The control plane cannot be heard: " + gone.getMessage());
        }
        halt.accept(0);
    }

    private void take(Tree.Members message) {
        switch (message.text(Words.SORT).orElse("")) {
            case Words.BEGIN -> assignments.add(Assignment.of(message));
            case Words.DRAIN -> drain();
            case Words.ANSWER -> {
                CompletableFuture<Tree.Members> waiting =
                        asked.remove(message.number(Words.NUMBER).orElse(-1.0).longValue());
                if (waiting != null) {
                    waiting.complete(message);
                }
            }
            default -> throw new IllegalStateException("a message of an unknown sort");
        }
    }

    /** The work, or the next after one that is done. */
    public Assignment awaitAssignment() throws InterruptedException {
        Assignment next = assignments.take();
        keeps(-1);
        return next;
    }

    /** Asks the parent; the sentence of a refusal comes as {@code refusal} of the result. */
    public Reply ask(About about, Tree.Members body) throws InterruptedException {
        long number = numbers.incrementAndGet();
        CompletableFuture<Tree.Members> answer = new CompletableFuture<>();
        asked.put(number, answer);
        send(question(number, about, body));
        Tree.Members said = await(answer);
        return new Reply(said, said.text(Words.REFUSED));
    }

    /** How far these parts were read, by their names; empty where the parent refuses to say. */
    public Optional<Map<String, Span>> ranges(List<String> parts) throws InterruptedException {
        Reply reply = ask(About.RANGES, new Tree.Members(Map.of("parts", Tree.Items.texts(parts))));
        if (reply.refusal().isPresent()) {
            return Optional.empty();
        }
        Map<String, Span> ranges = new HashMap<>();
        Span.list(reply.body()).forEach(span -> ranges.put(span.part(), span));
        return Optional.of(ranges);
    }

    /** Tells the parent something whose answer nobody waits for. */
    public void tell(About about) {
        send(question(numbers.incrementAndGet(), about, Tree.Members.NONE));
    }

    private static Tree.Members question(long number, About about, Tree.Members body) {
        return new Tree.Members(Map.of(
                Words.SORT, new Tree.Text(Words.QUESTION),
                Words.NUMBER, new Tree.Figure(number),
                Words.ABOUT, new Tree.Text(about.name()),
                Words.BODY, body));
    }

    /** What the parent answered, or why it refused. */
    public record Reply(Tree.Members body, Optional<String> refusal) {}

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Adds to what the next report says was done; the time since it was made is -1 where it is not known. */
    public synchronized void count(Amounts more, long millisSinceMade) {
        amounts = amounts.plus(more);
        if (millisSinceMade >= 0) {
            latencyMillis = millisSinceMade;
        }
    }

    /** Adds to what not every source can count. */
    public synchronized void count(Tally tally, long more) {
        tallies.merge(tally, more, Long::sum);
    }

    /** Counts a change of a table. */
    public synchronized void count(TableEvent event) {
        events.merge(event, 1L, Long::sum);
    }

    /** How far behind each part is, in records or in milliseconds as its source says it, for the next report. */
    public synchronized void lags(Map<String, Long> behind) {
        lags = behind;
    }

    /** How much the source keeps for this pipe, for the next reports. */
    public synchronized void keeps(long bytes) {
        keptBytes = bytes;
    }

    public void report(Condition condition, String sentence, long lag) {
        Report report;
        synchronized (this) {
            report = new Report(condition, sentence, amounts, tallies, events, lags, lag, latencyMillis, keptBytes);
            amounts = Amounts.NONE;
            tallies.clear();
            events.clear();
        }
        send(report.tree());
    }

    /** Has the worker finish what is in hand, and end. */
    public void drain() {
        draining.countDown();
        onDrain.run();
    }

    /** What ends a wait of the source's own once the worker is to drain; at once where it is already. */
    public void whenDraining(Runnable wakes) {
        onDrain = wakes;
        if (isDraining()) {
            wakes.run();
        }
    }

    public boolean isDraining() {
        return draining.getCount() == 0;
    }

    /** Waits this long, or until it is to drain; whether it is. */
    public boolean pause(long millis) throws InterruptedException {
        return draining.await(millis, TimeUnit.MILLISECONDS);
    }

    private void send(Tree.Members message) {
        try {
            wire.send(message);
        } catch (IOException gone) {
            System.err.println("The control plane takes no message: " + gone.getMessage());
            halt.accept(0);
        }
    }
}
