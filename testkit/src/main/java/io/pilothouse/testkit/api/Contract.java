package io.pilothouse.testkit.api;

import com.networknt.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAPI document as a judge: reports how an exchange breaks it. An answer must be one that the operation declares,
 * and a request that was accepted must be one that the document allows. Compiled once; safe for many threads.
 */
public final class Contract {
    private static final int MAX_FAULTS = 20;

    private final ContractJson json;
    private final List<ContractOperation> operations;
    private final Map<Integer, ContractOperation.Answer> undocumented;
    private final boolean checksRequests;

    private Contract(
            ContractJson json,
            List<ContractOperation> operations,
            Map<Integer, ContractOperation.Answer> undocumented,
            boolean checksRequests) {
        this.json = json;
        this.operations = operations;
        this.undocumented = undocumented;
        this.checksRequests = checksRequests;
    }

    public static Contract of(byte[] openApi) {
        ContractJson json = new ContractJson();
        ContractDocument document = new ContractDocument(json.read(openApi));
        return new Contract(json, document.operations(), document.undocumented(), true);
    }

    /** The same document, for a server whose rules are wider than its requests: only answers are judged. */
    public Contract withoutRequestChecks() {
        return new Contract(json, operations, undocumented, false);
    }

    public Set<String> operationIds() {
        Set<String> ids = new LinkedHashSet<>();
        operations.forEach(operation -> ids.add(operation.id()));
        return ids;
    }

    /** The id of the operation that a request with this method and path is for. */
    public Optional<String> operationFor(String method, String path) {
        return find(method, path).map(ContractOperation::id);
    }

    /** Everything that this exchange breaks, a sentence each; empty when it keeps the contract. */
    public List<String> check(ContractExchange exchange) {
        Optional<ContractOperation> operation = find(exchange.method(), exchange.path());
        String name = operation
                .map(ContractOperation::id)
                .orElseGet(() -> exchange.method() + " " + exchange.path() + " (not in the document)");
        String label = name + ", status " + exchange.status() + ": ";
        List<String> violations = new ArrayList<>();
        for (String fault : answerFaults(operation, exchange)) {
            violations.add(label + fault);
        }
        boolean accepted = exchange.status() >= 200 && exchange.status() < 300;
        if (checksRequests && accepted && operation.isPresent()) {
            for (String fault : requestFaults(operation.get().request(), exchange)) {
                violations.add(label + "accepted a request whose " + fault);
            }
        }
        return violations;
    }

    private Optional<ContractOperation> find(String method, String path) {
        int query = path.indexOf('?');
        String whole = query < 0 ? path : path.substring(0, query);
        // A path with a slash at its end is the path without it.
        String plain = whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole;
        List<String> segments = List.of(plain.split("/", -1));
        // HEAD gets the answer to GET, without its body.
        String word = isHead(method) ? "get" : method.toLowerCase(Locale.ROOT);
        // The path is found first: where it has no such method, a path with a parameter in its place is not meant.
        List<ContractOperation> fitting = operations.stream()
                .filter(operation -> operation.fits(segments))
                .toList();
        long fixed = fitting.stream()
                .mapToLong(ContractOperation::fixedSegments)
                .max()
                .orElse(0);
        return fitting.stream()
                .filter(operation -> operation.fixedSegments() == fixed)
                .filter(operation -> operation.method().equals(word))
                .findFirst();
    }

    private List<String> answerFaults(Optional<ContractOperation> operation, ContractExchange exchange) {
        ContractOperation.Answer answer = declared(operation, exchange.status());
        if (answer == null) {
            return List.of("the status is not declared");
        }
        String body = exchange.answerBody();
        if (answer.byType().isEmpty() || isHead(exchange.method())) {
            return isEmpty(body) ? List.of() : List.of("the answer has a body where none belongs");
        }
        List<String> faults = bodyFaults("answer", answer.byType(), exchange.answerType(), body);
        if (faults.isEmpty() && body != null && mediaType(exchange.answerType()).endsWith("json")) {
            return json.oddNumbers(body).stream()
                    .map(place -> "answer " + place + " is a whole number that is not printed as one")
                    .toList();
        }
        return faults;
    }

    private ContractOperation.@Nullable Answer declared(Optional<ContractOperation> operation, int status) {
        return operation.isPresent() ? operation.get().answers().get(status) : undocumented.get(status);
    }

    private List<String> requestFaults(ContractOperation.Request request, ContractExchange exchange) {
        boolean nothingToSay = request.byType().isEmpty() || (!request.required() && isEmpty(exchange.requestBody()));
        return nothingToSay
                ? List.of()
                : bodyFaults("request", request.byType(), exchange.requestType(), unmarked(exchange.requestBody()));
    }

    /** A byte order mark before the JSON is skipped. */
    private static @Nullable String unmarked(@Nullable String body) {
        return body != null && body.startsWith("\uFEFF") ? body.substring(1) : body;
    }

    private List<String> bodyFaults(
            String whose, Map<String, Schema> byType, @Nullable String type, @Nullable String body) {
        if (body == null || body.isEmpty()) {
            return List.of(whose + " has no body");
        }
        Schema schema = byType.get(mediaType(type));
        if (schema != null && mediaType(type).equals("text/plain")) {
            return List.of();
        }
        if (schema == null) {
            return List.of(whose + " is of type " + type + ", declared are " + byType.keySet());
        }
        return json.faults(schema, body).stream()
                .limit(MAX_FAULTS)
                .map(fault -> whose + " " + fault)
                .toList();
    }

    private static boolean isHead(String method) {
        return method.equalsIgnoreCase("HEAD");
    }

    private static String mediaType(@Nullable String type) {
        if (type == null) {
            return "";
        }
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    }

    private static boolean isEmpty(@Nullable String body) {
        return body == null || body.isEmpty();
    }
}
