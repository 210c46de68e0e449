package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.FakeParent;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.postgres.SourceTable.Intake;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which rows a database gets, and under which token, where it refuses some. */
class RowLoadTest {
    private static final Intake INTAKE = new Intake(
            "public.t", "t", "t", List.of("id"), false, "INSERT INTO t FORMAT TabSeparated", "TRIAL", "ATTEMPT");

    private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private HttpServer database;
    private FakeParent parent;
    private RowLoad load;

    /** Rows as they are given. */
    private record Given(List<String> all) implements RowLoad.Rows {
        @Override
        public void write(OutputStream out) throws IOException {
            for (String line : all) {
                out.write(line.getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        public RowLoad.Lines lines() {
            Iterator<String> left = all.iterator();
            return () -> left.hasNext() ? left.next().getBytes(StandardCharsets.UTF_8) : null;
        }
    }

    @BeforeEach
    void start() throws IOException {
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.createContext("/", this::database);
        database.start();
        parent = FakeParent.ofDatabase(database.getAddress().getPort());
        Link link = parent.link();
        load = new RowLoad(link, new Destination(link, new Target("default", "", List.of(), List.of(), "")), "pipe");
    }

    @AfterEach
    void stop() throws IOException {
        database.stop(0);
        parent.close();
    }

    /** Cannot read what is bad, and has a table that is against what is barred. */
    private void database(HttpExchange exchange) throws IOException {
        String asked = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean errors = asked.contains("_clickpipes_error");
        boolean bad = !errors && (body.contains("bad") || (!asked.contains("TRIAL") && body.contains("barred")));
        boolean attempt = asked.contains("ATTEMPT");
        boolean broken = !errors && !attempt && !asked.contains("TRIAL") && body.contains("broken");
        if (!bad && !broken && !attempt && !asked.contains("TRIAL")) {
            tokens.add(asked.replaceAll(".*insert_deduplication_token=([^&]*).*", "$1"));
            taken.addAll(errors ? List.of() : body.lines().toList());
        }
        byte[] said = (bad || broken ? "Code: 6. DB::Exception: It is bad. (version 26.7)" : "")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(bad || broken ? 500 : 200, said.length == 0 ? -1 : said.length);
        exchange.getResponseBody().write(said);
        exchange.close();
    }

    private static List<String> rows(int count, String sort) {
        return IntStream.range(0, count)
                .mapToObj(number -> number + sort + "\n")
                .collect(Collectors.toCollection(ArrayList::new));
    }

    @Test
    void whatCannotBeReadIsLeftOutOfTheSameInsert() throws Trouble, InterruptedException {
        List<String> rows = rows(2500, "");
        rows.set(0, "bad\n");
        rows.set(2400, "bad\n");
        load.insert(INTAKE, "token", new Given(rows));
        assertThat(taken).hasSize(2498).doesNotHaveDuplicates().contains("1", "2499");
        assertThat(tokens.getFirst()).startsWith("token/errors#0-");
        assertThat(tokens.getLast()).isEqualTo("token");
        assertThat(load.wrong()).isEqualTo("2 rows of public.t are not in the table t: It is bad.");
    }

    @Test
    void whatTheTableIsAgainstIsLeftOutOfTheSameInsertToo() throws Trouble, InterruptedException {
        List<String> rows = rows(2500, "");
        rows.set(3, "barred\n");
        rows.set(5, "bad\n");
        rows.set(2400, "barred\n");
        load.insert(INTAKE, "token", new Given(rows));
        assertThat(taken).hasSize(2497).doesNotHaveDuplicates();
        assertThat(tokens).hasSize(3);
        assertThat(tokens.getFirst()).startsWith("token/errors#5-");
        assertThat(tokens.get(1)).startsWith("token/refused#3-");
        assertThat(tokens.getLast()).isEqualTo("token");
        assertThat(load.wrong()).isEqualTo("2 rows of public.t are not in the table t: It is bad.");
    }

    @Test
    void largeRowsThatAreRefusedAreKeptAFewAtATime() throws Trouble, InterruptedException {
        List<String> rows = rows(12, "");
        rows.replaceAll(row -> "barred" + "x".repeat(1 << 20) + row);
        rows.set(7, "good\n");
        load.insert(INTAKE, "token", new Given(rows));
        assertThat(taken).containsExactly("good");
        assertThat(tokens).hasSize(4);
        assertThat(tokens.subList(0, 3)).allMatch(token -> token.startsWith("token/refused#"));
        assertThat(load.wrong()).startsWith("11 rows of public.t are not in the table t");
    }

    @Test
    void nothingIsWrittenWhereTheTableIsAgainstTooMany() {
        List<String> rows = rows(3000, "");
        rows.replaceAll(row -> row.length() > 4 ? "barred" + row : row);
        assertThatThrownBy(() -> load.insert(INTAKE, "token", new Given(rows))).isInstanceOf(Trouble.Owner.class);
        assertThat(taken).isEmpty();
        assertThat(tokens).isEmpty();
    }

    @Test
    void whatNoTrialFindsIsFoundByPiecesWhoseTokensFollowFromTheirRows() throws Trouble, InterruptedException {
        List<String> rows = rows(10, "");
        rows.set(3, "broken\n");
        rows.set(5, "bad\n");
        load.insert(INTAKE, "token", new Given(rows));
        assertThat(taken).containsExactly("0", "1", "2", "4", "6", "7", "8", "9");
        List<String> first = List.copyOf(tokens);
        assertThat(first).doesNotHaveDuplicates().doesNotContain("token");
        tokens.clear();
        load.insert(INTAKE, "token", new Given(rows));
        assertThat(tokens).isEqualTo(first);
        tokens.clear();
        rows.set(0, "other\n");
        load.insert(INTAKE, "token", new Given(rows));
        assertThat(tokens).isNotEqualTo(first).contains(first.getLast());
    }

    @Test
    void sourceThatDoesNotFitItsTableIsNotBroughtOverRowByRow() {
        assertThatThrownBy(() -> load.insert(INTAKE, "token", new Given(rows(2000, "bad"))))
                .isInstanceOf(Trouble.Owner.class)
                .hasMessage("The database refuses more than 1000 rows of public.t in one insert: It is bad.");
        assertThat(taken).isEmpty();
    }
}
