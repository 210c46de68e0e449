package io.pilothouse.pipes.worker.formats;

import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.apache.avro.file.DataFileConstants;

/**
 * How large a block of a container of Avro is once it is not compressed, found without keeping any of it: a few bytes
 * can stand for more than a worker has memory for. For one thread.
 */
final class InflatedSize {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int SEVEN_BITS = 7;
    private static final int LOW_BITS = 0x7F;
    private static final int INT_BITS = 32;
    /** A frame of Zstandard, and those that are to be skipped, whose last four bits are anything. */
    private static final int ZSTANDARD_FRAME = 0xFD2FB528;

    private static final int SKIPPED_FRAME = 0x184D2A50;
    private static final int SKIPPED_MASK = 0xFFFFFFF0;
    /** No block of Zstandard is larger. */
    private static final long ZSTANDARD_BLOCK = 128 << 10;

    private InflatedSize() {}

    /** It is no larger than this, and no longer counted once that is more than {@code enough}. */
    static long atMost(String codec, ByteBuffer block, long enough) throws IOException {
        return codec.equals(DataFileConstants.ZSTANDARD_CODEC)
                ? zstandard(block.order(ByteOrder.LITTLE_ENDIAN))
                : of(codec, block, enough);
    }

    /** It has this size; no longer counted once that is more than {@code enough}. */
    static long of(String codec, ByteBuffer block, long enough) throws IOException {
        return switch (codec) {
            case DataFileConstants.DEFLATE_CODEC -> deflate(block, enough);
            case DataFileConstants.SNAPPY_CODEC -> snappy(block);
            case DataFileConstants.ZSTANDARD_CODEC -> counted(block, enough);
            default -> block.remaining();
        };
    }

    /** Small blocks have a frame each, of which nothing but what is in it says how small. */
    private static long counted(ByteBuffer block, long enough) throws IOException {
        byte[] bytes = new byte[block.remaining()];
        block.get(bytes);
        try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(bytes))) {
            byte[] chunk = new byte[CHUNK_BYTES];
            long size = 0;
            int more = in.read(chunk);
            while (more > 0 && size <= enough) {
                size += more;
                more = in.read(chunk);
            }
            return size;
        }
    }

    private static long deflate(ByteBuffer block, long enough) throws IOException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(block);
            byte[] chunk = new byte[CHUNK_BYTES];
            int more = inflater.inflate(chunk);
            while (more > 0 && inflater.getBytesWritten() <= enough) {
                more = inflater.inflate(chunk);
            }
            return inflater.getBytesWritten();
        } catch (DataFormatException broken) {
            throw new IOException(broken);
        } finally {
            inflater.end();
        }
    }

    /** It begins with its size, in groups of seven bits. */
    private static long snappy(ByteBuffer block) {
        long size = 0;
        for (int shift = 0; shift < INT_BITS; shift += SEVEN_BITS) {
            byte group = block.get();
            size |= (long) (group & LOW_BITS) << shift;
            if (group >= 0) {
                return size;
            }
        }
        return size;
    }

    /** What it can be at most: frames, each of a head and blocks, each of a size and bytes. */
    private static long zstandard(ByteBuffer in) throws IOException {
        long size = 0;
        while (in.hasRemaining()) {
            int magic = in.getInt();
            if ((magic & SKIPPED_MASK) == SKIPPED_FRAME) {
                skip(in, in.getInt());
            } else if (magic == ZSTANDARD_FRAME) {
                size += frame(in);
            } else {
                throw new IOException("no frame of Zstandard");
            }
        }
        return size;
    }

    private static long frame(ByteBuffer in) throws IOException {
        int descriptor = in.get();
        boolean single = (descriptor & 0x20) != 0;
        int dictionary = new int[] {0, 1, 2, 4}[descriptor & 0x3];
        int content = new int[] {single ? 1 : 0, 2, 4, 8}[(descriptor >> 6) & 0x3];
        skip(in, (single ? 0 : 1) + dictionary + content);
        long size = 0;
        boolean last = false;
        while (!last) {
            int head = (in.get() & 0xFF) | (in.get() & 0xFF) << 8 | (in.get() & 0xFF) << 16;
            last = (head & 1) == 1;
            boolean repeated = (head >> 1 & 0x3) == 1;
            skip(in, repeated ? 1 : head >> 3);
            size += ZSTANDARD_BLOCK;
        }
        skip(in, (descriptor & 0x4) == 0 ? 0 : Integer.BYTES);
        return size;
    }

    private static void skip(ByteBuffer in, int bytes) throws IOException {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new IOException("cut off");
        }
        in.position(in.position() + bytes);
    }
}
