package io.pilothouse.pipes.worker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/** Messages of Avro that bring their schema. */
class AvroContainersTest {
    private static final String STRUCTURE = "`id` UInt64, `name` String";

    private static Assignment assignment(String format) {
        return new Assignment(
                "p",
                "kinesis",
                new Tree.Members(Map.of("format", new Tree.Text(format))),
                Tree.Members.NONE,
                Tree.Members.NONE,
                new Assignment.Target("d", "t", List.of(), List.of(), STRUCTURE),
                0,
                Assignment.Errand.MOVE,
                0,
                new Assignment.Share(0, 1, 1, 0.5, 125));
    }

    private static Schema schema(String type) {
        return new Schema.Parser()
                .parse(
                        "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"" + type
                                + "\"},{\"name\":\"name\",\"type\":[\"null\",\"string\"]},{\"name\":\"more\",\"type\":\"long\"}]}");
    }

    private static byte[] container(CodecFactory codec, Schema schema, Object... ids) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.setCodec(codec).create(schema, out);
            for (Object id : ids) {
                GenericRecord record = new GenericData.Record(schema);
                record.put("id", id);
                record.put("name", "n" + id);
                record.put("more", 7L);
                writer.append(record);
                writer.sync();
            }
        }
        return out.toByteArray();
    }

    private static List<String> rows(MessageFormat format, byte[] message) throws Trouble, InterruptedException {
        List<String> rows = new ArrayList<>();
        format.rows(message).forEach(row -> rows.add(new String(row, StandardCharsets.UTF_8)));
        return rows;
    }

    @Test
    void everyRecordOfAMessageIsARow() throws IOException, Trouble, InterruptedException {
        MessageFormat format = MessageFormat.of(assignment("Avro"));
        assertThat(rows(format, container(CodecFactory.nullCodec(), schema("long"), 1L, 2L)))
                .containsExactly("{\"id\":1,\"name\":\"n1\"}", "{\"id\":2,\"name\":\"n2\"}");
        assertThat(rows(format, container(CodecFactory.deflateCodec(9), schema("string"), "x")))
                .containsExactly("{\"id\":\"x\",\"name\":\"nx\"}");
        assertThat(rows(format, container(CodecFactory.nullCodec(), schema("long"))))
                .isEmpty();
    }

    @Test
    void whatIsNotAContainerIsABadMessage() throws IOException, Owner {
        MessageFormat format = MessageFormat.of(assignment("Avro"));
        assertThatThrownBy(() -> format.rows("{\"id\":1}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(BadData.class);
        byte[] empty = container(CodecFactory.nullCodec(), schema("long"));
        byte[] whole = container(CodecFactory.nullCodec(), schema("long"), 1L);
        for (int cut = 0; cut < whole.length; cut++) {
            byte[] message = Arrays.copyOf(whole, cut);
            if (cut != empty.length) {
                assertThatThrownBy(() -> format.rows(message)).as("%s", cut).isInstanceOf(BadData.class);
            }
        }
        byte[] text = container(CodecFactory.nullCodec(), new Schema.Parser().parse("\"string\""));
        assertThatThrownBy(() -> format.rows(text))
                .isInstanceOfSatisfying(
                        BadData.class, bad -> assertThat(bad.sentence()).contains("not a record"));
    }

    /** A container whose head names another codec than it has. */
    private static byte[] named(String codec) throws IOException {
        String whole = new String(container(CodecFactory.nullCodec(), schema("long"), 1L), StandardCharsets.ISO_8859_1);
        String mark = "avro.codec";
        assertThat(whole).contains(mark + "\bnull");
        return whole.replace(mark + "\bnull", mark + (char) (2 * codec.length()) + codec)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void compressionIsReadOrNamedAsTheReason() throws IOException, Trouble, InterruptedException {
        MessageFormat format = MessageFormat.of(assignment("Avro"));
        for (CodecFactory codec :
                List.of(CodecFactory.deflateCodec(1), CodecFactory.snappyCodec(), CodecFactory.zstandardCodec(1))) {
            assertThat(rows(format, container(codec, schema("long"), 1L)))
                    .as("%s", codec)
                    .containsExactly("{\"id\":1,\"name\":\"n1\"}");
        }
        assertThat(rows(format, named("null"))).hasSize(1);
        for (String codec : List.of("bzip2", "xz", "brotli")) {
            byte[] message = named(codec);
            assertThatThrownBy(() -> format.rows(message))
                    .isInstanceOfSatisfying(
                            BadData.class,
                            bad -> assertThat(bad.sentence())
                                    .isEqualTo("The message is compressed by " + codec + ", which is not read."));
        }
        byte[] endless = named("x".repeat(60));
        assertThatThrownBy(() -> format.rows(endless))
                .isInstanceOfSatisfying(
                        BadData.class, bad -> assertThat(bad.sentence()).contains("by " + "x".repeat(40) + "…,"));
    }

    @Test
    void messageThatInflatesWithoutALimitIsABadMessage() throws IOException, Trouble, InterruptedException {
        MessageFormat format = MessageFormat.of(assignment("Avro"));
        String large = "x".repeat(33 << 20);
        for (CodecFactory codec :
                List.of(CodecFactory.deflateCodec(9), CodecFactory.snappyCodec(), CodecFactory.zstandardCodec(1))) {
            // Two blocks, of which each alone may be read.
            byte[] bomb = container(codec, schema("string"), large, large);
            assertThatThrownBy(() -> format.rows(bomb))
                    .as("%s", codec)
                    .isInstanceOfSatisfying(
                            BadData.class,
                            bad -> assertThat(bad.sentence())
                                    .isEqualTo("The message is larger than 64 MB once it is not compressed."));
            assertThat(rows(format, container(codec, schema("string"), "x".repeat(1 << 20))))
                    .as("%s", codec)
                    .hasSize(1);
        }
    }

    @Test
    void manySmallBlocksOfZstandardAreASmallMessage() throws IOException, Trouble, InterruptedException {
        Schema schema = schema("long");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.setCodec(CodecFactory.zstandardCodec(1)).create(schema, out);
            for (long id = 0; id < 600; id++) {
                GenericRecord record = new GenericData.Record(schema);
                record.put("id", id);
                record.put("name", "n");
                record.put("more", 7L);
                writer.append(record);
                writer.sync();
            }
        }
        assertThat(rows(MessageFormat.of(assignment("Avro")), out.toByteArray()))
                .hasSize(600);
    }

    @Test
    void fieldsAreThoseOfEverySchemaThatAMessageBrings() throws IOException, Trouble, InterruptedException {
        SchemaSample sample = new SchemaSample(assignment("Avro"));
        sample.add(List.of(container(CodecFactory.nullCodec(), schema("long"), 1L), new byte[] {1}));
        assertThat(sample.fields())
                .containsExactly(
                        new Field("id", "Int64", false),
                        new Field("name", "String", true),
                        new Field("more", "Int64", false));
    }
}
