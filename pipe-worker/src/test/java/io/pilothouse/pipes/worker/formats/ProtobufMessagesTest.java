package io.pilothouse.pipes.worker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.testkit.SchemaServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How messages of Protobuf become rows, with the schemas of a registry. */
class ProtobufMessagesTest {
    private static final String ORDER = """
        name: "order.proto" package: "shop" syntax: "proto3"
        dependency: "google/protobuf/timestamp.proto" dependency: "google/protobuf/wrappers.proto" dependency: "of/a/registry.proto"
        enum_type { name: "Colour" value { name: "RED" number: 0 } value { name: "BLUE" number: 1 } }
        message_type { name: "Order"
          field { name: "id" number: 1 type: TYPE_UINT64 label: LABEL_OPTIONAL }
          field { name: "small" number: 2 type: TYPE_UINT32 label: LABEL_OPTIONAL }
          field { name: "less" number: 3 type: TYPE_SINT64 label: LABEL_OPTIONAL }
          field { name: "part" number: 4 type: TYPE_FLOAT label: LABEL_OPTIONAL }
          field { name: "whole" number: 5 type: TYPE_DOUBLE label: LABEL_OPTIONAL }
          field { name: "sure" number: 6 type: TYPE_BOOL label: LABEL_OPTIONAL }
          field { name: "name" number: 7 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 proto3_optional: true }
          field { name: "raw" number: 8 type: TYPE_BYTES label: LABEL_OPTIONAL }
          field { name: "colour" number: 9 type: TYPE_ENUM type_name: ".shop.Colour" label: LABEL_OPTIONAL }
          field { name: "at" number: 10 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL }
          field { name: "wrapped" number: 11 type: TYPE_MESSAGE type_name: ".google.protobuf.Int64Value" label: LABEL_OPTIONAL }
          field { name: "tags" number: 12 type: TYPE_STRING label: LABEL_REPEATED }
          field { name: "counts" number: 13 type: TYPE_MESSAGE type_name: ".shop.Order.CountsEntry" label: LABEL_REPEATED }
          field { name: "buyer" number: 14 type: TYPE_MESSAGE type_name: ".shop.Order.Buyer" label: LABEL_OPTIONAL }
          oneof_decl { name: "_name" }
          nested_type { name: "CountsEntry" options { map_entry: true }
            field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
            field { name: "value" number: 2 type: TYPE_INT32 label: LABEL_OPTIONAL } }
          nested_type { name: "Buyer" field { name: "age" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } }
        }
        message_type { name: "Other" field { name: "id" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } }""";

    private SchemaServer registry;

    @BeforeEach
    void start() throws IOException {
        registry = SchemaServer.open();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private static FileDescriptorProto file(String text) throws IOException {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
        TextFormat.merge(text, file);
        return file.build();
    }

    private int register(String subject, String text, String... references) throws IOException {
        String binary = Base64.getEncoder().encodeToString(file(text).toByteArray());
        return registry.register(subject, "PROTOBUF", binary, references);
    }

    private static Descriptor order(String... path) throws IOException, DescriptorValidationException {
        FileDescriptor file = FileDescriptor.buildFrom(
                file(ORDER),
                new FileDescriptor[] {TimestampProto.getDescriptor(), WrappersProto.getDescriptor()},
                true);
        Descriptor type = file.findMessageTypeByName(path[0]);
        for (int step = 1; step < path.length; step++) {
            type = type.findNestedTypeByName(path[step]);
        }
        return type;
    }

    /** The number of the schema, the way to the type in it, and the message. */
    private static byte[] message(int id, byte[] way, Descriptor type, String text) throws IOException {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        TextFormat.merge(text, message);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        out.writeBytes(way);
        message.build().writeTo(out);
        return out.toByteArray();
    }

    private RegisteredMessages<?> format(String path, String structure) throws Owner {
        return GivenFormat.of("Protobuf", registry.address() + path, structure);
    }

    private String row(String structure, byte[] message) throws Trouble {
        return new String(format("", structure).row(message), StandardCharsets.UTF_8);
    }

    @Test
    void everyTypeHasItsFormInJson() throws DescriptorValidationException, IOException, Trouble {
        int id = register("orders", ORDER);
        byte[] message = message(id, new byte[] {0}, order("Order"), """
            id: 18446744073709551615 small: 4294967295 less: -7 part: 0.1 whole: inf sure: true name: "a\\"b" raw: "\\001"
            colour: BLUE at { seconds: -1 nanos: 999000000 } wrapped { value: 5 } tags: "x" tags: "y"
            counts { key: "k" value: 1 } buyer { age: 36 }""");
        String all =
                "`id` UInt64, `small` UInt32, `less` Int64, `part` Float32, `whole` Float64, `sure` Bool, `name` String, "
                        + "`raw` String, `colour` String, `at` DateTime64(3), `wrapped` Int64, `tags` Array(String), "
                        + "`counts` Map(String, Int32), `buyer` String";
        assertThat(row(all, message))
                .isEqualTo(
                        "{\"id\":18446744073709551615,\"small\":4294967295,\"less\":-7,\"part\":0.1,\"whole\":\"inf\","
                                + "\"sure\":true,\"name\":\"a\\\"b\",\"raw\":\"\\u0001\",\"colour\":\"BLUE\","
                                + "\"at\":\"1969-12-31T23:59:59.999Z\",\"wrapped\":5,\"tags\":[\"x\",\"y\"],\"counts\":{\"k\":1},"
                                + "\"buyer\":{\"age\":36}}");
        assertThat(row("`colour` UInt8", message)).isEqualTo("{\"colour\":1}");
        assertThat(row("`other` UInt8", message)).isEqualTo("{}");
    }

    @Test
    void whatIsNotSetIsLeftOutWhereThatCanBeTold() throws DescriptorValidationException, IOException, Trouble {
        int id = register("orders", ORDER);
        byte[] message = message(id, new byte[] {0}, order("Order"), "");
        assertThat(row("`id` UInt64, `name` String, `at` DateTime, `tags` Array(String), `counts` String", message))
                .isEqualTo("{\"id\":0,\"tags\":[],\"counts\":{}}");
    }

    @Test
    void numbersBeforeTheMessageSayWhichTypeItIs() throws DescriptorValidationException, IOException, Trouble {
        int id = register("orders", ORDER);
        assertThat(row("`id` Int32", message(id, new byte[] {2, 2}, order("Other"), "id: 3")))
                .isEqualTo("{\"id\":3}");
        assertThat(row("`age` Int32", message(id, new byte[] {4, 0, 2}, order("Order", "Buyer"), "age: 36")))
                .isEqualTo("{\"age\":36}");
    }

    @Test
    void schemaMayReferToOthers() throws IOException, Trouble {
        register("order.proto", ORDER);
        int id = register("holder", """
            name: "holder.proto" syntax: "proto3" dependency: "order.proto"
            message_type { name: "Holder" field { name: "other" number: 1 type: TYPE_MESSAGE type_name: ".shop.Other" label: LABEL_OPTIONAL } }""", "order.proto");
        byte[] message = ByteBuffer.allocate(10)
                .put((byte) 0)
                .putInt(id)
                .put(new byte[] {0, 10, 2, 8, 3})
                .array();
        assertThat(row("`other` String", message)).isEqualTo("{\"other\":{\"id\":3}}");
    }

    @Test
    void messageWithoutANumberIsTheFirstTypeOfTheSchemaOfTheUrl() throws IOException, Trouble {
        register("orders", ORDER);
        RegisteredMessages<?> format = format("/subjects/orders", "`id` UInt64");
        assertThat(new String(format.row(new byte[] {8, 5}), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":5}");
    }

    @Test
    void messageThatDoesNotFitItsSchemaIsBad() throws DescriptorValidationException, IOException, Trouble {
        int id = register("orders", ORDER);
        int avro = registry.register("avro", "AVRO", "\"long\"");
        int clash = register("clash", "name: \"c.proto\" message_type { name: \"A\" } message_type { name: \"A\" }");
        RegisteredMessages<?> format = format("", "`id` UInt64");
        for (byte[] message : List.of(
                message(id, new byte[] {0, 10, 127}, order("Other"), ""),
                message(id, new byte[] {2, 126}, order("Other"), "id: 1"),
                message(id, new byte[0], order("Other"), ""),
                message(avro, new byte[] {0}, order("Other"), "id: 1"),
                message(clash, new byte[] {0}, order("Other"), "id: 1"),
                new byte[] {8, 5})) {
            assertThatThrownBy(() -> format.row(message)).isInstanceOf(BadData.class);
        }
    }

    @Test
    void registryThatKnowsNoBinaryFormFailsThePipe() throws DescriptorValidationException, IOException, Trouble {
        int id = registry.register("text", "PROTOBUF", "syntax = \"proto3\"; message A { int32 id = 1; }");
        byte[] message = message(id, new byte[] {0}, order("Other"), "id: 1");
        assertThatThrownBy(() -> row("`id` Int32", message))
                .isInstanceOf(Owner.class)
                .hasMessageContaining("format=serialized");
    }
}
