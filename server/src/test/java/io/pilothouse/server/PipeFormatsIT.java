package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.TextFormat;
import io.pilothouse.testkit.SchemaServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Messages whose schemas are in a registry, from a real broker of Kafka into a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeFormatsIT {
    private static final String PASSWORD = "a-registry-nobody-shall-see";
    private static final String ORDER = """
        {"type": "record", "name": "Order", "fields": [
          {"name": "id", "type": "long"},
          {"name": "name", "type": ["null", "string"]},
          {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
          {"name": "day", "type": {"type": "int", "logicalType": "date"}},
          {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 18, "scale": 2}},
          {"name": "tags", "type": {"type": "array", "items": "string"}},
          {"name": "counts", "type": {"type": "map", "values": "long"}},
          {"name": "raw", "type": "bytes"},
          {"name": "choice", "type": ["long", "string"]},
          {"name": "buyer", "type": {"type": "record", "name": "Buyer", "fields": [{"name": "age", "type": "int"}]}},
          {"name": "unwanted", "type": "double"}]}""";
    private static final String PERSON = """
        {"type": "record", "name": "Person", "fields": [{"name": "id", "type": "long"}, {"name": "name", "type": "string"}]}""";

    private static final String PERSON_PROTO = """
        name: "person.proto" syntax: "proto3" dependency: "google/protobuf/timestamp.proto"
        message_type { name: "Person"
          field { name: "id" number: 1 type: TYPE_UINT64 label: LABEL_OPTIONAL }
          field { name: "name" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
          field { name: "at" number: 3 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL } }""";

    private final StartedParts started = new StartedParts();
    private KafkaBroker broker;
    private SchemaServer registry;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        piped = started.add(new PipedProgram(new LocalProgram(), folder));
        program = piped.program();
        broker = started.add(KafkaBroker.start(folder));
        registry = started.add(SchemaServer.secured(folder));
        registry.want("reader", PASSWORD);
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    /** The members of a source that reads this format, with the schemas of a registry at this URL. */
    private String source(String format, String url, String password) {
        return ", \"format\": \"" + format + "\", \"schemaRegistry\": {\"url\": \"" + url
                + "\", \"authentication\": \"PLAIN\", \"credentials\": {\"username\": \"reader\", \"password\": \""
                + password
                + "\"}, \"caCertificate\": \""
                + registry.certificate().replace("\r", "").replace("\n", "\\n") + "\"}";
    }

    private static byte[] avro(int id, GenericRecord record) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    private static GenericRecord person(long id) {
        GenericRecord person = new GenericData.Record(new Schema.Parser().parse(PERSON));
        person.put("id", id);
        person.put("name", "n" + id);
        return person;
    }

    private void sendPeople(String topic, int schema, int from, int count) throws IOException {
        for (int id = from; id < from + count; id++) {
            broker.send(topic, avro(schema, person(id)));
        }
        broker.flush();
    }

    @Test
    void typesOfAvroBecomeThoseOfTheColumns()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        int id = registry.register("orders-value", "AVRO", ORDER);
        Schema schema = new Schema.Parser().parse(ORDER);
        GenericRecord buyer = new GenericData.Record(schema.getField("buyer").schema());
        buyer.put("age", 36);
        GenericRecord order = new GenericData.Record(schema);
        order.put("id", Long.MAX_VALUE);
        order.put("at", 1_767_225_600_000_001L);
        order.put("day", 20_454);
        order.put("price", ByteBuffer.wrap(new byte[] {4, -46}));
        order.put("tags", List.of("a\"b", "c"));
        order.put("counts", Map.of("k", 7L));
        order.put("raw", ByteBuffer.wrap(new byte[] {0, -1, '"'}));
        order.put("choice", "text");
        order.put("buyer", buyer);
        order.put("unwanted", Double.NaN);
        broker.topic("orders", 1);
        broker.send("orders", avro(id, order));
        order.put("name", "Ada");
        order.put("choice", 5L);
        broker.send("orders", avro(id, order));
        broker.flush();
        String pipe =
                piped.create("""
            {"name": "Orders", "source": {"kafka": {"brokers": "%s", "topics": "orders"%s}},
             "destination": {"table": "orders", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["number"]},
               "columns": [{"name": "id", "type": "Int64"}, {"name": "name", "type": "Nullable(String)"}, {"name": "at", "type": "DateTime64(6, 'UTC')"},
                 {"name": "day", "type": "Date"}, {"name": "price", "type": "Decimal(18, 2)"}, {"name": "tags", "type": "Array(String)"},
                 {"name": "counts", "type": "Map(String, UInt64)"}, {"name": "raw", "type": "String"}, {"name": "choice", "type": "String"},
                 {"name": "age", "type": "UInt8"}, {"name": "missing", "type": "String"}, {"name": "number", "type": "UInt64"}]},
             "fieldMappings": [{"sourceField": "buyer.age", "destinationField": "age"}, {"sourceField": "_offset", "destinationField": "number"}],
             "settings": {"streaming_max_insert_wait_ms": 500}}""".formatted(broker.brokers(), source("AvroConfluent", registry.address(), PASSWORD)));
        piped.awaitAnswer(
                "SELECT id, name, at, day, price, tags, counts, hex(raw), choice, age, missing FROM orders ORDER BY number FORMAT TSVRaw",
                "9223372036854775807\t\\N\t2026-01-01 00:00:00.000001\t2026-01-01\t12.34\t['a\"b','c']\t{'k':7}\t00FF22\ttext\t36\t\n"
                        + "9223372036854775807\tAda\t2026-01-01 00:00:00.000001\t2026-01-01\t12.34\t['a\"b','c']\t{'k':7}\t00FF22\t5\t36");
        assertThat(program.getAsFirstKey(pipe).body()).doesNotContain(PASSWORD);
        assertThat(program.log()).doesNotContain(PASSWORD);
    }

    @Test
    void messagesOfUnknownSchemasAreKeptAndHoldUpNobody()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        int id = registry.register("people-value", "AVRO", PERSON);
        broker.topic("people", 1);
        sendPeople("people", id, 0, 100);
        broker.send("people", avro(99_999, person(1)));
        broker.send("people", 0, null, "no avro");
        sendPeople("people", id, 100, 100);
        String pipe = piped.create(broker.pipe("people", "people", source("Avro", registry.address(), PASSWORD)));
        piped.awaitAnswer("SELECT count(), uniqExact(id), countIf(name != 'n' || id) FROM people", "200\t200\t0");
        piped.awaitAnswer(
                "SELECT source, reason LIKE '%number 99999%', length(raw_message) > 6 FROM people_clickpipes_error ORDER BY source",
                "people:0:100\t1\t1\npeople:0:101\t0\t1");
        program.await(pipe, body -> body.contains("2 records of people:0 cannot be read"));
    }

    @Test
    void messagesOfProtobufArriveWithTheirTypes()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
        TextFormat.merge(PERSON_PROTO, file);
        int id = registry.register(
                "proto-value",
                "PROTOBUF",
                Base64.getEncoder().encodeToString(file.build().toByteArray()));
        broker.topic("proto", 1);
        for (byte person = 0; person < 100; person++) {
            byte[] message = {0, 0, 0, 0, (byte) id, 0, 8, person, 18, 1, 'n', 26, 2, 8, person};
            broker.send("proto", message);
        }
        broker.send("proto", new byte[] {0, 0, 0, 0, (byte) id, 0, 8});
        broker.flush();
        piped.create("""
            {"name": "Proto", "source": {"kafka": {"brokers": "%s", "topics": "proto"%s}},
             "destination": {"table": "proto", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}, {"name": "name", "type": "String"}, {"name": "at", "type": "DateTime64(3, 'UTC')"}]},
             "settings": {"streaming_max_insert_wait_ms": 500}}""".formatted(broker.brokers(), source("Protobuf", registry.address(), PASSWORD)));
        piped.awaitAnswer(
                "SELECT count(), uniqExact(id), any(name), countIf(toUnixTimestamp(at) != id) FROM proto",
                "100\t100\tn\t0");
        piped.awaitAnswer("SELECT source FROM proto_clickpipes_error", "proto:0:100");
    }

    @Test
    void registryThatIsAwayHoldsRecordsUpUntilItIsBack()
            throws GeneralSecurityException, IOException, InterruptedException, ExecutionException {
        int id = registry.register("held-value", "AVRO", PERSON);
        broker.topic("held", 1);
        sendPeople("held", id, 0, 50);
        registry.answerWith(503);
        try {
            String pipe =
                    piped.create(broker.pipe("held", "held", source("AvroConfluent", registry.address(), PASSWORD)));
            program.await(
                    pipe,
                    body -> body.contains("\"state\":\"Degraded\"")
                            && body.contains("The schema registry answers 503."));
            registry.answerWith(200);
            piped.awaitAnswer("SELECT count(), uniqExact(id) FROM held", "50\t50");
            piped.awaitState(pipe, "Running");
        } finally {
            registry.answerWith(200);
        }
    }

    @Test
    void schemasThatCannotBeHadFailThePipe() throws IOException, InterruptedException, ExecutionException {
        broker.topic("wrong", 1);
        broker.send("wrong", avro(1, person(1)));
        broker.flush();
        String refused =
                piped.create(broker.pipe("wrong", "refused", source("AvroConfluent", registry.address(), "wrong")));
        piped.awaitState(refused, "Failed");
        assertThat(program.getAsFirstKey(refused).body())
                .contains("The schema registry refuses the credentials (401).");
        String none = piped.create(broker.pipe("wrong", "none", ", \"format\": \"Avro\""));
        piped.awaitState(none, "Failed");
        assertThat(program.getAsFirstKey(none).body())
                .contains("Messages of Avro cannot be read without a schemaRegistry");
    }
}
