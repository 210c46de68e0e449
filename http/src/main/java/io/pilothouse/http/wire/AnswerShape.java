package io.pilothouse.http.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The form of a listener's answers: the envelope of a result, and the refusals. */
public sealed interface AnswerShape permits Enveloped, Plain {
    /** A success with a result that is JSON already. */
    byte[] success(UUID requestId, byte[] result);

    /** A success without a result, such as a deletion. */
    byte[] done(UUID requestId);

    /** The id of the request that a success was written for; null where none is shown. */
    @Nullable
    String requestId(byte[] success);

    /** The answer for a problem; {@code accept} is what the client said it takes, one entry for each header line. */
    Answer refusal(Problem problem, List<String> accept);

    /** An object that begins like this and ends with a value that is JSON already. */
    static byte[] object(String beginning, byte[] value) {
        byte[] before = beginning.getBytes(StandardCharsets.US_ASCII);
        byte[] object = Arrays.copyOf(before, before.length + value.length + 1);
        System.arraycopy(value, 0, object, before.length, value.length);
        object[object.length - 1] = '}';
        return object;
    }
}
