package io.pilothouse.http.emulator;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.injection.Injection;
import io.pilothouse.core.injection.Injection.OnRequest;
import io.pilothouse.core.injection.Injections;
import io.pilothouse.core.right.Caller;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.Problem;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Routes that injected faults can strike, once credentials and rights were checked: only the emulator wraps its routes
 * in these, so that no other server has anything of them in the way of a request.
 */
public final class InjectedRoutes implements AutoCloseable {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    /** The limit of which a burst of 429 tells where there is no other. */
    private static final int USUAL_LIMIT = 100;

    private final Injections injections;
    private final int limit;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** {@code limit} is how many requests a key may make in a minute, 0 for any number. */
    public InjectedRoutes(Injections injections, int limit) {
        this.injections = injections;
        this.limit = limit == 0 ? USUAL_LIMIT : limit;
    }

    /** The same routes; public ones are never struck, because nobody knows who asks. */
    public List<AnyRoute> around(List<AnyRoute> routes) {
        return routes.stream().map(this::around).toList();
    }

    private AnyRoute around(AnyRoute any) {
        return switch (any) {
            case Route route ->
                new Route(
                        route.operationId(),
                        route.verb(),
                        route.path(),
                        route.permission(),
                        request -> handle(route, request));
            case PublicRoute open -> open;
        };
    }

    private Answer handle(Route route, Request request) {
        Caller caller = request.permit().caller();
        Injection struck = injections.strike(route.operationId(), caller.keyId(), caller.organizationId());
        if (struck == null || !(struck.effect() instanceof OnRequest effect)) {
            return route.handler().handle(request);
        }
        boolean cuts = effect instanceof Injection.Cut;
        request.injected(new Exchange.Injected(struck.label(), cuts));
        pause(effect.delay());
        return switch (effect) {
            case Injection.Answered answered -> answer(request, struck.name(), answered);
            case Injection.Delayed _ -> route.handler().handle(request);
            // What is answered to one that was cut before is seen by nobody.
            case Injection.Cut cut ->
                cut.done()
                        ? route.handler().handle(request)
                        : answer(request, struck.name(), new Injection.Answered(UNAVAILABLE, effect.delay(), 0));
        };
    }

    /** A stop of the server ends it. */
    private void pause(Duration delay) {
        if (delay.isZero()) {
            return;
        }
        try {
            closing.await(delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Answer answer(Request request, String name, Injection.Answered answered) {
        Answer answer = request.unasked(
                answered.status(), code(answered.status()), "The emulator was asked for this: fault " + name);
        int seconds = answered.retryAfterSeconds();
        return switch (answered.status()) {
            case TOO_MANY_REQUESTS -> new RateLimit.Standing(limit, -1, seconds).mark(answer);
            case UNAVAILABLE -> answer.with("Retry-After", Integer.toString(seconds));
            default -> answer;
        };
    }

    /** The word that this API has for a status, or that of HTTP for one of a proxy. */
    private static String code(int status) {
        for (Refused.Reason reason : Refused.Reason.values()) {
            if (Problem.status(reason) == status) {
                return reason.name();
            }
        }
        return switch (status) {
            case 408 -> "REQUEST_TIMEOUT";
            case 502 -> "BAD_GATEWAY";
            case 504 -> "GATEWAY_TIMEOUT";
            default -> "INTERNAL_ERROR";
        };
    }

    /** Ends what is delayed. */
    @Override
    public void close() {
        closing.countDown();
    }
}
