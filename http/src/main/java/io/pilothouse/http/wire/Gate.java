package io.pilothouse.http.wire;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.http.json.Ids;
import io.pilothouse.incoming.TooManyFailures;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Every request of a listener passes through here, in this order: a request id, the route, the credentials, the rate
 * limit, the organization, the right, and only then the handler. Every outcome is an answer in the listener's own
 * shape, reported to the observer.
 */
public final class Gate {
    static final String ORGANIZATION_ID = "organizationId";
    private static final String SERVICE_ID = "serviceId";
    private static final String RETRY_AFTER_SECONDS = "1";

    private final RouteTable routes;
    private final @Nullable Authentication authentication;
    private final RateLimit rates;
    private final AnswerShape shape;
    private final RequestObserver observer;
    private final RequestLog log;

    public Gate(
            RouteTable routes,
            Authentication authentication,
            RateLimit rates,
            AnswerShape shape,
            RequestObserver observer,
            RequestLog log) {
        this(routes, rates, shape, observer, log, authentication);
    }

    private Gate(
            RouteTable routes,
            RateLimit rates,
            AnswerShape shape,
            RequestObserver observer,
            RequestLog log,
            @Nullable Authentication authentication) {
        this.routes = routes;
        this.authentication = authentication;
        this.rates = rates;
        this.shape = shape;
        this.observer = observer;
        this.log = log;
    }

    /** A gate to public routes only; a route that needs a right must not be behind it. */
    public static Gate open(List<PublicRoute> routes, AnswerShape shape, RequestObserver observer, RequestLog log) {
        return new Gate(new RouteTable(routes), RateLimit.perMinute(0), shape, observer, log, null);
    }

    /** Answers one request. */
    public void handle(Exchange arrived) {
        Exchange exchange = observer.watched(arrived);
        Handling handling = new Handling(exchange.requestId(), System.nanoTime());
        handling.client = exchange.client();
        try {
            Answer answer = answer(exchange, handling);
            try {
                handling.status = answer.status();
                handling.contentBytes = exchange.answer(identified(handling.marked(answer), handling.requestId));
            } finally {
                answer.end();
            }
        } catch (ConnectionLost lost) {
            handling.status = lost.status();
            throw lost;
        } catch (RuntimeException brokenOff) {
            // The head is sent, so no other answer can follow: log it and hang up.
            handling.status = Problem.INTERNAL_ERROR;
            log.failed(handling.requestId, handling.operationId, brokenOff);
            throw brokenOff;
        } finally {
            observer.observe(handling.toRecord(exchange.injected()));
        }
    }

    /**
     * The answer to input that never became an exchange, because the HTTP server itself refused it; reported to the
     * observer here.
     */
    public Answer refuse(int status, String code, String sentence) {
        Handling handling = new Handling(RequestIds.next(), System.nanoTime());
        handling.status = status;
        observer.observe(handling.toRecord(null));
        return worded(status, code, sentence, handling.requestId);
    }

    /** The same for a request that is reported elsewhere. */
    public Answer worded(int status, String code, String sentence, UUID requestId) {
        Problem problem = new Problem(status, code, sentence, List.of(), requestId);
        return identified(shape.refusal(problem, List.of()), requestId);
    }

    private static Answer identified(Answer answer, UUID requestId) {
        return answer.has(Answer.REQUEST_ID) ? answer : answer.with(Answer.REQUEST_ID, requestId.toString());
    }

    private Answer answer(Exchange exchange, Handling handling) {
        try {
            return admit(exchange, handling);
        } catch (Refused refused) {
            return refusal(refused, exchange);
        } catch (TooManyFailures waits) {
            Refused refused = new Refused(Refused.Reason.TOO_MANY_REQUESTS, String.valueOf(waits.getMessage()));
            return refusal(refused, exchange).with("Retry-After", Long.toString(waits.seconds()));
        } catch (StoreUnavailable unavailable) {
            log.failed(handling.requestId, handling.operationId, unavailable);
            return refusal(
                    new Refused(Refused.Reason.UNAVAILABLE, "The store cannot be reached right now: try again"),
                    exchange);
        } catch (ConnectionLost lost) {
            throw lost;
        } catch (RuntimeException bug) {
            log.failed(handling.requestId, handling.operationId, bug);
            return worded(Problem.internal(handling.requestId), exchange);
        }
    }

    private Answer refusal(Refused refused, Exchange exchange) {
        Answer answer = worded(Problem.of(refused, exchange.requestId()), exchange);
        return switch (refused.reason()) {
            case UNAUTHORIZED ->
                authentication == null ? answer : answer.with("WWW-Authenticate", authentication.challenge());
            case UNAVAILABLE -> answer.with("Retry-After", RETRY_AFTER_SECONDS);
            case BAD_REQUEST,
                    FORBIDDEN,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    CONFLICT,
                    PRECONDITION_FAILED,
                    PAYLOAD_TOO_LARGE,
                    UNSUPPORTED_MEDIA_TYPE,
                    UNPROCESSABLE,
                    FAILED_DEPENDENCY,
                    TOO_MANY_REQUESTS -> answer;
        };
    }

    private Answer worded(Problem problem, Exchange exchange) {
        return shape.refusal(problem, exchange.field(RequestField.ACCEPT));
    }

    private Answer admit(Exchange exchange, Handling handling) {
        RouteTable.Match match = routes.find(exchange.path());
        if (match == null) {
            throw Refused.notFound("Path");
        }
        AnyRoute found = match.route(exchange.verb());
        if (found == null) {
            Refused refused = new Refused(Refused.Reason.METHOD_NOT_ALLOWED, "This path takes " + match.allow());
            return worded(Problem.of(refused, handling.requestId), exchange).with("Allow", match.allow());
        }
        handling.operationId = found.operationId();
        return switch (found) {
            case Route route -> handle(route, exchange, match, handling);
            case PublicRoute open -> open(open, exchange, handling);
        };
    }

    /** A page finds out by itself who is signed in. */
    private static Answer open(PublicRoute route, Exchange exchange, Handling handling) {
        try {
            return route.handler().handle(exchange);
        } finally {
            handling.visitorKeyId = exchange.identifiedKey();
        }
    }

    private Answer handle(Route route, Exchange exchange, RouteTable.Match match, Handling handling) {
        if (authentication == null) {
            throw new IllegalStateException(route.operationId() + " is behind a gate without credentials");
        }
        Identity identity = authentication.identify(exchange);
        handling.keyId = identity.caller().keyId();
        exchange.identified(identity.caller());
        handling.standing = rates.take(handling.keyId);
        RateLimit.requireWithin(handling.standing);
        Permit permit = permit(identity, route, match, handling.requestId).sentBy(exchange.client());
        handling.permission = permit.permission();
        return route.handler().handle(new Request(exchange, match, permit, identity.secret(), shape));
    }

    /** An organization id that is not a UUID gets the same answer as a missing or foreign organization. */
    private static Permit permit(Identity identity, Route route, RouteTable.Match match, UUID requestId) {
        String organization = match.parameter(ORGANIZATION_ID);
        if (organization == null) {
            return identity.caller().permit(route.permission(), requestId);
        }
        UUID organizationId = Ids.parse(organization);
        if (organizationId == null) {
            throw Refused.notFound("Organization");
        }
        UUID serviceId = serviceId(match);
        return serviceId == null
                ? identity.caller().permit(route.permission(), organizationId, requestId)
                : identity.caller().permitOn(serviceId, route.permission(), organizationId, requestId);
    }

    /** The service in the path, as its operation will read it; null if there is none, or none that can exist. */
    private static @Nullable UUID serviceId(RouteTable.Match match) {
        String service = match.parameter(SERVICE_ID);
        String text = service == null ? null : PercentText.decode(service, false);
        return text == null ? null : Ids.parse(text);
    }

    /** The facts known about a request so far. */
    private static final class Handling {
        private final UUID requestId;
        private final long began;
        private @Nullable String operationId;
        private @Nullable Permission permission;
        private @Nullable UUID keyId;
        private @Nullable UUID visitorKeyId;
        private @Nullable Client client;
        private RateLimit.@Nullable Standing standing;
        private int status;
        private long contentBytes;

        private Handling(UUID requestId, long began) {
            this.requestId = requestId;
            this.began = began;
        }

        private Answer marked(Answer answer) {
            // An injected burst has told of a limit already.
            return standing == null || answer.has(RateLimit.LIMIT) ? answer : standing.mark(answer);
        }

        private RequestRecord toRecord(Exchange.@Nullable Injected injected) {
            return new RequestRecord(
                    requestId,
                    operationId,
                    permission,
                    keyId,
                    visitorKeyId,
                    client,
                    status,
                    System.nanoTime() - began,
                    contentBytes,
                    injected == null ? null : injected.fault());
        }
    }
}
