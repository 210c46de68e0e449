package io.pilothouse.console;

import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.service.ServiceOperations;
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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the console. Who is signed in acts with the key of the sign-in, whose rights are read again for every
 * request: a page asks an operation with that key's permit, and a form sends a request of the API.
 */
public final class Console {
    private static final String COOKIE = "pilothouse-session";
    private static final int SALT_BYTES = 32;
    private static final int OK = 200;
    private static final int SEE_OTHER = 303;

    private final Credentials credentials;
    private final GuardedLogin login;
    private final RateLimit rates;
    private final Sessions sessions;
    private final Assets assets = new Assets();
    private final Page page = new Page(assets);
    private final SignInPage signIn = new SignInPage(page);
    private final FleetPage fleet;
    private final ServicePage service;

    /** What pages read with, all of it the operations of the API. */
    public record Operations(ServiceOperations services, ActivityOperations activities, BackupOperations backups) {}

    /** What the API admits requests with; sign-ins are counted there, and those of forms pass the same. */
    public record Api(
            List<AnyRoute> routes,
            Credentials credentials,
            Guesses logins,
            RateLimit rates,
            RequestObserver observer,
            RequestLog log) {}

    public Console(Operations operations, Api api, Clock clock, SecureRandom random) {
        this.credentials = api.credentials();
        this.login = new GuardedLogin(api.logins());
        this.rates = api.rates();
        this.sessions = new Sessions(clock, random);
        this.fleet = new FleetPage(page, new FleetSearch(operations.services()));
        this.service = new ServicePage(
                page,
                operations.services(),
                operations.backups(),
                new ServiceHistory(operations.activities()),
                new ConsoleApi(inner(api, random)));
    }

    /**
     * The gate that forms pass. Nobody can guess there, because it is asked for those who are signed in only; and their
     * requests are counted before.
     */
    private Gate inner(Api api, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new Gate(
                new RouteTable(api.routes()),
                new BasicAuthentication(
                        (_, token, client) -> callerOf(token, client), new Guesses(0, System::nanoTime, salt)),
                RateLimit.perMinute(0),
                new Enveloped(),
                api.observer(),
                api.log());
    }

    /** Answers a request of somebody who is signed in. */
    @FunctionalInterface
    private interface Shown {
        Answer answer(Visit visit);
    }

    public List<AnyRoute> routes() {
        return List.of(
                shown("consoleFleet", "/", fleet::show),
                shown("consoleService", "/services/{serviceId}", service::show),
                done("consoleServiceAction", "/services/{serviceId}/{action}", service::act),
                new PublicRoute("consoleSignIn", Verb.GET, "/sign-in", _ -> signIn.show(OK, null)),
                form("consoleSignedIn", "/sign-in", this::begin),
                done("consoleSignOut", "/sign-out", this::end),
                new PublicRoute("consoleAsset", Verb.GET, "/assets/{name}", assets::answer));
    }

    private AnyRoute shown(String name, String path, Shown shown) {
        return new PublicRoute(name, Verb.GET, path, exchange -> signedIn(exchange, shown));
    }

    private AnyRoute done(String name, String path, Shown done) {
        return form(name, path, exchange -> signedIn(exchange, done));
    }

    private AnyRoute form(String name, String path, PublicRoute.Handler handler) {
        return new PublicRoute(
                name,
                Verb.POST,
                path,
                exchange -> isOfOwnOrigin(exchange)
                        ? handler.handle(exchange)
                        : refusal(
                                new Refused(Refused.Reason.FORBIDDEN, "A form of another origin changes nothing here"),
                                null));
    }

    private Answer signedIn(Exchange exchange, Shown shown) {
        Optional<Visit> visit = visit(exchange);
        return visit.isEmpty() ? toSignIn(exchange) : answer(visit.get(), shown);
    }

    private Answer answer(Visit visit, Shown shown) {
        RateLimit.Standing standing = rates.take(visit.caller().keyId());
        Answer answer;
        try {
            RateLimit.requireWithin(standing);
            answer = shown.answer(visit);
        } catch (Refused refused) {
            answer = refusal(refused, visit);
        }
        return standing == null ? answer : standing.mark(answer);
    }

    private Answer refusal(Refused refused, @Nullable Visit visit) {
        return page.of(Problem.status(refused.reason()), "Not possible", visit, html -> {
            html.in("h1", "This is not possible");
            Page.trouble(html, refused.sentence());
        });
    }

    private Optional<Visit> visit(Exchange exchange) {
        String token = token(exchange);
        Optional<Session> session = sessions.find(token);
        if (session.isEmpty()) {
            return Optional.empty();
        }
        try {
            Caller caller = credentials.proven(session.get().keyId(), exchange.client());
            exchange.identified(caller.keyId());
            return Optional.of(new Visit(exchange, token, session.get(), caller));
        } catch (Refused overtaken) {
            // The key was deleted or disabled, or this is not an address that it may come from.
            return Optional.empty();
        }
    }

    /** The holder of the key that a session began with. */
    private Caller callerOf(String token, Client client) {
        return sessions.find(token)
                .map(session -> credentials.proven(session.keyId(), client))
                .orElseThrow(Credentials::refusal);
    }

    private static Answer toSignIn(Exchange exchange) {
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
        try {
            Caller caller = login.login(
                    client.address(), keyId, keyId + ":" + secret, () -> credentials.basic(keyId, secret, client));
            exchange.identified(caller.keyId());
            RateLimit.requireWithin(rates.take(caller.keyId()));
            return seeOther("/")
                    .with("Set-Cookie", cookie(exchange, sessions.begin(caller.keyId()), Sessions.LAST.toSeconds()));
        } catch (TooManyFailures waits) {
            return signIn.show(Problem.status(Refused.Reason.TOO_MANY_REQUESTS), waits.getMessage())
                    .with("Retry-After", Long.toString(waits.seconds()));
        } catch (Refused refused) {
            return signIn.show(Problem.status(refused.reason()), refused.sentence() + ".");
        }
    }

    private Answer end(Visit visit) {
        requireToken(visit, Fields.of(visit.exchange().body()));
        sessions.end(visit.token());
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
