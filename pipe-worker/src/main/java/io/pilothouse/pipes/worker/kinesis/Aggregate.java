package io.pilothouse.pipes.worker.kinesis;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes apart what the producer library of Kinesis puts together into one record: four bytes, a message of Protobuf
 * with the keys and the records, and the MD5 of that message; pure.
 */
final class Aggregate {
    private static final byte[] MAGIC = {(byte) 0xF3, (byte) 0x89, (byte) 0x9A, (byte) 0xC2};
    private static final int MD5_BYTES = 16;
    private static final int KEYS = 1;
    private static final int HASHES = 2;
    private static final int RECORDS = 3;

    private final List<String> keys = new ArrayList<>();
    private final List<String> hashes = new ArrayList<>();
    private final List<byte[]> records = new ArrayList<>();

    /** One of the records inside; its hash is null where the key decides. */
    @SuppressWarnings("ArrayRecordComponent")
    record Inner(String key, @Nullable BigInteger hash, byte[] message) {
        BigInteger effectiveHash() {
            return hash == null ? Shard.hash(key) : hash;
        }
    }

    private Aggregate() {}

    /** What is inside; empty where the record is one that only looks like them, or not even that. */
    static Optional<List<Inner>> open(byte[] data) {
        if (data.length < MAGIC.length + MD5_BYTES || !Arrays.equals(data, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            return Optional.empty();
        }
        byte[] body = Arrays.copyOfRange(data, MAGIC.length, data.length - MD5_BYTES);
        byte[] sum = Arrays.copyOfRange(data, data.length - MD5_BYTES, data.length);
        if (!Arrays.equals(md5(body), sum)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Aggregate().read(body));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private List<Inner> read(byte[] body) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(body);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case KEYS -> keys.add(in.readString());
                case HASHES -> hashes.add(in.readString());
                case RECORDS -> records.add(in.readByteArray());
                default -> in.skipField(tag);
            }
        }
        List<Inner> inside = new ArrayList<>();
        for (byte[] record : records) {
            inside.add(inner(CodedInputStream.newInstance(record)));
        }
        return inside;
    }

    private Inner inner(CodedInputStream in) throws IOException {
        int key = 0;
        int hash = -1;
        byte[] message = new byte[0];
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case KEYS -> key = Math.toIntExact(in.readUInt64());
                case HASHES -> hash = Math.toIntExact(in.readUInt64());
                case RECORDS -> message = in.readByteArray();
                default -> in.skipField(tag);
            }
        }
        return new Inner(keys.get(key), hash < 0 ? null : new BigInteger(hashes.get(hash)), message);
    }

    /** The hash that Kinesis and its libraries use. */
    static byte[] md5(byte[] body) {
        try {
            return MessageDigest.getInstance("MD5").digest(body);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every JDK has MD5", impossible);
        }
    }
}
