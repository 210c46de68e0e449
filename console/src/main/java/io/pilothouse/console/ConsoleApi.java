package io.pilothouse.console;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Gate;
import java.util.List;

/** Sends the requests of forms through the gate of the API, so that a form may do exactly what its key may do there. */
final class ConsoleApi {
    private static final int FIRST_ERROR = 400;

    private final Gate gate;

    ConsoleApi(Gate gate) {
        this.gate = gate;
    }

    /** What the API answered. */
    record Outcome(int status, Tree.Members document) {
        boolean refused() {
            return status >= FIRST_ERROR;
        }

        Tree.Members result() {
            return document.members("result").orElse(Tree.Members.NONE);
        }

        /** What is wrong, and with which field. */
        List<String> sentences() {
            List<String> details = document.objects("details").stream()
                    .map(fault -> fault.text("path").orElse("") + ": "
                            + fault.text("message").orElse(""))
                    .toList();
            return details.isEmpty() ? List.of(document.text("error").orElse("It did not work")) : details;
        }

        /** Shows no secret. */
        @Override
        public String toString() {
            return "Outcome[" + status + "]";
        }
    }

    Outcome send(Visit visit, ApiCall call) {
        InnerExchange exchange = new InnerExchange(visit, call);
        gate.handle(exchange);
        Answer answer = exchange.answered();
        if (!(answer.content() instanceof Answer.Whole whole)) {
            throw new IllegalStateException("A form has an answer that is not whole");
        }
        return new Outcome(answer.status(), JsonReader.readObject(whole.bytes(), new Faults()));
    }
}
