package io.pilothouse.console;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.Map;

/**
 * Sends requests for pages and forms through gates of the API, so that a form may do exactly what its key may do there.
 * {@code reading} counts nothing: what a page reads is no request of its key but the page.
 */
final class ConsoleApi {
    private static final int FIRST_ERROR = 400;

    private final Gates management;
    private final Gates alerts;

    /** The gates to one interface: for what forms change, and for what pages read. */
    record Gates(Gate changing, Gate reading) {}

    ConsoleApi(Gates management, Gates alerts) {
        this.management = management;
        this.alerts = alerts;
    }

    /** What the API answered. */
    record Outcome(int status, Tree.Members document) {
        boolean refused() {
            return status >= FIRST_ERROR;
        }

        /** An answer of the alerts interface has its content one level lower. */
        Tree result() {
            Tree result = document.find("result").orElse(document);
            return result instanceof Tree.Members members && members.has("data")
                    ? members.find("data").orElse(members)
                    : result;
        }

        Tree.Members object() {
            return result() instanceof Tree.Members members ? members : Tree.Members.NONE;
        }

        /** The objects of the list that is the answer, or that is within it. */
        List<Tree.Members> objects(String within) {
            return within.isEmpty()
                    ? new Tree.Members(Map.of("all", result())).objects("all")
                    : object().objects(within);
        }

        /** What is wrong, and with which field. */
        List<Fault> faults() {
            List<Fault> details = document.objects("details").stream()
                    .map(fault -> new Fault(
                            fault.text("path").orElse(""), fault.text("message").orElse("")))
                    .toList();
            return details.isEmpty()
                    ? List.of(new Fault("", document.text("error").orElse("It did not work")))
                    : details;
        }

        List<String> sentences() {
            return faults().stream().map(ConsoleApi::sentence).toList();
        }

        /** Shows no secret. */
        @Override
        public String toString() {
            return "Outcome[" + status + "]";
        }
    }

    /** Does what a form asks for, once for each {@code once} where the API knows how to. */
    Outcome send(Visit visit, ApiCall call, String once) {
        return answer(gates(call).changing(), new InnerExchange(visit, call, once));
    }

    Outcome read(Visit visit, String path) {
        ApiCall call = ApiCall.of(Verb.GET, path);
        return answer(gates(call).reading(), new InnerExchange(visit, call, ""));
    }

    static String sentence(Fault fault) {
        return fault.path().isEmpty() ? fault.message() : fault.path() + ": " + fault.message();
    }

    private Gates gates(ApiCall call) {
        return call.ofAlerts() ? alerts : management;
    }

    private static Outcome answer(Gate gate, InnerExchange exchange) {
        gate.handle(exchange);
        return new Outcome(exchange.answered().status(), JsonReader.readObject(exchange.written(), new Faults()));
    }
}
