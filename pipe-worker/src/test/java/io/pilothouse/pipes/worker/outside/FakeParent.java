package io.pilothouse.pipes.worker.outside;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The other end of a worker's link, in this process: answers whatever it is asked. */
public final class FakeParent implements AutoCloseable {
    private final Function<Tree.Members, Tree.Members> answers;
    private final Wire wire;
    private final Link link;
    private final List<String> conditions = new CopyOnWriteArrayList<>();
    private final List<About> asked = new CopyOnWriteArrayList<>();

    /** {@code answers} makes the answer to a question. */
    public FakeParent(Function<Tree.Members, Tree.Members> answers) throws IOException {
        this.answers = answers;
        // The pipes of java.io break once the thread that wrote last is gone.
        try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket parent = new Socket(door.getInetAddress(), door.getLocalPort());
            Socket worker = door.accept();
            wire = new Wire(parent.getInputStream(), parent.getOutputStream());
            link = new Link(new Wire(worker.getInputStream(), worker.getOutputStream()), status -> {});
        }
        Thread.ofPlatform().daemon().start(link::listen);
        Thread.ofPlatform().daemon().start(this::answer);
    }

    /** Tells where a database on this machine is, whatever is asked. */
    public static FakeParent ofDatabase(int port) throws IOException {
        Tree.Members place = placeOfDatabase(port);
        return new FakeParent(_ -> place);
    }

    /** The answer that says where a database on this machine is. */
    public static Tree.Members placeOfDatabase(int port) {
        return new Tree.Members(Map.of(
                "address",
                new Tree.Text("http://127.0.0.1:" + port),
                "user",
                new Tree.Text("u"),
                "password",
                new Tree.Text("p")));
    }

    public Link link() {
        return link;
    }

    /** What it was asked, in that order. */
    public List<About> asked() {
        return List.copyOf(asked);
    }

    /** How the worker has said it is, up to its last question that was answered. */
    public List<String> conditions() {
        return List.copyOf(conditions);
    }

    private void answer() {
        try {
            Optional<Tree.Members> question = wire.receive();
            while (question.isPresent()) {
                Optional<Tree> number = question.get().find(Words.NUMBER);
                // A report has none, and wants no answer.
                if (number.isPresent()) {
                    question.get().text(Words.ABOUT).map(About::valueOf).ifPresent(asked::add);
                    wire.send(answers.apply(question.get())
                            .with(Words.SORT, new Tree.Text(Words.ANSWER))
                            .with(Words.NUMBER, number.get()));
                } else {
                    question.get().text("condition").ifPresent(conditions::add);
                }
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
