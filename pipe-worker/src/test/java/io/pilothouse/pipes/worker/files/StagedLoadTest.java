package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a file and of its own table where something goes wrong between two steps. */
class StagedLoadTest {
    private static final String PART = "landing/in/1.json";
    private static final Found FILE = new Found("in/1.json", "v1", 300L << 20);
    private static final Tree.Members REFUSED = new Tree.Members(Map.of(Words.REFUSED, new Tree.Text("Not now.")));

    private final Map<String, Span> ledger = new ConcurrentHashMap<>();
    private final Set<About> refused = ConcurrentHashMap.newKeySet();
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private FakeParent parent;
    private volatile boolean full;
    private volatile String gone = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::database);
        server.createContext("/landing/", this::bucket);
        server.start();
        parent = new FakeParent(this::answer);
    }

    @AfterEach
    void stop() throws IOException {
        server.stop(0);
        parent.close();
    }

    private Tree.Members answer(Tree.Members question) {
        About about = About.valueOf(question.text(Words.ABOUT).orElseThrow());
        Tree.Members body = question.members(Words.BODY).orElse(Tree.Members.NONE);
        if (refused.contains(about)) {
            return REFUSED;
        }
        return switch (about) {
            case RANGES ->
                Span.tree(body.texts("parts").stream()
                        .map(ledger::get)
                        .flatMap(span -> Optional.ofNullable(span).stream())
                        .toList());
            case CLAIM -> {
                Span.list(body).forEach(span -> ledger.put(span.part(), span));
                yield Tree.Members.NONE;
            }
            case DATABASE -> FakeParent.placeOfDatabase(server.getAddress().getPort());
            case STAGE ->
                new Tree.Members(
                        Map.of(Words.TABLE, new Tree.Text("pipe_try"), Words.CONSTRAINED, new Tree.Flag(false)));
            default -> Tree.Members.NONE;
        };
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void bucket(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().add("ETag", "v1");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void database(HttpExchange exchange) throws IOException {
        try (exchange) {
            String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (full) {
                refuse(exchange, "Code: 243. DB::Exception: The disk is full.");
                return;
            }
            if (!gone.isEmpty() && sent.contains("`pipe_try`")) {
                refuse(exchange, "Code: 60. DB::Exception: Unknown table expression identifier '" + gone + "'.");
                return;
            }
            String asked = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
            tokens.add(asked.replaceAll(".*insert_deduplication_token=([^&]*).*", "$1"));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static void refuse(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(404, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private FileLoad load() throws Trouble.Owner {
        return FileLoads.of(parent.link(), address());
    }

    @Test
    void tableOfATryThatFailsIsDropped() throws Trouble {
        full = true;
        FileLoad load = load();
        assertThatThrownBy(() -> load.load(FILE, PART, null)).isInstanceOf(Trouble.DestinationAway.class);
        assertThat(parent.asked()).contains(About.UNSTAGE).doesNotContain(About.DONE);
    }

    @Test
    void fileWhoseTableTheLedgerCannotSealNowIsNotDone() throws Trouble {
        ledger.put(PART, new Span(PART, 0, 1, "v1"));
        ledger.put(Span.STAGED + PART, new Span(Span.STAGED + PART, 0, 0, ""));
        FileLoad load = load();
        refused.add(About.CLAIM);
        assertThatThrownBy(() -> load.again(FILE, PART, "kept")).isInstanceOf(Trouble.Yield.class);
        assertThat(parent.asked()).contains(About.CLAIM).doesNotContain(About.DONE, About.UNSTAGE);
    }

    @Test
    void fileThatTheLedgerCannotTakeNowIsNotPassedOver() throws Trouble, InterruptedException {
        FileLoad load = load();
        refused.add(About.CLAIM);
        assertThatThrownBy(() -> load.load(FILE, PART, null)).isInstanceOf(Trouble.Yield.class);
        // Another worker has it.
        ledger.put(PART, new Span(PART, 1, 1, "v1"));
        assertThat(load.load(FILE, PART, null)).isNull();
        assertThat(tokens).isEmpty();
    }

    @Test
    void ledgerThatSaysNothingOfATableIsNoLedgerWithoutOne() throws Trouble {
        Span claimed = new Span(PART, 0, 1, "v1");
        ledger.put(PART, claimed);
        ledger.put(Span.STAGED + PART, new Span(Span.STAGED + PART, 0, 1, "pipe_try/block@v1"));
        FileLoad load = load();
        refused.add(About.RANGES);
        assertThatThrownBy(() -> load.load(new Found("in/1.json", "v2", 10), PART, claimed))
                .isInstanceOf(Trouble.Yield.class);
        assertThat(tokens).isEmpty();
    }

    @Test
    void sealedTableIsMovedUnderTheVersionThatItWasSealedFor() throws Trouble, InterruptedException {
        ledger.put(Span.STAGED + PART, new Span(Span.STAGED + PART, 1, 2, "pipe_try/block@v1"));
        assertThat(load().again(new Found("in/1.json", "v2", 10), PART, "kept")).isNull();
        assertThat(tokens).containsExactly(PART + "@v1");
        assertThat(parent.asked()).contains(About.DONE, About.UNSTAGE);
    }

    @Test
    void sealedTableThatSomebodyDroppedDoesNotKeepThePipeBack() throws Trouble, InterruptedException {
        ledger.put(Span.STAGED + PART, new Span(Span.STAGED + PART, 1, 2, "pipe_try/block@v1"));
        gone = "clickpipes_staged.pipe_try";
        assertThat(load().again(FILE, PART, "kept")).contains("clickpipes_staged.pipe_try", "was dropped");
        assertThat(tokens).containsExactly("kept/dropped/errors");
        assertThat(parent.asked()).contains(About.DONE);
    }

    @Test
    void sealedTableWaitsForATargetThatIsNotThere() throws Trouble {
        ledger.put(Span.STAGED + PART, new Span(Span.STAGED + PART, 1, 2, "pipe_try/block@v1"));
        gone = "d.t";
        FileLoad load = load();
        assertThatThrownBy(() -> load.again(FILE, PART, "kept")).isInstanceOf(Trouble.DestinationAway.class);
        assertThat(parent.asked()).doesNotContain(About.DONE, About.UNSTAGE);
    }
}
