package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are containers of Avro, as its files are: each brings its schema and any number of records. For one
 * thread.
 */
final class AvroContainers implements MessageFormat {
    private static final int MAX_ROWS = 100_000;
    /** Once it is not compressed; Kinesis has records of up to 10 MB. */
    private static final int MAX_MEGABYTES = 64;

    private static final int MAGIC_BYTES = 4;
    private static final int SYNC_BYTES = 16;
    /** What a sentence shows of a name that a message brings. */
    private static final int MAX_NAME = 40;
    /** Those whose libraries are shipped. */
    private static final Set<String> CODECS = Set.of(
            DataFileConstants.NULL_CODEC,
            DataFileConstants.DEFLATE_CODEC,
            DataFileConstants.SNAPPY_CODEC,
            DataFileConstants.ZSTANDARD_CODEC);

    private final Reading reading;
    private @Nullable Schema schema;
    private @Nullable Block block;

    /** Understands a schema. */
    @FunctionalInterface
    private interface Reading {
        Block of(Schema schema) throws BadData;
    }

    /** What becomes of records of one schema, one after another. */
    @FunctionalInterface
    private interface Block {
        List<byte[]> rows(byte[] bytes, int from, int length, long count) throws BadData;
    }

    private AvroContainers(Reading reading) {
        this.reading = reading;
    }

    /** Whether the messages of a pipe are such: those of Avro with a registry are not. */
    static boolean has(Assignment assignment) {
        return assignment.source().text("format").orElse("").equals("Avro")
                && assignment.source().members("schemaRegistry").isEmpty();
    }

    static AvroContainers of(Columns columns) {
        return new AvroContainers(schema -> AvroRow.of(schema, columns)::all);
    }

    /** Of a message only the schema is looked at: {@code found} is told its fields. */
    static AvroContainers of(Consumer<List<Field>> found) {
        return new AvroContainers(schema -> {
            List<Field> fields = AvroFields.of(schema);
            return (_, _, _, _) -> {
                found.accept(fields);
                return List.of();
            };
        });
    }

    @Override
    public void begin() {
        // A message says all about itself.
    }

    @Override
    public List<byte[]> rows(byte[] message) throws BadData {
        String codec = codec(message);
        if (!CODECS.contains(codec)) {
            throw unread(codec);
        }
        requireSmall(message, codec);
        List<byte[]> rows = new ArrayList<>();
        try (DataFileStream<Object> in =
                new DataFileStream<>(new ByteArrayInputStream(message), new GenericDatumReader<>())) {
            Block records = block(in.getSchema());
            long count = 0;
            while (in.hasNext()) {
                ByteBuffer bytes = in.nextBlock();
                count += in.getBlockCount();
                if (count > MAX_ROWS) {
                    throw new BadData("The message has more than " + MAX_ROWS + " records.");
                }
                rows.addAll(records.rows(
                        bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining(), in.getBlockCount()));
            }
        } catch (IOException | RuntimeException _) {
            throw noContainer();
        } catch (LinkageError _) {
            // Some codecs bring code for the machine, which may not run on every one.
            throw unread(codec);
        }
        return rows;
    }

    /** How a block is measured. */
    @FunctionalInterface
    private interface Measure {
        long of(String codec, ByteBuffer block, long enough) throws IOException;
    }

    /** The library inflates a block as a whole, whatever it comes to. */
    private static void requireSmall(byte[] message, String codec) throws BadData {
        long enough = (long) MAX_MEGABYTES << 20;
        try {
            if (inflated(message, codec, enough, InflatedSize::atMost) > enough
                    && inflated(message, codec, enough, InflatedSize::of) > enough) {
                throw new BadData("The message is larger than " + MAX_MEGABYTES + " MB once it is not compressed.");
            }
        } catch (IOException | RuntimeException _) {
            throw noContainer();
        } catch (LinkageError _) {
            throw unread(codec);
        }
    }

    private static long inflated(byte[] message, String codec, long enough, Measure measure) throws IOException {
        long size = 0;
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, null);
        skipHead(in);
        while (!in.isEnd() && size <= enough) {
            in.readLong();
            size += measure.of(codec, in.readBytes(null), enough);
            in.skipFixed(SYNC_BYTES);
        }
        return size;
    }

    private static BadData unread(String codec) {
        String name = codec.length() > MAX_NAME ? codec.substring(0, MAX_NAME) + "…" : codec;
        return new BadData("The message is compressed by " + name + ", which is not read.");
    }

    private static BadData noContainer() {
        return new BadData("The message is not a container of Avro, which has its schema before its records.");
    }

    /** How a message is compressed: read before the library does, which fails for good at a codec that it lacks. */
    private static String codec(byte[] message) throws BadData {
        try {
            requireWhole(message);
            String codec = DataFileConstants.NULL_CODEC;
            BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, null);
            in.skipFixed(MAGIC_BYTES);
            for (long entries = in.readMapStart(); entries != 0; entries = in.mapNext()) {
                for (long entry = 0; entry < entries; entry++) {
                    String name = in.readString();
                    ByteBuffer value = in.readBytes(null);
                    if (name.equals(DataFileConstants.CODEC)) {
                        codec = StandardCharsets.UTF_8.decode(value).toString();
                    }
                }
            }
            return codec;
        } catch (IOException | RuntimeException _) {
            // The library has many ways to say that bytes are not what they should be.
            throw noContainer();
        }
    }

    /** To the library a message that was cut off ends with the block before, and lengths are as large as they say. */
    private static void requireWhole(byte[] message) throws IOException {
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, null);
        skipHead(in);
        while (!in.isEnd()) {
            in.readLong();
            in.skipBytes();
            in.skipFixed(SYNC_BYTES);
        }
    }

    private static void skipHead(BinaryDecoder in) throws IOException {
        in.skipFixed(MAGIC_BYTES);
        for (long entries = in.readMapStart(); entries != 0; entries = in.mapNext()) {
            for (long entry = 0; entry < entries; entry++) {
                in.skipString();
                in.skipBytes();
            }
        }
        in.skipFixed(SYNC_BYTES);
    }

    private Block block(Schema now) throws BadData {
        Block known = block;
        if (known == null || !now.equals(schema)) {
            known = reading.of(now);
            schema = now;
            block = known;
        }
        return known;
    }
}
