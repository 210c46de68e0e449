package io.pilothouse.server;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.port.Store;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Verb;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The routes for operators, on a listener of its own: whether the program lives, whether it works, and its figures. */
final class AdminRoutes {
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int UNAVAILABLE = 503;

    private final Store store;
    private final Description description;
    private final Supplier<Optional<String>> standstill;
    private final Supplier<Optional<String>> refusal;
    private final Supplier<Optional<String>> shortage;
    private final Optional<String> token;
    private final List<Consumer<MetricsText>> meters;
    private final List<PublicRoute> more;

    /** The identity of this process; {@code queries} is whether query endpoints can run SQL, or why not. */
    record Description(
            String version, Edition edition, String plane, String fence, String pipeLimits, String queries) {}

    /**
     * {@code standstill} is why the engine does nothing, if it does nothing, {@code refusal} why no service can be
     * created, if none can, {@code shortage} what is short on the disk; {@code token} is asked for where there is one,
     * for {@code more} routes too.
     */
    AdminRoutes(
            Store store,
            Description description,
            Supplier<Optional<String>> standstill,
            Supplier<Optional<String>> refusal,
            Supplier<Optional<String>> shortage,
            Optional<String> token,
            List<Consumer<MetricsText>> meters,
            List<PublicRoute> more) {
        this.store = store;
        this.description = description;
        this.standstill = standstill;
        this.refusal = refusal;
        this.shortage = shortage;
        this.token = token;
        this.meters = List.copyOf(meters);
        this.more = more.stream()
                .map(route ->
                        new PublicRoute(route.operationId(), route.verb(), route.path(), guarded(route.handler())))
                .toList();
    }

    List<PublicRoute> routes() {
        List<PublicRoute> all = new ArrayList<>(more);
        all.add(new PublicRoute("healthz", Verb.GET, "/healthz", this::health));
        all.add(new PublicRoute("readyz", Verb.GET, "/readyz", guarded(this::readiness)));
        all.add(new PublicRoute("metrics", Verb.GET, "/metrics", guarded(this::metrics)));
        return all;
    }

    /** Whether the process lives is no secret; all else may be. */
    private PublicRoute.Handler guarded(PublicRoute.Handler handler) {
        return exchange -> isAllowed(exchange)
                ? handler.handle(exchange)
                : Answer.text(UNAUTHORIZED, "text/plain", "This address asks for the token of admin-token.\n")
                        .with("WWW-Authenticate", "Bearer realm=\"pilothouse admin\"");
    }

    private boolean isAllowed(Exchange exchange) {
        List<String> shown = exchange.field(RequestField.AUTHORIZATION);
        return token.isEmpty()
                || (shown.size() == 1
                        && MessageDigest.isEqual(
                                shown.getFirst().getBytes(StandardCharsets.UTF_8),
                                ("Bearer " + token.get()).getBytes(StandardCharsets.UTF_8)));
    }

    private Answer health(Exchange exchange) {
        return Answer.json("{\"status\":\"alive\"}".getBytes(StandardCharsets.UTF_8));
    }

    private Answer readiness(Exchange exchange) {
        boolean reachable = store.reachable();
        Optional<String> fault = reachable ? store.writeFault() : Optional.empty();
        boolean kept = reachable && fault.isEmpty();
        Optional<String> still = standstill.get();
        boolean ready = kept && still.isEmpty();
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            out.text("status", ready ? "ready" : "unavailable");
            out.text("store", reachable ? fault.map(why -> "read only: " + why).orElse("reachable") : "unreachable");
            out.text(
                    "creates",
                    kept ? refusal.get().orElse("possible") : "impossible without a store that is written to");
            out.text("engine", still.map(why -> "stands still: " + why).orElse("works"));
            out.text("queries", description.queries());
            out.text("edition", description.edition().word());
            out.text("version", description.version());
            out.text("plane", description.plane());
            out.text("fence", description.fence());
            out.text("pipeLimits", description.pipeLimits());
            out.text("disk", shortage.get().orElse("enough"));
            out.endObject();
        });
        return Answer.json(ready ? OK : UNAVAILABLE, document);
    }

    private Answer metrics(Exchange exchange) {
        MetricsText text = new MetricsText();
        text.family("pilothouse_info", MetricsText.Kind.GAUGE, "The identity of this process.");
        text.sample(
                "pilothouse_info",
                1,
                "version",
                description.version(),
                "edition",
                description.edition().word(),
                "plane",
                description.plane());
        meters.forEach(meter -> meter.accept(text));
        return Answer.text(OK, MetricsText.MEDIA_TYPE, text.toString());
    }
}
