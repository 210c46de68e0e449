package io.pilothouse.http.wire;

import io.pilothouse.core.base.Fault;
import io.pilothouse.http.json.JsonWriter;
import java.util.List;
import java.util.stream.Collectors;

/** The refusals of the alerts interface: {@code {message}}, with every fault in the one sentence there is room for. */
public final class MessageErrors implements ErrorShape {
    @Override
    public Answer of(Problem problem, List<String> accept) {
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
        return problem.details().stream().map(MessageErrors::line).collect(Collectors.joining("; "));
    }

    private static String line(Fault fault) {
        return fault.path().isEmpty() ? fault.message() : fault.path() + ": " + fault.message();
    }
}
