package io.pilothouse.testkit.api;

import io.pilothouse.core.right.Permission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A client of one listener that every request of every test uses: each exchange is judged, and each write is compared
 * with the history. Safe for many threads.
 */
public final class Api implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final URI base;
    private final ApiJudge judge;
    private final @Nullable ApiTrace trace;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    private Api(URI base, ApiJudge judge, @Nullable ApiTrace trace) {
        this.base = base;
        this.judge = judge;
        this.trace = trace;
    }

    /** The management API; {@code rights} has the right of each operation, empty for a public one. */
    public static Api management(
            URI base,
            Contract contract,
            ApiLedger ledger,
            ApiSecrets secrets,
            Map<String, Optional<Permission>> rights) {
        return new Api(base, new ApiJudge(contract, ledger, secrets, rights, true), new ApiTrace(contract));
    }

    /** The controls of the emulator, which leave no activity. */
    public static Api controls(
            URI base,
            Contract contract,
            ApiLedger ledger,
            ApiSecrets secrets,
            Map<String, Optional<Permission>> rights) {
        return new Api(base, new ApiJudge(contract, ledger, secrets, rights, true), null);
    }

    /** The alerts interface, which has no envelope. */
    public static Api alerts(
            URI base,
            Contract contract,
            ApiLedger ledger,
            ApiSecrets secrets,
            Map<String, Optional<Permission>> rights) {
        return new Api(base, new ApiJudge(contract, ledger, secrets, rights, false), null);
    }

    /**
     * Sets the first organization and its first key: activities that belong to no other organization are written there.
     */
    public void knowHome(String organizationId, ApiCredentials admin) {
        if (trace != null) {
            trace.knowHome(organizationId, admin);
        }
    }

    public ApiCaller as(ApiCredentials credentials) {
        return new ApiCaller(this, credentials, List.of(), false, trace != null);
    }

    public ApiCaller asNobody() {
        return as(ApiCredentials.NONE);
    }

    /** A connection on which anything can be sent. */
    public ApiRaw raw() {
        return new ApiRaw(this, base);
    }

    /** The ids of all answers so far. */
    public Set<UUID> requestIds() {
        return judge.ids();
    }

    /** One request as a caller puts it together; never compared with another. */
    @SuppressWarnings("ArrayRecordComponent")
    record Asked(
            String method,
            String target,
            ApiCredentials credentials,
            List<Map.Entry<String, String>> headers,
            byte @Nullable [] body,
            boolean mayFail,
            boolean traced) {}

    ApiAnswer send(Asked asked) {
        ApiTrace.Before before = trace == null || !asked.traced() || isRead(asked)
                ? null
                : trace.before(ApiExchange.path(asked.target()), this::read);
        ApiExchange exchange = exchange(asked);
        List<String> faults = new ArrayList<>(judge.faults(exchange, asked.mayFail()));
        if (trace != null) {
            trace.learn(exchange);
            if (before != null && faults.isEmpty()) {
                faults.addAll(trace.faults(exchange, before, this::read));
            }
        }
        refuse(faults, exchange.answer());
        return exchange.answer();
    }

    private static boolean isRead(Asked asked) {
        return asked.method().equals("GET") || asked.method().equals("HEAD");
    }

    private ApiAnswer read(ApiCredentials credentials, String path) {
        return send(new Asked("GET", path, credentials, List.of(), null, false, false));
    }

    /** Judges the answer on a raw connection; if the request is not HTTP, only the answer can be judged. */
    void judgeRaw(String method, String target, boolean wellFormed, ApiAnswer answer) {
        ApiExchange exchange = new ApiExchange(method, target, ApiCredentials.NONE, null, null, answer);
        refuse(wellFormed ? judge.faultsOfRaw(exchange) : judge.faultsOfAnyAnswer(exchange, false), answer);
    }

    private static void refuse(List<String> faults, ApiAnswer answer) {
        if (!faults.isEmpty()) {
            throw new AssertionError(String.join("\n", faults) + "\nin " + answer);
        }
    }

    private ApiExchange exchange(Asked asked) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + asked.target()))
                .timeout(PATIENCE)
                .method(
                        asked.method(),
                        asked.body() == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(asked.body()));
        Map<String, String> sent = new HashMap<>();
        for (Map.Entry<String, String> header : asked.headers()) {
            request.header(header.getKey(), header.getValue());
            sent.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue());
        }
        if (asked.body() != null && !sent.containsKey("content-type")) {
            request.header("Content-Type", "application/json");
            sent.put("content-type", "application/json");
        }
        String authorization = asked.credentials().authorization();
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        String body = asked.body() == null ? null : new String(asked.body(), StandardCharsets.UTF_8);
        return new ApiExchange(
                asked.method(),
                asked.target(),
                asked.credentials(),
                sent.get("content-type"),
                body,
                answer(asked.method() + " " + asked.target() + " " + body, request.build()));
    }

    private ApiAnswer answer(String name, HttpRequest request) {
        try {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            Map<String, List<String>> headers = new HashMap<>();
            response.headers().map().forEach((header, values) -> headers.put(header.toLowerCase(Locale.ROOT), values));
            return new ApiAnswer(name, response.statusCode(), headers, response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name, e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
