package io.pilothouse.http.wire;

import io.pilothouse.core.base.Fault;
import io.pilothouse.http.json.JsonWriter;
import java.util.List;

/**
 * The refusals of the management API: {@code {status, error, requestId, details}}, or the same as RFC 9457 has it for a
 * client that takes nothing else.
 */
public final class EnvelopeErrors implements ErrorShape {
    private static final String PROBLEM_JSON = "application/problem+json";

    @Override
    public Answer of(Problem problem, List<String> accept) {
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
