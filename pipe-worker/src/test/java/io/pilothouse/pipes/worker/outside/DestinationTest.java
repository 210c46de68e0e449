package io.pilothouse.pipes.worker.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the database gets of an insert. */
class DestinationTest {
    private ServerSocket database;
    private Wire parent;
    private Destination destination;

    @BeforeEach
    void start() throws IOException {
        database = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PipedOutputStream toWorker = new PipedOutputStream();
        PipedOutputStream toParent = new PipedOutputStream();
        parent = new Wire(new PipedInputStream(toParent), toWorker);
        Link link = new Link(new Wire(new PipedInputStream(toWorker), toParent), status -> {});
        Thread.ofVirtual().start(link::listen);
        Thread.ofVirtual().start(this::answer);
        destination = new Destination(link, new Target("default", "t", List.of(), List.of(), ""));
    }

    @AfterEach
    void stop() throws IOException {
        database.close();
        parent.close();
    }

    /** Tells where the database is, whatever is asked. */
    private void answer() {
        try {
            Optional<Tree.Members> question = parent.receive();
            while (question.isPresent()) {
                parent.send(new Tree.Members(Map.of(
                        Words.SORT,
                        new Tree.Text(Words.ANSWER),
                        Words.NUMBER,
                        question.get().find(Words.NUMBER).orElseThrow(),
                        "address",
                        new Tree.Text("http://127.0.0.1:" + database.getLocalPort()),
                        "user",
                        new Tree.Text("u"),
                        "password",
                        new Tree.Text("p"))));
                question = parent.receive();
            }
        } catch (IOException ended) {
            // The test is over.
        }
    }

    private String received() {
        try (Socket client = database.accept()) {
            client.setSoTimeout(10_000);
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException stillOpen) {
            throw new UncheckedIOException(stillOpen);
        }
    }

    @Test
    void bodyThatBreaksOffIsNeverEndedAsIfItWereWhole() throws InterruptedException {
        CompletableFuture<String> received = CompletableFuture.supplyAsync(this::received);
        assertThatThrownBy(() -> destination.insert("INSERT INTO t FORMAT TabSeparated", Map.of(), "token", out -> {
                    out.write("1\n".repeat(1 << 18).getBytes(StandardCharsets.UTF_8));
                    throw new IOException("The source is gone");
                }))
                .isInstanceOf(Trouble.DestinationAway.class);
        assertThat(received.join()).doesNotEndWith("0\r\n\r\n");
    }

    @Test
    void storageOfAzureThatDoesNotAnswerIsNoBadFile() throws IOException {
        String said =
                "std::exception. Code: 1001, type: Azure::Storage::StorageException, e.what() = 404 gone (version 26.7)";
        CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> refuse(said));
        assertThatThrownBy(() -> destination.insert("INSERT INTO t SELECT 1", Map.of(), "token", null))
                .isInstanceOf(Trouble.SourceAway.class)
                .hasMessageContaining("404 gone");
        answered.join();
    }

    /** Answers one request with an exception of the database. */
    private void refuse(String said) {
        try (Socket client = database.accept()) {
            byte[] end = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
            StringBuilder request = new StringBuilder();
            while (!request.toString().endsWith(new String(end, StandardCharsets.US_ASCII))) {
                request.append((char) client.getInputStream().read());
            }
            client.getOutputStream()
                    .write(("HTTP/1.1 500 Failed\r\nContent-Length: " + said.length() + "\r\n\r\n" + said)
                            .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
