package io.pilothouse.pipes.worker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import io.pilothouse.testkit.SchemaServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How messages of Avro become rows, with the schemas of a registry. */
class AvroMessagesTest {
    private static final String PERSON = person("");

    private SchemaServer registry;

    @BeforeEach
    void start() throws IOException {
        registry = SchemaServer.open();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private static String person(String more) {
        return "{\"type\":\"record\",\"name\":\"Person\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
                + "{\"name\":\"name\",\"type\":[\"null\",\"string\"]}" + more + "]}";
    }

    private static RegisteredMessages<?> format(String url, String structure) throws Owner {
        return GivenFormat.of("AvroConfluent", url, structure);
    }

    private RegisteredMessages<?> format() throws Owner {
        return format(registry.address(), "`id` UInt64, `name` String");
    }

    /** The value of a schema as Avro writes it, after the number of the schema. */
    private static byte[] message(int id, Schema schema, Object value) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<>(schema).write(value, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    private static byte[] person(int schema, long id, @Nullable String name) throws IOException {
        Schema known = new Schema.Parser().parse(PERSON);
        GenericRecord record = new GenericData.Record(known);
        record.put("id", id);
        record.put("name", name);
        return message(schema, known, record);
    }

    private static String text(byte[] row) {
        return new String(row, StandardCharsets.UTF_8);
    }

    /** What one field of this type becomes. */
    private String field(String type, String structure, Object value) throws IOException, Trouble {
        String written = "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"f\",\"type\":" + type + "}]}";
        Schema schema = new Schema.Parser().parse(written);
        GenericRecord record = new GenericData.Record(schema);
        record.put("f", value);
        int id = registry.register("fields", "AVRO", written);
        String row = text(format(registry.address(), structure).row(message(id, schema, record)));
        return row.equals("{}") ? "" : row.substring("{\"f\":".length(), row.length() - 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'int','logicalType':'date'}            | 20454              | '2026-01-01'",
                "{'type':'int','logicalType':'date'}            | -1                 | '1969-12-31'",
                "{'type':'int','logicalType':'time-millis'}     | 1000               | 1000",
                "{'type':'long','logicalType':'timestamp-millis'} | 1767225600001    | '2026-01-01T00:00:00.001Z'",
                "{'type':'long','logicalType':'timestamp-micros'} | -1               | '1969-12-31T23:59:59.999999Z'",
                "{'type':'long','logicalType':'timestamp-nanos'} | 1                 | '1970-01-01T00:00:00.000000001Z'",
                "{'type':'long','logicalType':'local-timestamp-millis'} | 0          | '1970-01-01T00:00:00'",
                "'long'                                         | 9223372036854775807 | 9223372036854775807"
            })
    void numbersBecomeWhatTheyStandFor(String type, long number, String json) throws IOException, Trouble {
        Object value = type.contains("'int'") ? (Object) (int) number : (Object) number;
        assertThat(field(type.replace('\'', '"'), "`f` String", value)).isEqualTo(json.replace('\'', '"'));
    }

    @Test
    void columnOfIntegersTakesTheNumberBehindATime() throws IOException, Trouble {
        String type = "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}";
        assertThat(field(type, "`f` Int64", 5L)).isEqualTo("5");
        assertThat(field(type, "`f` Nullable(UInt64)", 5L)).isEqualTo("5");
        assertThat(field(type, "`f` DateTime64(3)", 5L)).isEqualTo("\"1970-01-01T00:00:00.005Z\"");
    }

    @Test
    void everyOtherTypeHasItsFormInJson() throws IOException, Trouble {
        assertThat(field("\"boolean\"", "`f` Bool", true)).isEqualTo("true");
        assertThat(field("\"float\"", "`f` Float32", 0.1f)).isEqualTo("0.1");
        assertThat(field("\"double\"", "`f` Float64", Double.NaN)).isEqualTo("\"nan\"");
        assertThat(field("\"double\"", "`f` Float64", Double.NEGATIVE_INFINITY)).isEqualTo("\"-inf\"");
        assertThat(field("\"string\"", "`f` String", "a\"b\\\n\u00e9")).isEqualTo("\"a\\\"b\\\\\\u000a\u00e9\"");
        assertThat(field("\"bytes\"", "`f` String", ByteBuffer.wrap(new byte[] {'a', 0})))
                .isEqualTo("\"a\\u0000\"");
        assertThat(field(
                        "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}",
                        "`f` Decimal(9, 2)",
                        ByteBuffer.wrap(new byte[] {-1})))
                .isEqualTo("\"-0.01\"");
        Schema fixed = new Schema.Parser().parse("{\"type\":\"fixed\",\"name\":\"U\",\"size\":16}");
        assertThat(field(
                        "{\"type\":\"fixed\",\"name\":\"U\",\"size\":16,\"logicalType\":\"uuid\"}",
                        "`f` UUID",
                        new GenericData.Fixed(fixed, new byte[16])))
                .isEqualTo("\"00000000-0000-0000-0000-000000000000\"");
        Schema colour = new Schema.Parser().parse("{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"RED\",\"BLUE\"]}");
        assertThat(field(colour.toString(), "`f` String", new GenericData.EnumSymbol(colour, "BLUE")))
                .isEqualTo("\"BLUE\"");
        assertThat(field(
                        "{\"type\":\"array\",\"items\":[\"null\",\"int\"]}",
                        "`f` Array(Nullable(Int32))",
                        List.of(1, 2)))
                .isEqualTo("[1,2]");
        assertThat(field("{\"type\":\"map\",\"values\":\"long\"}", "`f` Map(String, Int64)", Map.of("k", 1L)))
                .isEqualTo("{\"k\":1}");
        assertThat(field("[\"string\",\"long\"]", "`f` Variant(String, Int64)", 7L))
                .isEqualTo("7");
    }

    @Test
    void fieldsThatAreNullOrThatNoColumnTakesAreLeftOut() throws IOException, Trouble {
        int id = registry.register("people", "AVRO", PERSON);
        assertThat(text(format().row(person(id, 1, "Ada")))).isEqualTo("{\"id\":1,\"name\":\"Ada\"}");
        assertThat(text(format().row(person(id, 1, null)))).isEqualTo("{\"id\":1}");
        assertThat(text(format(registry.address(), "`name` String").row(person(id, 1, "Ada"))))
                .isEqualTo("{\"name\":\"Ada\"}");
        assertThat(text(format(registry.address(), "`other` String").row(person(id, 1, "Ada"))))
                .isEqualTo("{}");
    }

    @Test
    void eachMessageIsReadWithItsOwnSchemaWhichIsAskedForOnce() throws IOException, Trouble {
        int first = registry.register("people", "AVRO", PERSON);
        String wider = person(",{\"name\":\"age\",\"type\":\"int\"}");
        int second = registry.register("people", "AVRO", wider);
        Schema schema = new Schema.Parser().parse(wider);
        GenericRecord record = new GenericData.Record(schema);
        record.put("id", 2L);
        record.put("age", 36);
        RegisteredMessages<?> format = format(registry.address(), "`id` UInt64, `age` UInt8");
        for (int batch = 0; batch < 3; batch++) {
            format.begin();
            assertThat(text(format.row(person(first, 1, "Ada")))).isEqualTo("{\"id\":1}");
            assertThat(text(format.row(message(second, schema, record)))).isEqualTo("{\"id\":2,\"age\":36}");
        }
        assertThat(registry.asked()).containsExactly("/schemas/ids/" + first, "/schemas/ids/" + second);
    }

    @Test
    void schemaMayReferToOthers() throws IOException, Trouble {
        registry.register("org.Person", "AVRO", PERSON.replace("\"name\":\"Person\"", "\"name\":\"org.Person\""));
        String pair = "{\"type\":\"record\",\"name\":\"Pair\",\"fields\":[{\"name\":\"one\",\"type\":\"org.Person\"}]}";
        int id = registry.register("pairs", "AVRO", pair, "org.Person");
        byte[] inner = person(id, 1, "Ada");
        assertThat(text(format(registry.address(), "`one` String").row(inner)))
                .isEqualTo("{\"one\":{\"id\":1,\"name\":\"Ada\"}}");
    }

    @Test
    void unknownSchemaIsABadMessageAndAskedForOnceInABatch() throws IOException, Trouble {
        RegisteredMessages<?> format = format();
        for (int message = 0; message < 2; message++) {
            assertThatThrownBy(() -> format.row(person(100, 1, "Ada")))
                    .isInstanceOf(BadData.class)
                    .hasMessage("The schema registry has no schema with the number 100.");
        }
        assertThat(registry.asked()).hasSize(1);
        registry.register("people", "AVRO", PERSON);
        format.begin();
        assertThat(text(format.row(person(100, 1, "Ada")))).isEqualTo("{\"id\":1,\"name\":\"Ada\"}");
    }

    @Test
    void schemaOfTheUrlIsForMessagesThatNameNone() throws IOException, Trouble {
        int id = registry.register("people", "AVRO", PERSON);
        registry.register("people", "AVRO", person(",{\"name\":\"age\",\"type\":\"int\"}"));
        byte[] framed = person(id, 0, "Ada");
        byte[] bare = new byte[framed.length - 5];
        System.arraycopy(framed, 5, bare, 0, bare.length);
        for (String path : List.of("/schemas/ids/" + id, "/subjects/people/versions/1")) {
            RegisteredMessages<?> format = format(registry.address() + path, "`id` UInt64, `name` String");
            // The first byte is the id, and a zero.
            assertThat(text(format.row(bare))).isEqualTo("{\"id\":0,\"name\":\"Ada\"}");
            assertThat(text(format.row(framed))).isEqualTo("{\"id\":0,\"name\":\"Ada\"}");
        }
        assertThatThrownBy(() -> format(registry.address() + "/subjects/people", "`id` UInt64")
                        .row(bare))
                .isInstanceOf(BadData.class);
        assertThat(registry.asked()).contains("/subjects/people/versions/latest");
        assertThatThrownBy(() -> format(registry.address() + "/subjects/others", "`id` UInt64")
                        .row(new byte[] {2, 0}))
                .isInstanceOf(Owner.class);
        assertThatThrownBy(() -> format().row(new byte[] {2, 0})).isInstanceOf(BadData.class);
    }

    @Test
    void registryThatFailsIsAwayAndHidesNoMessage() throws IOException, Trouble {
        int id = registry.register("people", "AVRO", PERSON);
        for (int status : new int[] {500, 503, 429, 301, 404}) {
            registry.answerWith(status);
            assertThatThrownBy(() -> format().row(person(id, 1, "Ada")))
                    .isInstanceOf(SourceAway.class)
                    .hasMessage("The schema registry answers " + status + ".");
        }
        registry.answerWith(200);
        registry.want("u", "another");
        assertThatThrownBy(() -> format().row(person(id, 1, "Ada")))
                .isInstanceOf(Owner.class)
                .hasMessage("The schema registry refuses the credentials (401).");
        registry.want("u", "p");
        assertThat(text(format().row(person(id, 1, "Ada")))).contains("Ada");
        registry.close();
        assertThatThrownBy(() -> format().row(person(id, 1, "Ada"))).isInstanceOf(SourceAway.class);
    }

    @Test
    void messageThatDoesNotFitItsSchemaIsBad() throws IOException, Trouble {
        int id = registry.register("people", "AVRO", PERSON);
        int list = registry.register(
                "list",
                "AVRO",
                "{\"type\":\"record\",\"name\":\"L\",\"fields\":[{\"name\":\"l\",\"type\":{\"type\":\"array\",\"items\":\"null\"}}]}");
        int number = registry.register("number", "AVRO", "\"long\"");
        int broken = registry.register("broken", "AVRO", "{\"type\":\"nothing\"}");
        int other = registry.register("other", "PROTOBUF", "syntax = \"proto3\";");
        RegisteredMessages<?> format = format();
        byte[] whole = person(id, 1, "Ada");
        byte[] longer = new byte[whole.length + 1];
        System.arraycopy(whole, 0, longer, 0, whole.length);
        byte[] shorter = new byte[whole.length - 1];
        System.arraycopy(whole, 0, shorter, 0, shorter.length);
        byte[] huge = ByteBuffer.allocate(20)
                .put(person(list, 0, null), 0, 5)
                // An array of two thousand million nulls.
                .put(new byte[] {-2, -1, -1, -1, 15})
                .array();
        byte[] choice = whole.clone();
        choice[6] = 8;
        for (byte[] message : List.of(
                longer,
                shorter,
                huge,
                choice,
                person(number, 1, null),
                person(broken, 1, null),
                person(other, 1, null),
                new byte[] {0},
                new byte[0])) {
            assertThatThrownBy(() -> format.row(message)).isInstanceOf(BadData.class);
        }
    }
}
