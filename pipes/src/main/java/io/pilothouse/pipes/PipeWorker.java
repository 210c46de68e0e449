package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * One worker: it is told its work once, asks while it works, and reports. It ends when it is drained or killed, and by
 * itself when this process is gone.
 */
final class PipeWorker {
    private static final Logger LOG = System.getLogger(PipeWorker.class.getName());

    private final Assignment assignment;
    private final Host host;
    private final Wire wire;
    private final Listener listener;
    private final Executor answers;
    private volatile boolean killed;

    /** Hears of a worker; called by threads of its own. */
    interface Listener {
        /** Answers what the worker asks; may take a while. */
        Tree.Members answer(PipeWorker worker, About about, Tree.Members body) throws PlaneFault, InterruptedException;

        void reported(PipeWorker worker, Report report);

        /** It ended; {@code how} is a sentence for a pipe that it should not have left. */
        void ended(PipeWorker worker, String how);
    }

    PipeWorker(Host host, Assignment assignment, Listener listener, Executor answers) throws IOException {
        this.assignment = assignment;
        this.host = host;
        this.wire = new Wire(host.in(), host.out());
        this.listener = listener;
        this.answers = answers;
    }

    /** Tells it its work; {@code readers} makes threads that may block in reads. */
    void begin(ThreadFactory readers) {
        readers.newThread(this::read).start();
        host.begin(assignment.pipe(), readers);
        send(assignment.tree());
    }

    /** Tells one that is done with its work what is next. */
    void next(Assignment more) {
        send(more.tree());
    }

    Assignment assignment() {
        return assignment;
    }

    /** Lets it finish what is in hand. */
    void drain() {
        send(new Tree.Members(Map.of(Words.SORT, new Tree.Text(Words.DRAIN))));
    }

    void kill() {
        killed = true;
        host.kill();
    }

    /** What its process uses, if that is on this machine. */
    Optional<ProcessUse> use() {
        return host.use();
    }

    /** Whether it has ended within this time. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        return host.awaitEnd(atMost);
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
                    killed ? Level.DEBUG : Level.WARNING,
                    "A worker of the pipe {0} cannot be heard and is ended: {1}",
                    assignment.pipe(),
                    broken.getMessage());
            host.kill();
        }
        String how = host.awaitEnd();
        try {
            wire.close();
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "A worker of the pipe {0} left its pipe closed", assignment.pipe());
        }
        listener.ended(this, how);
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
        try {
            wire.send(numbered(question, answer));
        } catch (Wire.TooLarge tooLarge) {
            LOG.log(
                    Level.WARNING,
                    "A worker of the pipe {0} gets no answer about {1}: {2}",
                    assignment.pipe(),
                    about,
                    tooLarge.getMessage());
            send(numbered(question, refused("The answer is too large.")));
        } catch (IOException gone) {
            takesNone();
        }
    }

    private static Tree.Members numbered(Tree.Members question, Tree.Members answer) {
        return answer.with(Words.SORT, new Tree.Text(Words.ANSWER))
                .with(Words.NUMBER, question.find(Words.NUMBER).orElse(null));
    }

    private static Tree.Members refused(String sentence) {
        return new Tree.Members(Map.of(Words.REFUSED, new Tree.Text(sentence)));
    }

    /** A worker that is gone is reported by the thread that reads from it. */
    private void send(Tree.Members message) {
        try {
            wire.send(message);
        } catch (IOException gone) {
            takesNone();
        }
    }

    private void takesNone() {
        LOG.log(Level.DEBUG, "A worker of the pipe {0} takes no messages", assignment.pipe());
    }
}
