package io.pilothouse.http.wire;

import io.pilothouse.core.base.Fault;
import io.pilothouse.http.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * The answers of the management API: {@code {status, requestId, result}} and {@code {status, error, requestId,
 * details}}, or the latter as RFC 9457 has it for a client that takes nothing else.
 */
public final class Enveloped implements AnswerShape {
    private static final String PROBLEM_JSON = "application/problem+json";
    private static final int UUID_LENGTH = 36;
    private static final String BEFORE_ID = "{\"status\":200,\"requestId\":\"";
    private static final String BEFORE_RESULT = "\",\"result\":";

    @Override
    public byte[] success(UUID requestId, byte[] result) {
        return AnswerShape.object(BEFORE_ID + requestId + BEFORE_RESULT, result);
    }

    @Override
    public byte[] done(UUID requestId) {
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

    @Override
    public String requestId(byte[] success) {
        return new String(success, BEFORE_ID.length(), UUID_LENGTH, StandardCharsets.US_ASCII);
    }

    @Override
    public Answer refusal(Problem problem, List<String> accept) {
        if (Accept.onlyProblemJson(accept)) {
            byte[] document = JsonWriter.document(out -> writeProblem(out, problem));
            return new Answer(problem.status(), new Answer.Whole(PROBLEM_JSON, document), List.of());
        }
        return Answer.json(problem.status(), JsonWriter.document(out -> writeError(out, problem)));
    }

    private static void writeError(JsonWriter out, Problem problem) {
        out.startObject();
        out.whole("status", problem.status());
        out.text("error", error(problem));
        out.id("requestId", problem.requestId());
        writeDetails(out, problem);
        out.endObject();
    }

    private static void writeProblem(JsonWriter out, Problem problem) {
        out.startObject();
        out.text("type", "about:blank");
        out.text("title", problem.code());
        out.whole("status", problem.status());
        out.text("detail", problem.sentence());
        out.text("error", error(problem));
        out.id("requestId", problem.requestId());
        writeDetails(out, problem);
        out.endObject();
    }

    private static void writeDetails(JsonWriter out, Problem problem) {
        if (problem.details().isEmpty()) {
            return;
        }
        out.startArray("details");
        for (Fault fault : problem.details()) {
            out.startObject();
            out.text("path", fault.path());
            out.text("message", fault.message());
            out.endObject();
        }
        out.endArray();
    }

    private static String error(Problem problem) {
        return problem.code() + ": " + problem.sentence();
    }
}
