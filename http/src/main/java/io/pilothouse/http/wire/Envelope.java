package io.pilothouse.http.wire;

import io.pilothouse.http.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/** The envelope of every success of the management API: {@code {status, requestId, result}}. */
public final class Envelope {
    private static final int UUID_LENGTH = 36;
    private static final String BEFORE_ID = "{\"status\":200,\"requestId\":\"";
    private static final String BEFORE_RESULT = "\",\"result\":";

    private Envelope() {}

    public static byte[] of(UUID requestId, JsonWriter.Part result) {
        return JsonWriter.document(out -> {
            start(out, requestId);
            out.name("result");
            result.write(out);
            out.endObject();
        });
    }

    /** The same around a result that is JSON already. */
    public static byte[] of(UUID requestId, byte[] result) {
        return object(BEFORE_ID + requestId + BEFORE_RESULT, result);
    }

    /** An object that begins like this and ends with a value that is JSON already. */
    public static byte[] object(String beginning, byte[] value) {
        byte[] before = beginning.getBytes(StandardCharsets.US_ASCII);
        byte[] object = Arrays.copyOf(before, before.length + value.length + 1);
        System.arraycopy(value, 0, object, before.length, value.length);
        object[object.length - 1] = '}';
        return object;
    }

    /** The answer of what has nothing to tell, such as a deletion. */
    public static byte[] withoutResult(UUID requestId) {
        return JsonWriter.document(out -> {
            start(out, requestId);
            out.endObject();
        });
    }

    static void start(JsonWriter out, UUID requestId) {
        out.startObject();
        out.whole("status", 200);
        out.id("requestId", requestId);
    }

    /** The request id in an envelope that was written here earlier. */
    public static String requestId(byte[] envelope) {
        return new String(envelope, BEFORE_ID.length(), UUID_LENGTH, StandardCharsets.US_ASCII);
    }
}
