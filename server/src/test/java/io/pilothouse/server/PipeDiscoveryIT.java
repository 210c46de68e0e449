package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.TextFormat;
import io.pilothouse.testkit.SchemaServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Which fields a source has, before there is a pipe: a real broker, a registry, a real S3 server, a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeDiscoveryIT {
    private static final String PASSWORD = "a-registry-nobody-shall-see";
    private static final String LOGIN = "\"authentication\": \"IAM_USER\", \"accessKey\": {\"accessKeyId\": \""
            + ObjectServer.KEY_ID + "\", \"secretKey\": \"" + ObjectServer.SECRET + "\"}";

    private final StartedParts started = new StartedParts();
    private KafkaBroker broker;
    private ObjectServer objects;
    private SchemaServer registry;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        objects = started.add(ObjectServer.start(folder));
        piped = started.add(new PipedProgram(new LocalProgram(), folder, "--egress", objects.place()));
        program = piped.program();
        broker = started.add(KafkaBroker.start(folder));
        registry = started.add(SchemaServer.secured(folder));
        registry.want("reader", PASSWORD);
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(program.log()).doesNotContain(PASSWORD, KafkaBroker.PASSWORD, ObjectServer.SECRET);
        assertThat(Victims.find(ProcessHandle.current().descendants(), "WorkerMain"))
                .isEmpty();
    }

    private HttpResponse<String> discover(String source) throws IOException, InterruptedException {
        return program.send(program.management(piped.service() + "/clickpipes/schemaDiscovery")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"source\": {" + source + "}}")));
    }

    /** The result for a source that can be looked at. */
    private String found(String source) throws IOException, InterruptedException {
        HttpResponse<String> answer = discover(source);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body().replaceFirst(".*\"result\":", "").replaceFirst("}$", "");
    }

    /** The sentence for one that cannot. */
    private String refused(String source) throws IOException, InterruptedException {
        HttpResponse<String> answer = discover(source);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(424);
        return answer.body();
    }

    private String kafka(String topics, String more) {
        return "\"kafka\": {\"brokers\": \"" + broker.brokers() + "\", \"topics\": \"" + topics + "\"" + more + "}";
    }

    private String files(String keys, String more) {
        return "\"objectStorage\": {\"url\": \"" + objects.url(keys) + "\", " + LOGIN + more + "}";
    }

    private static String field(String name, String type, boolean optional) {
        return "{\"name\":\"" + name + "\",\"type\":\"" + type + "\",\"optional\":" + optional + "}";
    }

    private String schemas(String format, String password) {
        return ", \"format\": \"" + format + "\", \"schemaRegistry\": {\"url\": \"" + registry.address()
                + "\", \"authentication\": \"PLAIN\", \"credentials\": {\"username\": \"reader\", \"password\": \""
                + password
                + "\"}, \"caCertificate\": \""
                + registry.certificate().replace("\r", "").replace("\n", "\\n") + "\"}";
    }

    @Test
    void messagesOfJsonAreSampled() throws IOException, InterruptedException, ExecutionException {
        broker.topic("events", 2);
        broker.send("events", 0, null, """
                {"id": 1, "at": "2026-11-23T10:00:00Z", "day": "2026-11-23", "user": {"name": "Ada", "tags": ["a"]}, "price": 1.5,
                 "ok": true, "mixed": 5, "lines": [{"sku": "x", "count": 2}], "gone": null}""");
        broker.send("events", 1, null, "{\"id\": 2, \"user\": {\"name\": null}, \"mixed\": \"five\", \"gone\": null}");
        broker.send("events", 1, "a tombstone", null);
        broker.send("events", 1, null, "not json");
        broker.flush();
        assertThat(found(kafka("events", "")))
                .contains(
                        field("id", "Int64", false),
                        field("at", "DateTime64(9)", true),
                        field("day", "Date", true),
                        field("user.name", "String", true),
                        field("user.tags", "Array(String)", true),
                        field("price", "Float64", true),
                        field("ok", "Bool", true),
                        field("mixed", "String", false),
                        field("lines", "Array(Tuple(count Int64, sku String))", true),
                        field("gone", "String", true),
                        "\"meta\":{\"records\":\"2\"}");
        broker.topic("lines", 1);
        broker.send("lines", 0, null, "1,Ada,2026-11-23");
        broker.send("lines", 0, null, "2,Alan,\\N");
        broker.flush();
        assertThat(found(kafka("lines", ", \"format\": \"CSV\"")))
                .contains(
                        field("c1", "Int64", false),
                        field("c2", "String", false),
                        field("c3", "Date", true),
                        "\"meta\":{\"records\":\"2\"}");
    }

    @Test
    void schemasOfARegistryAreExact() throws IOException, InterruptedException, ExecutionException {
        int first = registry.register("orders-value", "AVRO", """
                {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"},
                  {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}}]}""");
        int second = registry.register("orders-value", "AVRO", """
                {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"},
                  {"name": "name", "type": ["null", "string"]}]}""");
        broker.topic("orders", 1);
        broker.send("orders", new byte[] {0, 0, 0, 0, (byte) first, 2, 2});
        broker.send("orders", new byte[] {0, 0, 0, 0, (byte) second, 2, 0});
        broker.flush();
        assertThat(found(kafka("orders", schemas("AvroConfluent", PASSWORD))))
                .contains(
                        field("id", "Int64", false),
                        field("at", "DateTime64(6)", true),
                        field("name", "String", true),
                        "\"meta\":{\"records\":\"2\"}");
        assertThat(refused(kafka("orders", schemas("AvroConfluent", "wrong"))))
                .contains("The schema registry refuses the credentials (401).");

        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
        TextFormat.merge("""
                name: "person.proto" syntax: "proto3" dependency: "google/protobuf/timestamp.proto"
                message_type { name: "Person"
                  field { name: "id" number: 1 type: TYPE_UINT64 label: LABEL_OPTIONAL }
                  field { name: "at" number: 2 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL } }""", file);
        int person = registry.register(
                "proto-value",
                "PROTOBUF",
                Base64.getEncoder().encodeToString(file.build().toByteArray()));
        broker.topic("proto", 1);
        broker.send("proto", new byte[] {0, 0, 0, 0, (byte) person, 0, 8, 1});
        broker.flush();
        assertThat(found(kafka("proto", schemas("Protobuf", PASSWORD))))
                .contains(field("id", "UInt64", false), field("at", "DateTime64(9)", true));
    }

    @Test
    void brokersThatCannotBeReadAreNamedWithTheReason() throws IOException, InterruptedException, ExecutionException {
        assertThat(refused("\"kafka\": {\"brokers\": \"127.0.0.1:9\", \"topics\": \"events\"}"))
                .contains("Kafka (127.0.0.1:9)", "The brokers do not answer.");
        assertThat(refused(kafka("missing", ""))).contains("missing");
        broker.topic("empty", 1);
        assertThat(refused(kafka("empty", ""))).contains("There is no record in it yet");
        assertThat(refused("\"kafka\": {\"brokers\": \"" + broker.loginBrokers()
                        + "\", \"topics\": \"events\", \"authentication\": \"PLAIN\","
                        + " \"credentials\": {\"username\": \"ada\", \"password\": \"wrong-secret\"}}"))
                .contains("The brokers refuse the credentials")
                .doesNotContain("wrong-secret");
        assertThat(refused(
                        "\"kinesis\": {\"streamName\": \"s\", \"region\": \"us-east-1\", \"format\": \"JSONEachRow\","
                                + " \"iteratorType\": \"LATEST\", \"authentication\": \"IAM_ROLE\", \"iamRole\":"
                                + " \"arn:aws:iam::123456789012:role/one\"}"))
                .contains("Kinesis (s)", "No worker of this server");
    }

    @Test
    void theFirstFileIsLookedAt() throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("in/0.json", "");
        objects.put("in/1.json", "{\"id\": 1, \"user\": {\"name\": \"Ada\"}}\n{\"id\": 2}\n");
        objects.put("in/1.csv", "id,name,note\n1,Ada,\\N\n2,Alan,x\n");
        assertThat(found(files("in/*.json", "")))
                .contains(
                        field("id", "Int64", false),
                        field("user.name", "String", true),
                        "\"file\":\"in/1.json\"",
                        "\"records\":\"2\"");
        assertThat(found(files("in/*.csv", ", \"format\": \"CSVWithNames\"")))
                .contains(field("id", "Int64", false), field("name", "String", false), field("note", "String", true));
        piped.query("SYSTEM FLUSH LOGS");
        assertThat(piped.query("SELECT count() FROM system.query_log WHERE query LIKE '%" + ObjectServer.SECRET + "%'"))
                .isEqualTo("0");
    }

    @Test
    void filesThatCannotBeReadAreNamedWithTheReason() throws IOException, InterruptedException {
        objects.put("there.json", "{\"id\": 1}\n");
        assertThat(refused(files("there.json", "").replace("http://127.0.0.1", "http://127.0.0.2")))
                .contains("--egress of this server's operator does not name it")
                .doesNotContain(ObjectServer.SECRET);
        assertThat(refused(files("missing/*.json", ""))).contains("There is no file yet that fits the URL");
        objects.put("bad.parquet", "this is no Parquet");
        assertThat(refused(files("bad.parquet", ", \"format\": \"Parquet\""))).doesNotContain(ObjectServer.SECRET);
        objects.put("bad.json", "this is no JSON\n");
        assertThat(refused(files("bad.json", ""))).contains("None of the 1 records");
    }

    /** A pipe that waits for its start, if its samples pass. */
    private HttpResponse<String> create(String source, String columns, String more)
            throws IOException, InterruptedException {
        return program.send(program.management(piped.service() + "/clickpipes")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Tried\", \"startPaused\": true, \"source\": {"
                        + source + ", \"validateSamples\": true}, \"destination\": {\"database\": \"default\", " + more
                        + ", \"columns\": [" + columns + "]}}")));
    }

    private void taken(String source, String columns, String more) throws IOException, InterruptedException {
        HttpResponse<String> answer = create(source, columns, more);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private String notTaken(String source, String columns, String more) throws IOException, InterruptedException {
        return notTaken("source.validateSamples", source, columns, more);
    }

    private String notTaken(String field, String source, String columns, String more)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = create(source, columns, more);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains(field).doesNotContain(ObjectServer.SECRET);
        return answer.body();
    }

    private static String column(String name, String type) {
        return "{\"name\": \"" + name + "\", \"type\": \"" + type + "\"}";
    }

    @Test
    void recordsAreTriedAgainstTheColumnsOfANewPipe() throws IOException, InterruptedException, ExecutionException {
        broker.topic("tried", 1);
        broker.send("tried", 0, null, "{\"id\": 1, \"name\": \"Ada\"}");
        broker.send("tried", 0, null, "{\"id\": 2, \"name\": \"Alan\"}");
        broker.flush();
        String managed =
                "\"table\": \"tried\", \"managedTable\": true, \"tableDefinition\": {\"sortingKey\": [\"id\"]}";
        String source = kafka("tried", "");
        taken(
                source,
                column("id", "UInt64") + "," + column("name", "String") + "," + column("_key", "String"),
                managed);
        assertThat(notTaken(source, column("id", "UInt64") + "," + column("name", "UInt8"), managed))
                .contains("Kafka (", "One of the 2 records that were looked at does not fit the columns");
        assertThat(notTaken(source, column("id", "UInt64") + "," + column("nmae", "String"), managed))
                .contains("has the field nmae, which is to fill the column nmae");
        broker.topic("still-empty", 1);
        assertThat(notTaken(kafka("still-empty", ""), column("id", "UInt64"), managed))
                .contains("There is no record in it yet");
        broker.send("tried", 0, null, "no object");
        broker.flush();
        assertThat(notTaken(source, column("id", "UInt64"), managed))
                .contains("One of the 3 records that were looked at cannot be read");
    }

    @Test
    void theFirstFileIsTriedAgainstTheColumnsOfANewPipe()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("tried/1.csv", "1,Ada\n2,Alan\n");
        String source = files("tried/*.csv", ", \"format\": \"CSV\"");
        String managed =
                "\"table\": \"files\", \"managedTable\": true, \"tableDefinition\": {\"sortingKey\": [\"id\"]}";
        taken(source, column("id", "UInt64") + "," + column("name", "String"), managed);
        assertThat(notTaken(source, column("id", "UInt64") + "," + column("name", "Date"), managed))
                .contains("The file tried/1.csv does not fit the columns");

        String own = "\"table\": \"own\", \"managedTable\": false";
        String name = "," + column("name", "String");
        assertThat(notTaken("destination", source, column("id", "UInt64") + name, own))
                .contains("The table own does not exist");
        piped.query("CREATE TABLE own (id UInt32, name String) ENGINE = MergeTree ORDER BY id");
        assertThat(notTaken("destination", source, column("id", "UInt64") + name, own))
                .contains("The column id of the table own is UInt32");
        taken(source, column("id", "UInt32") + name, own);
    }
}
