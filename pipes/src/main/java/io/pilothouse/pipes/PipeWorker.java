package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * One worker: a child process that is told its work once, asks while it works, and reports. It ends when it is drained
 * or killed, and by itself when this process is gone.
 */
final class PipeWorker {
    private static final Logger LOG = System.getLogger(PipeWorker.class.getName());

    private final Assignment assignment;
    private final Process process;
    private final Wire wire;
    private final Listener listener;
    private final Executor answers;
    private final ProcessUse use;

    /** Hears of a worker; called by threads of its own. */
    interface Listener {
        /** Answers what the worker asks; may take a while. */
        Tree.Members answer(PipeWorker worker, About about, Tree.Members body) throws PlaneFault, InterruptedException;

        void reported(PipeWorker worker, Report report);

        void ended(PipeWorker worker, int exit);
    }

    private PipeWorker(Assignment assignment, Process process, Listener listener, Executor answers) {
        this.assignment = assignment;
        this.process = process;
        this.wire = new Wire(process.getInputStream(), process.getOutputStream());
        this.listener = listener;
        this.answers = answers;
        this.use = new ProcessUse(process.toHandle());
    }

    /** {@code readers} makes threads that may block in reads. */
    static PipeWorker begin(
            Process process, Assignment assignment, Listener listener, ThreadFactory readers, Executor answers) {
        PipeWorker worker = new PipeWorker(assignment, process, listener, answers);
        readers.newThread(worker::read).start();
        readers.newThread(worker::log).start();
        worker.send(assignment.tree());
        return worker;
    }

    Assignment assignment() {
        return assignment;
    }

    /** Lets it finish what is in hand. */
    void drain() {
        send(new Tree.Members(Map.of(Words.SORT, new Tree.Text(Words.DRAIN))));
    }

    void kill() {
        process.destroyForcibly();
    }

    long pid() {
        return process.pid();
    }

    /** What its process uses. */
    ProcessUse use() {
        return use;
    }

    /** Whether it has ended within this time. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void read() {
        try {
            Optional<Tree.Members> message = wire.receive();
            while (message.isPresent()) {
                take(message.get());
                message = wire.receive();
            }
        } catch (IOException | RuntimeException broken) {
            LOG.log(
                    Level.WARNING,
                    "A worker of the pipe {0} cannot be understood and is ended: {1}",
                    assignment.pipe(),
                    broken.getMessage());
            process.destroyForcibly();
        }
        int exit = exit();
        try {
            wire.close();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "A worker of the pipe {0} left its pipe closed", assignment.pipe());
        }
        listener.ended(this, exit);
    }

    private int exit() {
        try {
            return process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    private void take(Tree.Members message) {
        switch (message.text(Words.SORT).orElse("")) {
            case Words.REPORT -> listener.reported(this, Report.of(message));
            case Words.QUESTION -> {
                if (message.text(Words.ABOUT).equals(Optional.of(About.RELEASE.name()))) {
                    // In its place among the messages: a question for the database may follow at once.
                    answer(message);
                } else {
                    answers.execute(() -> answer(message));
                }
            }
            default -> throw new IllegalStateException("a message of an unknown sort");
        }
    }

    private void answer(Tree.Members question) {
        About about = About.valueOf(question.text(Words.ABOUT).orElseThrow());
        Tree.Members answer;
        try {
            answer = listener.answer(this, about, question.members(Words.BODY).orElse(Tree.Members.NONE));
        } catch (PlaneFault refusal) {
            answer = refused(String.valueOf(refusal.getMessage()));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            answer = refused("The control plane is stopping.");
        } catch (RuntimeException bug) {
            LOG.log(Level.ERROR, "A question of a pipe's worker could not be answered", bug);
            answer = refused("The control plane could not answer; its log has the details.");
        }
        send(answer.with(Words.SORT, new Tree.Text(Words.ANSWER))
                .with(Words.NUMBER, question.find(Words.NUMBER).orElse(null)));
    }

    private static Tree.Members refused(String sentence) {
        return new Tree.Members(Map.of(Words.REFUSED, new Tree.Text(sentence)));
    }

    /** A worker that is gone is reported by the thread that reads from it. */
    private void send(Tree.Members message) {
        try {
            wire.send(message);
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "A worker of the pipe {0} takes no messages", assignment.pipe());
        }
    }

    private void log() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            lines.lines().forEach(line -> LOG.log(Level.INFO, "pipe {0}: {1}", assignment.pipe(), line));
        } catch (IOException | UncheckedIOException gone) {
            LOG.log(Level.DEBUG, "The words of a worker of the pipe {0} broke off", assignment.pipe());
        }
    }
}
