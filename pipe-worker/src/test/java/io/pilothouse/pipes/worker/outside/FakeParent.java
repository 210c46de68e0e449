package io.pilothouse.pipes.worker.outside;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The other end of a worker's link, in this process: answers whatever it is asked. */
public final class FakeParent implements AutoCloseable {
    private final Function<Tree.Members, Tree.Members> answers;
    private final Wire wire;
    private final Link link;

    /** {@code answers} makes the answer to a question. */
    public FakeParent(Function<Tree.Members, Tree.Members> answers) throws IOException {
        this.answers = answers;
        PipedOutputStream toWorker = new PipedOutputStream();
        PipedOutputStream toParent = new PipedOutputStream();
        wire = new Wire(new PipedInputStream(toParent), toWorker);
        link = new Link(new Wire(new PipedInputStream(toWorker), toParent), status -> {});
        Thread.ofPlatform().daemon().start(link::listen);
        Thread.ofPlatform().daemon().start(this::answer);
    }

    /** Tells where a database on this machine is, whatever is asked. */
    public static FakeParent ofDatabase(int port) throws IOException {
        Tree.Members place = new Tree.Members(Map.of(
                "address",
                new Tree.Text("http://127.0.0.1:" + port),
                "user",
                new Tree.Text("u"),
                "password",
                new Tree.Text("p")));
        return new FakeParent(_ -> place);
    }

    public Link link() {
        return link;
    }

    private void answer() {
        try {
            Optional<Tree.Members> question = wire.receive();
            while (question.isPresent()) {
                wire.send(answers.apply(question.get())
                        .with(Words.SORT, new Tree.Text(Words.ANSWER))
                        .with(Words.NUMBER, question.get().find(Words.NUMBER).orElseThrow()));
                question = wire.receive();
            }
        } catch (IOException ended) {
            // The test is over.
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
