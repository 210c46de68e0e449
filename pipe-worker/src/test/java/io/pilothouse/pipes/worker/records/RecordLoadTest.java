package io.pilothouse.pipes.worker.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.ErrorPortion.Kept;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.FakeParent;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a database gets of records that have many rows each, where its table is against some. */
class RecordLoadTest {
    private static final String BARRED = "\"id\":13}";
    private static final String ERRORS = "_clickpipes_error";

    private final List<String> rows = Collections.synchronizedList(new ArrayList<>());
    private final List<String> kept = Collections.synchronizedList(new ArrayList<>());
    private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
    private HttpServer database;
    private FakeParent parent;

    @BeforeEach
    void start() throws IOException {
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.createContext("/", this::database);
        database.start();
        parent = FakeParent.ofDatabase(database.getAddress().getPort());
    }

    @AfterEach
    void stop() throws IOException {
        database.stop(0);
        parent.close();
    }

    /** Has a table that is against one row, and drops what comes again under a token that it has had. */
    private void database(HttpExchange exchange) throws IOException {
        String asked = URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean trial = asked.contains("FUNCTION null(");
        boolean attempt = asked.contains("_clickpipes_trial");
        boolean bad = !trial && !asked.contains(ERRORS) && body.contains(BARRED);
        String token = asked.replaceAll(".*insert_deduplication_token=([^&]*).*", "$1");
        if (!bad && !trial && !attempt && !tokens.contains(token)) {
            tokens.add(token);
            if (asked.contains(ERRORS)) {
                kept.add(body);
            } else {
                rows.addAll(body.lines().toList());
            }
        }
        byte[] said =
                (bad ? "Code: 469. DB::Exception: It is barred. (version 26.7)" : "").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(bad ? 500 : 200, said.length == 0 ? -1 : said.length);
        exchange.getResponseBody().write(said);
        exchange.close();
    }

    private static Kept record(String place, long... ids) throws IOException {
        Schema schema = new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.create(schema, out);
            for (long id : ids) {
                GenericRecord row = new GenericData.Record(schema);
                row.put("id", id);
                writer.append(row);
            }
        }
        Base64.Encoder base64 = Base64.getEncoder();
        return new Kept(
                base64.encodeToString(place.getBytes(StandardCharsets.UTF_8)),
                base64.encodeToString(out.toByteArray()),
                Map.of());
    }

    @Test
    void stretchesThatInflateAreReadAndInsertedOneByOne() throws IOException, Trouble, InterruptedException {
        Share small = new Share(0, 1, 1, 0.000_000_1, 125);
        Assignment assignment = assignment(small);
        RecordLoad load =
                new RecordLoad(parent.link(), assignment, new Destination(parent.link(), assignment.target()));
        load.load(List.of(stretch("a", 1, 2, 3, 4, 5, 6, 7, 8), stretch("b", 9, 10, 11, 12, 15), stretch("c", 14)));
        assertThat(rows).hasSize(14);
        assertThat(parent.asked().stream().filter(about -> about == About.CLAIM || about == About.DONE))
                .containsExactly(About.CLAIM, About.DONE, About.CLAIM, About.DONE, About.CLAIM, About.DONE);
    }

    private static ReplayStretch stretch(String part, long... ids) throws IOException {
        return new ReplayStretch(
                new ErrorPortion(new Span(part, 0, 1, ""), List.of(record(part + ":1", ids))), "token of " + part);
    }

    private static Assignment assignment(Share share) {
        return new Assignment(
                "p",
                "kinesis",
                new Tree.Members(Map.of("format", new Tree.Text("Avro"))),
                Tree.Members.NONE,
                Tree.Members.NONE,
                new Target("d", "t", List.of("id"), List.of("id"), "`id` UInt64"),
                0,
                Assignment.Errand.MOVE,
                0,
                share);
    }

    @Test
    void recordOfManyRowsIsInTheTableAsAWholeOrNotAtAll() throws IOException, Trouble, InterruptedException {
        Assignment assignment = assignment(new Share(0, 1, 1, 0.5, 125));
        RecordLoad load =
                new RecordLoad(parent.link(), assignment, new Destination(parent.link(), assignment.target()));
        ErrorPortion portion = new ErrorPortion(
                new Span("s", 0, 4, ""),
                List.of(
                        record("s:1", 1, 2, 3),
                        record("s:2", 10, 11, 12, 13),
                        record("s:3", 20, 21),
                        record("s:4", 30)));
        load.load(List.of(new ReplayStretch(portion, "token")));
        assertThat(rows)
                .containsExactly("{\"id\":1}", "{\"id\":2}", "{\"id\":3}", "{\"id\":20}", "{\"id\":21}", "{\"id\":30}");
        assertThat(kept).singleElement().asString().contains("s:2");

        // After a crash the same tokens come again.
        load.load(List.of(new ReplayStretch(portion, "token")));
        assertThat(rows).hasSize(6);
        assertThat(kept).hasSize(1);
    }
}
