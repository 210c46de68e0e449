package io.pilothouse.pipes.worker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.TextFormat;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.testkit.SchemaServer;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What schemas of a registry become as fields of a table. */
class SchemaFieldsTest {
    private SchemaServer registry;

    @BeforeEach
    void open() throws IOException {
        registry = SchemaServer.open();
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private static byte[] message(int schema, int... content) {
        byte[] message = new byte[5 + content.length];
        message[4] = (byte) schema;
        for (int at = 0; at < content.length; at++) {
            message[5 + at] = (byte) content[at];
        }
        return message;
    }

    private List<Field> fields(String format, byte[]... messages) throws Trouble, InterruptedException {
        SchemaSample sample = new SchemaSample(GivenFormat.assignment(format, registry.address(), ""));
        sample.add(List.of(messages));
        return sample.fields();
    }

    @Test
    void everyTypeOfAvroHasAColumn() throws Trouble, InterruptedException {
        int id = registry.register("all-value", "AVRO", """
                {"type": "record", "name": "All", "fields": [
                  {"name": "flag", "type": "boolean"}, {"name": "small", "type": "int"}, {"name": "large", "type": "long"},
                  {"name": "half", "type": "float"}, {"name": "whole", "type": "double"}, {"name": "text", "type": "string"},
                  {"name": "raw", "type": "bytes"}, {"name": "sort", "type": {"type": "enum", "name": "E", "symbols": ["A"]}},
                  {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 18, "scale": 2}},
                  {"name": "key", "type": {"type": "string", "logicalType": "uuid"}},
                  {"name": "day", "type": {"type": "int", "logicalType": "date"}},
                  {"name": "ms", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                  {"name": "us", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
                  {"name": "here", "type": {"type": "long", "logicalType": "local-timestamp-nanos"}},
                  {"name": "clock", "type": {"type": "long", "logicalType": "time-micros"}},
                  {"name": "tags", "type": {"type": "array", "items": ["null", "string"]}},
                  {"name": "counts", "type": {"type": "map", "values": "long"}},
                  {"name": "choice", "type": ["long", "string"]},
                  {"name": "buyer", "type": ["null", {"type": "record", "name": "B", "fields": [{"name": "age", "type": "int"}]}]},
                  {"name": "lines", "type": {"type": "array", "items": {"type": "record", "name": "L", "fields": [
                    {"name": "sku", "type": "string"}, {"name": "count", "type": ["null", "int"]}]}}}]}""");
        assertThat(fields("Avro", message(id)))
                .containsExactly(
                        new Field("flag", "Bool", false),
                        new Field("small", "Int32", false),
                        new Field("large", "Int64", false),
                        new Field("half", "Float32", false),
                        new Field("whole", "Float64", false),
                        new Field("text", "String", false),
                        new Field("raw", "String", false),
                        new Field("sort", "String", false),
                        new Field("price", "Decimal(18, 2)", false),
                        new Field("key", "UUID", false),
                        new Field("day", "Date32", false),
                        new Field("ms", "DateTime64(3)", false),
                        new Field("us", "DateTime64(6)", true),
                        new Field("here", "DateTime64(9)", false),
                        new Field("clock", "Int64", false),
                        new Field("tags", "Array(Nullable(String))", false),
                        new Field("counts", "Map(String, Int64)", false),
                        new Field("choice", "String", false),
                        new Field("buyer.age", "Int32", true),
                        new Field("lines", "Array(Tuple(`sku` String, `count` Nullable(Int32)))", false));
    }

    @Test
    void aSchemaThatHoldsItselfEnds() throws Trouble, InterruptedException {
        int id = registry.register("chain-value", "AVRO", """
                {"type": "record", "name": "Chain", "fields": [{"name": "id", "type": "int"}, {"name": "next", "type": ["null", "Chain"]}]}""");
        assertThat(fields("Avro", message(id)))
                .startsWith(new Field("id", "Int32", false), new Field("next.id", "Int32", true))
                .endsWith(new Field("next.next.next.next.next.next", "String", true));
    }

    @Test
    void whatOnlySomeSchemasHaveIsOptionalAndTheLastTypeCounts() throws Trouble, InterruptedException {
        int first = registry.register("a-value", "AVRO", """
                {"type": "record", "name": "A", "fields": [{"name": "id", "type": "int"}, {"name": "old", "type": "int"}]}""");
        int second = registry.register("a-value", "AVRO", """
                {"type": "record", "name": "A", "fields": [{"name": "id", "type": "long"}, {"name": "new", "type": "int"}]}""");
        assertThat(fields("Avro", message(first), message(second), message(first), message(99)))
                .containsExactly(
                        new Field("id", "Int64", false),
                        new Field("old", "Int32", true),
                        new Field("new", "Int32", true));
    }

    @Test
    void messagesWithoutASchemaThatCanBeHadAreSaidToBeSo() {
        assertThatThrownBy(() -> fields("Avro", message(99)))
                .isInstanceOf(Owner.class)
                .hasMessageContaining("no schema with the number 99");
    }

    @Test
    void everyTypeOfProtobufHasAColumn() throws Trouble, TextFormat.ParseException, InterruptedException {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
        TextFormat.merge("""
                name: "all.proto" syntax: "proto3" dependency: "google/protobuf/timestamp.proto" dependency: "google/protobuf/wrappers.proto"
                dependency: "google/protobuf/struct.proto"
                message_type { name: "All"
                  field { name: "flag" number: 1 type: TYPE_BOOL label: LABEL_OPTIONAL }
                  field { name: "i" number: 2 type: TYPE_SINT32 label: LABEL_OPTIONAL }
                  field { name: "l" number: 3 type: TYPE_FIXED64 label: LABEL_OPTIONAL }
                  field { name: "u" number: 4 type: TYPE_UINT32 label: LABEL_OPTIONAL }
                  field { name: "s" number: 5 type: TYPE_SFIXED64 label: LABEL_OPTIONAL }
                  field { name: "f" number: 6 type: TYPE_FLOAT label: LABEL_OPTIONAL }
                  field { name: "d" number: 7 type: TYPE_DOUBLE label: LABEL_OPTIONAL }
                  field { name: "raw" number: 8 type: TYPE_BYTES label: LABEL_OPTIONAL }
                  field { name: "at" number: 9 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL }
                  field { name: "maybe" number: 10 type: TYPE_MESSAGE type_name: ".google.protobuf.Int64Value" label: LABEL_OPTIONAL }
                  field { name: "any" number: 11 type: TYPE_MESSAGE type_name: ".google.protobuf.Struct" label: LABEL_OPTIONAL }
                  field { name: "tags" number: 12 type: TYPE_STRING label: LABEL_REPEATED }
                  field { name: "buyer" number: 13 type: TYPE_MESSAGE type_name: ".Buyer" label: LABEL_OPTIONAL }
                  field { name: "lines" number: 14 type: TYPE_MESSAGE type_name: ".Buyer" label: LABEL_REPEATED }
                  field { name: "counts" number: 15 type: TYPE_MESSAGE type_name: ".All.CountsEntry" label: LABEL_REPEATED }
                  nested_type { name: "CountsEntry" options { map_entry: true }
                    field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
                    field { name: "value" number: 2 type: TYPE_INT64 label: LABEL_OPTIONAL } } }
                message_type { name: "Buyer" field { name: "age" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } }""", file);
        int id = registry.register(
                "all-value",
                "PROTOBUF",
                Base64.getEncoder().encodeToString(file.build().toByteArray()));
        assertThat(fields("Protobuf", message(id, 0)))
                .containsExactly(
                        new Field("flag", "Bool", false),
                        new Field("i", "Int32", false),
                        new Field("l", "UInt64", false),
                        new Field("u", "UInt32", false),
                        new Field("s", "Int64", false),
                        new Field("f", "Float32", false),
                        new Field("d", "Float64", false),
                        new Field("raw", "String", false),
                        new Field("at", "DateTime64(9)", true),
                        new Field("maybe", "Int64", true),
                        new Field("any", "String", true),
                        new Field("tags", "Array(String)", false),
                        new Field("buyer.age", "Int32", true),
                        new Field("lines", "Array(Tuple(`age` Int32))", false),
                        new Field("counts", "Map(String, Int64)", false));
        // The second message of the file.
        assertThat(fields("Protobuf", message(id, 2, 2))).containsExactly(new Field("age", "Int32", false));
    }
}
