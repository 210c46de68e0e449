package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.FakeParent;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Under which token a file is inserted that the ledger has from somebody else. */
class FileLoadTest {
    private static final Found FILE = new Found("in/1.json", "v2", 10);
    private static final String PART = "landing/in/1.json";

    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private volatile Span claimed = new Span(PART, 0, 1, "v2");
    private HttpServer database;
    private FakeParent parent;

    @BeforeEach
    void start() throws IOException {
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.createContext("/", this::database);
        database.start();
        Tree.Members place = FakeParent.placeOfDatabase(database.getAddress().getPort());
        parent =
                new FakeParent(question -> question.text(Words.ABOUT).orElse("").equals(About.RANGES.name())
                        ? Span.tree(List.of(claimed))
                        : place);
    }

    @AfterEach
    void stop() throws IOException {
        database.stop(0);
        parent.close();
    }

    private void database(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String asked = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
            tokens.add(asked.replaceAll(".*insert_deduplication_token=([^&]*).*", "$1"));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private FileLoad load() throws Trouble.Owner {
        return FileLoads.of(parent.link(), "https://s3.example.com");
    }

    @Test
    void versionThatAnotherWorkerHasClaimedNamesTheInsert() throws Trouble, InterruptedException {
        assertThat(load().load(FILE, PART, null)).isNull();
        claimed = new Span(PART, 0, 1, "v1");
        assertThat(load().load(FILE, PART, null)).isNull();
        assertThat(tokens).containsExactly(PART + "@v2", PART + "@v1");
    }

    @Test
    void fileThatAnotherWorkerHasLoadedMeanwhileIsNotLoadedAgain() throws Trouble, InterruptedException {
        claimed = new Span(PART, 1, 1, "v1");
        assertThat(load().load(FILE, PART, null)).isNull();
        assertThat(tokens).isEmpty();
    }
}
