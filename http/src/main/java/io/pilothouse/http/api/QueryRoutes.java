package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.query.QueryDatabases;
import io.pilothouse.core.query.QueryRuns;
import io.pilothouse.core.query.QueryStatement;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.json.JsonPath;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.ConnectionLost;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/**
 * SQL over HTTP for the keys that a query endpoint lists: a JSON object with the statement in it, or the bare statement
 * with the data to insert behind it; the answer is the database's own.
 */
public final class QueryRoutes {
    /** A statement in JSON is read as a whole; what is larger comes bare. */
    static final int MAX_JSON_BYTES = 1 << 20;

    private static final String RUN = "/service/{serviceId}/run";
    private static final Pattern FORMAT = Pattern.compile("[A-Za-z0-9]{1,64}");
    private static final int CONFIRM = 206;
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;
    private static final String EXCEPTION_CODE = "X-ClickHouse-Exception-Code";
    private static final List<String> PASSED_ON =
            List.of(EXCEPTION_CODE, "X-ClickHouse-Format", "X-ClickHouse-Summary", "X-ClickHouse-Timezone");

    private final QueryRuns runs;

    public QueryRoutes(QueryRuns runs) {
        this.runs = runs;
    }

    public List<AnyRoute> all() {
        return List.of(
                new Route("queryRun", Verb.POST, RUN, Permission.QUERY_RUN, this::run),
                new PublicRoute("queryPreflight", Verb.OPTIONS, RUN, this::preflight));
    }

    private Answer run(Request request) {
        UUID serviceId = request.id("serviceId");
        Optional<String> format = format(request);
        QueryStatement statement = statement(request, format);
        request.checkedPermit();
        boolean mayWake = request.header(RequestField.WAKE_SERVICE)
                .filter("true"::equalsIgnoreCase)
                .isPresent();
        AtomicBoolean gone = new AtomicBoolean();
        QueryRuns.Outcome outcome = runs.run(
                request.permit(),
                new QueryRuns.Asked(serviceId, statement, mayWake),
                cancel -> request.whenGone(() -> {
                    gone.set(true);
                    cancel.run();
                }));
        Answer answer = switch (outcome) {
            case QueryRuns.Outcome.Asleep() -> notNow("Confirm wake service");
            case QueryRuns.Outcome.Stopped() -> notNow("Service is stopped");
            case QueryRuns.Outcome.Answering(QueryDatabases.Reply reply, Runnable end) ->
                answer(reply, new Passing(reply, end, gone));
        };
        return request.header(RequestField.ORIGIN)
                .map(origin -> shared(answer, serviceId, origin))
                .orElse(answer);
    }

    private static Optional<String> format(Request request) {
        List<String> given = request.query().all("format");
        if (given.size() > 1
                || given.stream().anyMatch(name -> !FORMAT.matcher(name).matches())) {
            request.faults().add("format", "must be the name of one of ClickHouse's formats");
        }
        return given.stream().findFirst();
    }

    /** Whatever its media type says: clients send JSON as text. */
    private static QueryStatement statement(Request request, Optional<String> format) {
        PushbackInputStream body = new PushbackInputStream(request.stream());
        try {
            int first = body.read();
            while (first >= 0 && Character.isWhitespace(first)) {
                first = body.read();
            }
            if (first < 0) {
                throw Refused.badRequest("", "must be a statement, or a JSON object with it in sql");
            }
            body.unread(first);
            if (first != '{') {
                return new QueryStatement(body, Optional.empty(), format);
            }
            byte[] json = body.readNBytes(MAX_JSON_BYTES + 1);
            if (json.length > MAX_JSON_BYTES) {
                throw new Refused(
                        Refused.Reason.PAYLOAD_TOO_LARGE,
                        "A statement in JSON is larger than " + MAX_JSON_BYTES + " bytes: send the bare statement");
            }
            return read(json, format, request.faults());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static QueryStatement read(byte[] json, Optional<String> format, Faults faults) {
        RequestBody object = new RequestBody(JsonReader.readObject(json, faults), JsonPath.ROOT, faults);
        String sql = object.requiredText("sql");
        if (sql.isBlank() && !faults.has("sql")) {
            faults.add("sql", "must not be blank");
        }
        object.text("runId");
        Optional<String> database = Optional.ofNullable(object.text("database")).filter(name -> !name.isEmpty());
        InputStream text = new ByteArrayInputStream(sql.getBytes(StandardCharsets.UTF_8));
        return new QueryStatement(text, database, format);
    }

    private static Answer notNow(String why) {
        return Answer.json(CONFIRM, ("{\"data\":\"" + why + "\"}").getBytes(StandardCharsets.UTF_8));
    }

    /** What a database says about a statement is about the statement: a client must not take it for an outage. */
    private static Answer answer(QueryDatabases.Reply reply, Answer.Stream content) {
        Map<String, String> fields = reply.fields();
        boolean refused = reply.status() >= SERVER_ERROR && fields.containsKey(EXCEPTION_CODE);
        Answer answer = new Answer(
                refused ? BAD_REQUEST : reply.status(),
                new Answer.Streamed(fields.getOrDefault("Content-Type", "text/plain; charset=UTF-8"), content),
                List.of(new Answer.Field(
                        "X-ClickHouse-Query-Id", reply.queryId().toString())));
        for (String name : PASSED_ON) {
            String value = fields.get(name);
            answer = value == null ? answer : answer.with(name, value);
        }
        return answer;
    }

    /** A database's answer on its way to the caller. */
    private record Passing(QueryDatabases.Reply reply, Runnable closing, AtomicBoolean gone) implements Answer.Stream {
        @Override
        public void writeTo(OutputStream out) {
            try {
                reply.writeTo(out);
            } catch (PlaneFault broken) {
                if (gone.get()) {
                    throw new ConnectionLost(ConnectionLost.CLIENT_WENT_AWAY, broken);
                }
                throw new IllegalStateException("The answer of a database broke off", broken);
            }
        }

        @Override
        public void end() {
            closing.run();
        }
    }

    private Answer preflight(Exchange exchange) {
        Answer nothing = new Answer(NO_CONTENT, new Answer.None(), List.of());
        UUID serviceId = Ids.parse(exchange.path().split("/", -1)[2]);
        List<String> origin = exchange.field(RequestField.ORIGIN);
        return serviceId == null || origin.size() != 1 ? nothing : shared(nothing, serviceId, origin.getFirst());
    }

    /** With what a browser must read before it lets a page of this origin have the answer. */
    private Answer shared(Answer answer, UUID serviceId, String origin) {
        Answer varied = answer.with("Vary", "Origin");
        return !runs.allows(serviceId, origin)
                ? varied
                : varied.with("Access-Control-Allow-Origin", origin)
                        .with("Access-Control-Allow-Methods", "POST")
                        .with(
                                "Access-Control-Allow-Headers",
                                "Authorization, Content-Type, auth-provider, wake-service, x-service-type")
                        .with("Access-Control-Expose-Headers", "X-ClickHouse-Query-Id, X-ClickHouse-Exception-Code")
                        .with("Access-Control-Max-Age", "600");
    }
}
