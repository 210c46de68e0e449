package io.pilothouse.console;

import io.pilothouse.console.plot.Rates;
import io.pilothouse.console.query.QueryDesks;
import io.pilothouse.console.request.RequestWatch;
import io.pilothouse.console.screen.Screen;
import io.pilothouse.console.screen.Screens;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.figure.PulseHistory;
import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.member.JoinOperations;
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.query.QueryRuns;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.timeline.TimelineOperations;
import io.pilothouse.core.usage.UsageOperations;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.BasicAuthentication;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Problem;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.RequestLog;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.http.wire.RouteTable;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.CalledAddress;
import io.pilothouse.incoming.GuardedLogin;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.incoming.TooManyFailures;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the console. Who is signed in acts with the key of the sign-in, or as the member, whose rights are read
 * again for every request: a page asks an operation with a permit of theirs, and a form sends a request of the API.
 */
public final class Console {
    private static final String COOKIE = "pilothouse-session";
    private static final int SALT_BYTES = 32;
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;

    private final Credentials credentials;
    private final MemberSignIn members;
    private final GuardedLogin login;
    private final RateLimit rates;
    private final Sessions sessions;
    private final ApiPlace place;
    private final Assets assets = new Assets();
    private final Page page;
    private final SignInPage signIn;
    private final JoinPage join;
    private final ShownOnce shownOnce;
    private final FleetPage fleet;
    private final ServicePlots plots;
    private final TimelinePart timeline;
    private final ServicePage service;
    private final RequestsPage requests;
    private final QueryDesks desks = new QueryDesks();
    private final QueryPage query;
    private final ActivityPage activities;
    private final List<ScreenPage> screens;

    /** What pages read with, all of it the operations of the API, and the store, which has nothing but sessions for them. */
    public record Operations(
            ServiceOperations services,
            ActivityOperations activities,
            BackupOperations backups,
            JoinOperations joining,
            MemberSignIn members,
            UsageOperations usage,
            TimelineOperations timelines,
            PipeProgress progress,
            PulseHistory pulses,
            Store store,
            Clock clock,
            RuleBook rules) {}

    /** What the API admits requests with; sign-ins are counted there, and those of forms pass the same. */
    public record Api(
            List<AnyRoute> routes,
            List<AnyRoute> alerts,
            Credentials credentials,
            Guesses logins,
            RateLimit rates,
            RequestObserver observer,
            RequestLog log,
            RequestWatch requests) {
        /** The same with controls of the emulator, which are for operators alone. */
        public Api with(List<AnyRoute> controls) {
            List<AnyRoute> all = new ArrayList<>(routes);
            all.addAll(controls);
            return new Api(all, alerts, credentials, logins, rates, observer, log, requests);
        }

        boolean emulated() {
            return routes.stream().anyMatch(route -> route.path().startsWith(EmulatorOperation.ROOT));
        }
    }

    public Console(
            Operations operations, Api api, ApiPlace place, QueryRuns queries, Clock clock, SecureRandom random) {
        this.place = place;
        this.page = new Page(assets, api.emulated());
        this.signIn = new SignInPage(page);
        this.join = new JoinPage(page, operations.joining());
        this.credentials = api.credentials();
        this.members = operations.members();
        this.login = new GuardedLogin(api.logins());
        this.rates = api.rates();
        this.sessions = new Sessions(operations.store(), clock, random);
        this.shownOnce = new ShownOnce(page, clock);
        ConsoleApi asked = new ConsoleApi(inner(api, api.routes(), random), inner(api, api.alerts(), random));
        Rates streams = new Rates();
        this.screens = Screens.all(operations.rules(), api.emulated()).stream()
                .map(screen -> new ScreenPage(page, asked, operations.progress(), streams, clock, shownOnce, screen))
                .toList();
        this.activities = new ActivityPage(page, operations.activities());
        this.plots = new ServicePlots(page, operations.services(), operations.pulses(), operations.clock());
        Costs costs = new Costs(operations.usage(), operations.clock());
        this.fleet = new FleetPage(page, new FleetSearch(operations.services()), plots, costs);
        this.query = new QueryPage(page, operations.services(), queries, desks, clock);
        this.requests = new RequestsPage(page, api.requests().ring(), operations.activities());
        this.timeline = new TimelinePart(page, operations.services(), operations.timelines());
        this.service = new ServicePage(
                page, operations.services(), operations.backups(), timeline, plots, costs, shownOnce, asked);
    }

    /**
     * The gates that forms and pages pass. Nobody can guess there, because they are asked for those who are signed in
     * only; and their requests are counted before. Both interfaces answer them in one shape.
     */
    private ConsoleApi.Gates inner(Api api, List<AnyRoute> routes, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        RouteTable table = new RouteTable(routes);
        BasicAuthentication sessionOnly = new BasicAuthentication(
                (_, token, client) -> callerOf(token, client), new Guesses(0, System::nanoTime, salt));
        return new ConsoleApi.Gates(
                inner(api, table, sessionOnly, api.observer()), inner(api, table, sessionOnly, _ -> {}));
    }

    private static Gate inner(Api api, RouteTable table, BasicAuthentication sessions, RequestObserver observer) {
        return new Gate(table, sessions, RateLimit.perMinute(0), new Enveloped(), observer, api.log());
    }

    /** Answers a request of somebody who is signed in. */
    @FunctionalInterface
    private interface Shown {
        Answer answer(Visit visit);
    }

    public List<PublicRoute> routes() {
        List<PublicRoute> routes = new ArrayList<>();
        for (ScreenPage each : screens) {
            Screen screen = each.screen();
            routes.add(shown(screen.operationId(), screen.path(), each::show));
            routes.add(done(screen.operationId() + "Sent", screen.path(), each::act));
        }
        routes.addAll(List.of(
                shown("consoleActivities", "/activities", activities::show),
                shown("consoleFleet", "/", fleet::show),
                shown("consoleService", "/services/{serviceId}", service::show),
                shown("consoleShown", ShownOnce.PATH, shownOnce::show),
                shown("consolePlots", "/services/{serviceId}/plots", plots::show),
                shown("consoleTimeline", "/services/{serviceId}/timeline", timeline::show),
                shown("consoleRequests", "/requests", requests::show),
                shown("consoleQuery", "/query/{serviceId}", query::show),
                done("consoleQueryRun", "/query/{serviceId}", query::run),
                done("consoleQueryCancel", "/query/{serviceId}/cancel", query::cancel),
                shown("consoleRequest", "/requests/{requestId}", requests::one),
                done("consoleServiceAction", "/services/{serviceId}/{action}", service::act),
                new PublicRoute("consoleSignIn", Verb.GET, "/sign-in", _ -> signIn.show(OK, null, Typed.NOTHING)),
                form("consoleSignedIn", "/sign-in", this::begin),
                new PublicRoute("consoleJoin", Verb.GET, "/join", join::show),
                form("consoleJoined", "/join", join::join),
                done("consoleSignOut", "/sign-out", this::end),
                new PublicRoute("consoleAsset", Verb.GET, "/assets/{name}", assets::answer)));
        return List.copyOf(routes);
    }

    private PublicRoute shown(String name, String path, Shown shown) {
        return new PublicRoute(name, Verb.GET, path, exchange -> signedIn(exchange, shown));
    }

    private PublicRoute done(String name, String path, Shown done) {
        return form(name, path, exchange -> signedIn(exchange, done));
    }

    private PublicRoute form(String name, String path, PublicRoute.Handler handler) {
        return new PublicRoute(
                name,
                Verb.POST,
                path,
                exchange -> isOfOwnOrigin(exchange)
                        ? handler.handle(exchange)
                        : refusal(
                                new Refused(Refused.Reason.FORBIDDEN, "A form of another origin changes nothing here"),
                                null,
                                Typed.NOTHING));
    }

    private Answer signedIn(Exchange exchange, Shown shown) {
        Optional<Visit> visit = visit(exchange);
        return visit.isEmpty() ? toSignIn(exchange) : answer(visit.get(), shown);
    }

    private Answer answer(Visit visit, Shown shown) {
        shownOnce.expire();
        RateLimit.Standing standing = rates.take(visit.caller().keyId());
        Answer answer;
        try {
            RateLimit.requireWithin(standing);
            answer = shown.answer(visit);
        } catch (Refused refused) {
            answer = refused.reason() == Refused.Reason.TOO_MANY_REQUESTS
                    ? refusal(refused, visit, Typed.of(visit.exchange()))
                    : refusal(refused, visit, Typed.NOTHING);
        }
        return standing == null ? answer : standing.mark(answer);
    }

    private Answer refusal(Refused refused, @Nullable Visit visit, Typed typed) {
        return page.of(Problem.status(refused.reason()), "Not possible", visit, html -> {
            html.in("h1", "This is not possible");
            Page.trouble(html, refused.sentence());
            if (visit != null) {
                typed.offer(html, visit.session().formToken());
            }
        });
    }

    private Optional<Visit> visit(Exchange exchange) {
        String token = token(exchange);
        Optional<Session> session = sessions.find(token);
        if (session.isEmpty()) {
            return Optional.empty();
        }
        try {
            Caller caller = session.get().proven(credentials, members, exchange.client());
            exchange.identified(caller);
            return Optional.of(new Visit(exchange, token, session.get(), caller, place));
        } catch (Refused overtaken) {
            // The key or member is gone or disabled, or this is not an address that the key may come from.
            return Optional.empty();
        }
    }

    /** The holder of the key that a session began with. */
    private Caller callerOf(String token, Client client) {
        return sessions.find(token)
                .map(session -> session.proven(credentials, members, client))
                .orElseThrow(Credentials::refusal);
    }

    private Answer toSignIn(Exchange exchange) {
        Typed typed = Typed.of(exchange);
        if (!typed.isEmpty()) {
            return signIn.show(
                    Problem.status(Refused.Reason.UNAUTHORIZED),
                    "The session has ended, and nothing was done. What was typed comes back after the sign-in.",
                    typed);
        }
        // What htmx asked for is a part of a page, and must not get another page instead.
        return exchange.field(RequestField.HX_REQUEST).isEmpty()
                ? seeOther("/sign-in")
                : Page.guarded(Answer.text(OK, "text/html; charset=utf-8", "").with("HX-Redirect", "/sign-in"));
    }

    static Answer seeOther(String path) {
        return Page.guarded(Answer.text(SEE_OTHER, "text/plain; charset=utf-8", "See " + path)
                .with("Location", path));
    }

    private Answer begin(Exchange exchange) {
        Fields form = Fields.of(exchange.body());
        String keyId = form.text("keyId");
        String secret = form.text("keySecret");
        Client client = exchange.client();
        Typed typed = Typed.carried(form);
        try {
            Caller caller =
                    login.login(client.address(), keyId, keyId + ":" + secret, () -> caller(keyId, secret, client));
            exchange.identified(caller);
            RateLimit.requireWithin(rates.take(caller.keyId()));
            String token = sessions.begin(caller);
            return welcomed(typed, token).with("Set-Cookie", cookie(exchange, token, Sessions.LAST.toSeconds()));
        } catch (TooManyFailures waits) {
            return signIn.show(Problem.status(Refused.Reason.TOO_MANY_REQUESTS), waits.getMessage(), typed)
                    .with("Retry-After", Long.toString(waits.seconds()));
        } catch (Refused refused) {
            return signIn.show(Problem.status(refused.reason()), refused.sentence() + ".", typed);
        }
    }

    /** The holder of a key, or a member, whose address has an at sign, which no id of a key has. */
    private Caller caller(String name, String secret, Client client) {
        return name.indexOf('@') < 0 ? credentials.basic(name, secret, client) : members.caller(name, secret);
    }

    /** The way on for somebody who has just signed in. */
    private Answer welcomed(Typed typed, String token) {
        Optional<Session> session = sessions.find(token).filter(_ -> !typed.isEmpty());
        return session.isEmpty()
                ? seeOther("/")
                : page.of(OK, "Signed in", null, html -> {
                    html.in("h1", "You are signed in");
                    typed.offer(html, session.get().formToken());
                    html.in("p", () -> html.in(Html.tag("a", "href", "/"), "To all services"));
                });
    }

    private Answer end(Visit visit) {
        requireToken(visit, Fields.of(visit.exchange().body()));
        sessions.end(visit.token());
        desks.clear(visit.session().formToken());
        shownOnce.clear(visit.session());
        return seeOther("/sign-in").with("Set-Cookie", cookie(visit.exchange(), "", 0));
    }

    private static String cookie(Exchange exchange, String token, long seconds) {
        boolean secure = exchange.calledAddress()
                .filter(called -> called.scheme().equals("https"))
                .isPresent();
        return COOKIE + "=" + token + "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                + (secure ? "; Secure" : "");
    }

    private static String token(Exchange exchange) {
        for (String line : exchange.field(RequestField.COOKIE)) {
            for (String pair : line.split(";", -1)) {
                String cookie = pair.strip();
                if (cookie.startsWith(COOKIE + "=")) {
                    return cookie.substring(COOKIE.length() + 1);
                }
            }
        }
        return "";
    }

    /** A browser says from where a form comes; a page of another origin may send none here. */
    private static boolean isOfOwnOrigin(Exchange exchange) {
        List<String> site = exchange.field(RequestField.SEC_FETCH_SITE);
        List<String> origin = exchange.field(RequestField.ORIGIN);
        Optional<CalledAddress> called = exchange.calledAddress();
        return site.isEmpty()
                ? origin.isEmpty()
                        || called.map(address -> address.scheme() + "://" + address.authority())
                                .filter(origin.getFirst()::equals)
                                .isPresent()
                : site.equals(List.of("same-origin"));
    }

    /** What no page of another origin can know, even where a browser does not say from where a form comes. */
    static void requireToken(Visit visit, Fields form) {
        byte[] given = form.exact("token").getBytes(StandardCharsets.UTF_8);
        byte[] known = visit.session().formToken().getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(given, known)) {
            throw new Refused(Refused.Reason.FORBIDDEN, "This form is not of this session: load the page again");
        }
    }
}
