package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.query.QueryDesk;
import io.pilothouse.console.query.QueryDesks;
import io.pilothouse.console.query.RowPage;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.query.QueryDatabases;
import io.pilothouse.core.query.QueryRuns;
import io.pilothouse.core.query.QueryStatement;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Problem;
import io.pilothouse.http.wire.Verb;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SQL in a service, with the rights that its query endpoint gives the key that signed in. It wakes a service only where
 * that is ticked, and ends in the database when the browser stops waiting.
 */
record QueryPage(Page page, ServiceOperations services, QueryRuns runs, QueryDesks desks, Clock clock) {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int CONFLICT = 409;
    private static final int MAX_SHOWN = 2_000;
    private static final String CANCELLED = "It was cancelled.";

    /** Writes what became of a statement. */
    private record Outcome(int status, Page.Main main) {
        static Outcome trouble(int status, String sentence) {
            return new Outcome(status, html -> Page.trouble(html, sentence));
        }
    }

    /** What a form asks for. */
    record Sent(String sql, boolean mayWake, RowPage rows) {
        static Sent of(Fields form) {
            return new Sent(
                    form.exact("sql"),
                    !form.text("wake").isEmpty(),
                    RowPage.of(form.text("from"), form.text("before")));
        }

        /** The first rows are those of the statement as it is; of others, one more than a page shows. */
        private QueryStatement statement() {
            return new QueryStatement(
                    new ByteArrayInputStream(sql.getBytes(StandardCharsets.UTF_8)),
                    Optional.empty(),
                    Optional.of(QueryRows.FORMAT),
                    rows.from() == 0
                            ? Optional.empty()
                            : Optional.of(new QueryStatement.Rows(rows.from(), QueryRows.MAX_ROWS + 1)));
        }
    }

    Answer show(Visit visit) {
        Service service = service(visit, visit.last());
        QueryDesk desk = desk(visit);
        if (Page.asksForPart(visit)) {
            return Page.part(html -> running(html, visit, service));
        }
        String again = desk.find(service.id(), visit.query().text("statement"))
                .map(QueryDesk.Past::sql)
                .orElse("");
        return page(visit, service, again, false, new Outcome(OK, _ -> {}));
    }

    Answer run(Visit visit) {
        Fields form = Fields.of(visit.exchange().body());
        Console.requireToken(visit, form);
        Service service = service(visit, visit.last());
        Sent sent = Sent.of(form);
        Outcome outcome = form.text(Typed.BACK).isEmpty()
                ? outcome(visit, service, sent, form.text(Page.ONCE))
                : new Outcome(OK, _ -> {});
        return page(visit, service, sent.sql(), sent.mayWake(), outcome);
    }

    private Outcome outcome(Visit visit, Service service, Sent sent, String once) {
        if (sent.sql().isBlank()) {
            return Outcome.trouble(BAD_REQUEST, "sql: must not be blank");
        }
        if (!desk(visit).takes(once)) {
            return Outcome.trouble(CONFLICT, "This was sent twice, and is run once. Press Run if it is to run again.");
        }
        return outcome(visit, service, sent);
    }

    /** Ends a statement of this session in the database. */
    Answer cancel(Visit visit) {
        Fields form = Fields.of(visit.exchange().body());
        Console.requireToken(visit, form);
        String[] parts = visit.exchange().path().split("/", -1);
        Service service = service(visit, parts[parts.length - 2]);
        desk(visit).cancel(service.id(), form.text("running"));
        return Console.seeOther("/query/" + service.id());
    }

    private QueryDesk desk(Visit visit) {
        return desks.of(visit.session().formToken());
    }

    private Service service(Visit visit, String text) {
        UUID id = Ids.parse(text);
        if (id == null) {
            throw Refused.notFound("Service");
        }
        return services.get(visit.permitOn(id, Permission.SERVICE_READ), id).service();
    }

    private Outcome outcome(Visit visit, Service service, Sent sent) {
        QueryDesk desk = desk(visit);
        String id = UUID.randomUUID().toString();
        AtomicBoolean cancelled = new AtomicBoolean();
        try {
            QueryRuns.Outcome outcome = runs.run(
                    visit.permitOn(service.id(), Permission.QUERY_RUN),
                    new QueryRuns.Asked(service.id(), sent.statement(), sent.mayWake()),
                    cancel -> {
                        visit.exchange().whenGone(cancel);
                        desk.keep(service.id(), clock.now(), sent.sql());
                        desk.began(new QueryDesk.Running(id, service.id(), clock.now(), sent.sql(), () -> {
                            cancelled.set(true);
                            cancel.run();
                        }));
                    });
            return switch (outcome) {
                case QueryRuns.Outcome.Asleep() ->
                    Outcome.trouble(OK, "The service sleeps. Nothing was run: tick that it may be woken.");
                case QueryRuns.Outcome.Stopped() ->
                    Outcome.trouble(OK, "The service is stopped. Nothing was run: start it first.");
                case QueryRuns.Outcome.Answering(QueryDatabases.Reply reply, Runnable end) -> {
                    try {
                        Outcome answer = answered(visit, service, sent, reply);
                        yield cancelled.get() ? Outcome.trouble(OK, CANCELLED) : answer;
                    } finally {
                        end.run();
                    }
                }
            };
        } catch (Refused refused) {
            if (cancelled.get()) {
                return Outcome.trouble(OK, CANCELLED);
            }
            int status = Problem.status(refused.reason());
            return new Outcome(status, html -> {
                Page.trouble(html, refused.sentence());
                if (refused.reason() == Refused.Reason.FORBIDDEN) {
                    letIn(html, visit, service);
                }
            });
        } finally {
            desk.ended(id);
        }
    }

    private static Outcome answered(Visit visit, Service service, Sent sent, QueryDatabases.Reply reply) {
        QueryRows.Kept kept = new QueryRows.Kept();
        try {
            reply.writeTo(kept);
        } catch (UncheckedIOException enough) {
            // It has as much as a page shows; the rest ends in the database with the use.
        } catch (PlaneFault broken) {
            return Outcome.trouble(OK, String.valueOf(broken.getMessage()));
        }
        if (reply.status() != OK) {
            return Outcome.trouble(BAD_REQUEST, kept.text());
        }
        // A statement may ask for another format, whose lines can look the same.
        boolean asAsked = QueryRows.FORMAT.equals(reply.fields().get("X-ClickHouse-Format"));
        QueryRows rows = asAsked ? QueryRows.of(kept) : QueryRows.text(kept);
        QueryWays ways = new QueryWays(visit, service, sent, rows);
        return new Outcome(OK, html -> {
            new QueryResult(rows, sent.rows().from(), ways.lead()).write(html);
            ways.write(html);
        });
    }

    /** What lets the key in, which sets the query endpoint as a whole. */
    private static void letIn(Html html, Visit visit, Service service) {
        if (visit.caller().userId() != null) {
            html.in("p", "Databases know keys, not members: sign in with a key to run SQL.");
            return;
        }
        String path = visit.organizationPath() + "/services/" + service.id() + "/serviceQueryEndpoint";
        byte[] body = JsonWriter.document(out -> {
            out.startObject();
            out.texts("roles", List.of("sql_console_read_only"));
            out.texts("openApiKeys", List.of(visit.caller().keyId().toString()));
            out.text("allowedOrigins", "");
            out.endObject();
        });
        html.in(
                "p",
                () -> html.text("Its ")
                        .in(tag("a", "href", "/services/" + service.id() + "/settings"), "settings")
                        .text(" say which keys may. This lists the key, and no other; with sql_console_admin it may "
                                + "write too:"));
        html.in(
                "pre",
                ApiCall.of(Verb.POST, path, new String(body, StandardCharsets.UTF_8))
                        .curl(visit.api()));
    }

    private Answer page(Visit visit, Service service, String sql, boolean mayWake, Outcome outcome) {
        return page.of(outcome.status(), "Query · " + service.name(), visit, html -> {
            html.in("h1", () -> html.text("Query ").in(tag("a", "href", "/services/" + service.id()), service.name()));
            html.in("p", () -> FleetPage.state(html, service));
            Page.form(html, visit, "/query/" + service.id(), () -> {
                html.in("label", () -> {
                    html.in("span", "SQL");
                    html.in(tag("textarea", "name", "sql", "rows", "6", "spellcheck", "false"), sql);
                });
                html.in("label", () -> {
                    html.in("span", "Wake the service if it sleeps");
                    html.one(tag(
                            "input",
                            "type",
                            "checkbox",
                            "name",
                            "wake",
                            "value",
                            "true",
                            "checked",
                            mayWake ? "checked" : null));
                });
                html.in(tag("button", "type", "submit"), "Run");
            });
            html.in(
                    tag("p", "class", "quiet"),
                    "Running it counts as use: the service stays awake for as long as it does after any client. "
                            + "When the browser stops loading this page, the statement ends in the database.");
            running(html, visit, service);
            outcome.main().write(html);
            past(html, visit, service);
        });
    }

    /** Asked for again every few seconds, also while the answer to a statement is awaited. */
    private void running(Html html, Visit visit, Service service) {
        String path = "/query/" + service.id();
        Page.livePart(
                html,
                "running",
                path,
                () -> desk(visit).running(service.id()).forEach(statement -> {
                    html.in(
                            "p",
                            () -> html.text("Runs since ")
                                    .moment(statement.since())
                                    .text(":"));
                    html.in("pre", shortened(statement.sql()));
                    Page.form(html, visit, path + "/cancel", () -> {
                        html.one(tag("input", "type", "hidden", "name", "running", "value", statement.id()));
                        html.in(tag("button", "type", "submit"), "Cancel it");
                    });
                }));
    }

    /** What is asked for again every few seconds is not a megabyte. */
    private static String shortened(String sql) {
        return sql.length() > MAX_SHOWN ? sql.substring(0, MAX_SHOWN) + " …" : sql;
    }

    private void past(Html html, Visit visit, Service service) {
        List<QueryDesk.Past> past = desk(visit).past(service.id());
        if (past.isEmpty()) {
            return;
        }
        html.in("h2", "What you ran");
        html.in(
                "ol",
                () -> past.forEach(statement -> html.in("li", () -> {
                    html.moment(statement.at()).text(" ");
                    html.in(
                            tag("a", "href", "/query/" + service.id() + "?statement=" + statement.number()),
                            () -> html.in("code", statement.sql()));
                })));
    }
}
