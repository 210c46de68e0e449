package io.pilothouse.http.wire;

import io.pilothouse.core.base.Fault;
import io.pilothouse.http.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answers of the alerts interface, which has no envelope: {@code {data}}, and {@code {message}} with every fault in
 * the one sentence there is room for.
 */
public final class Plain implements AnswerShape {
    @Override
    public byte[] success(UUID requestId, byte[] result) {
        return AnswerShape.object("{\"data\":", result);
    }

    @Override
    public byte[] done(UUID requestId) {
        return "{}".getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public @Nullable String requestId(byte[] success) {
        return null;
    }

    @Override
    public Answer refusal(Problem problem, List<String> accept) {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            out.text("message", message(problem));
            out.endObject();
        });
        return Answer.json(problem.status(), document);
    }

    private static String message(Problem problem) {
        if (problem.details().isEmpty()) {
            return problem.sentence();
        }
        return problem.details().stream().map(Plain::line).collect(Collectors.joining("; "));
    }

    private static String line(Fault fault) {
        return fault.path().isEmpty() ? fault.message() : fault.path() + ": " + fault.message();
    }
}
