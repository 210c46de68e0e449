package io.pilothouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.testkit.GoogleAccount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A token address that checks what a service account has signed, and a door before another server, which lets in who
 * comes with a token of it. Its tokens hold for seconds, where Google's do for an hour.
 */
final class GoogleServer implements AutoCloseable {
    static final String TOKEN = "ya29.a-token-nobody-shall-see.";
    private static final String GRANT = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";
    private static final Duration SAID = Duration.ofSeconds(4);
    /** Longer than it says, so that a slow machine shows no late token of its own making. */
    private static final Duration HOLDS = Duration.ofSeconds(10);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ServerBehind behind;
    private final GoogleAccount account;
    private final AtomicInteger given = new AtomicInteger();
    /** By the tokens that were given, when each ends. */
    private final Map<String, Instant> tokens = new ConcurrentHashMap<>();

    private final Set<String> readers = ConcurrentHashMap.newKeySet();

    private GoogleServer(HttpServer server, ServerBehind behind, GoogleAccount account) {
        this.server = server;
        this.behind = behind;
        this.account = account;
    }

    /** One that knows this account, in front of the server at this address. */
    static GoogleServer before(String address, GoogleAccount account) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        GoogleServer server = new GoogleServer(http, new ServerBehind(address), account);
        http.setExecutor(server.threads);
        http.createContext("/", server::answer);
        http.start();
        return server;
    }

    String address() {
        return "http://" + place();
    }

    /** As the operator names it to the databases. */
    String place() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String tokenAddress() {
        return address() + "/token";
    }

    /** How many tokens were given. */
    int given() {
        return given.get();
    }

    /** By which programs files were read. */
    Set<String> readers() {
        return Set.copyOf(readers);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/token")) {
                token(exchange, new String(body, StandardCharsets.UTF_8));
            } else if (isKnown(exchange)) {
                readers.add(String.valueOf(exchange.getRequestHeaders().getFirst("User-Agent"))
                        .replaceFirst("[/ ].*", ""));
                behind.answer(
                        exchange, body, Map.of("Authorization", AwsQuestions.authorization(ObjectServer.KEY_ID, "s3")));
            } else {
                ServerBehind.send(exchange, 401, "<Error><Code>AuthenticationRequired</Code></Error>");
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void token(HttpExchange exchange, String form) throws IOException, GeneralSecurityException {
        Instant now = Instant.now();
        Optional<GoogleAccount.Token> asked =
                form.startsWith(GRANT) ? account.verified(form.substring(GRANT.length())) : Optional.empty();
        if (asked.isEmpty() || !isGood(JSON.readTree(asked.get().claims()), now)) {
            ServerBehind.send(exchange, 400, "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid JWT\"}");
            return;
        }
        String token = TOKEN + given.incrementAndGet();
        tokens.put(token, now.plus(HOLDS));
        ServerBehind.send(
                exchange,
                200,
                JSON.createObjectNode()
                        .put("access_token", token)
                        .put("expires_in", SAID.toSeconds())
                        .put("token_type", "Bearer")
                        .toString());
    }

    private boolean isGood(JsonNode claims, Instant now) {
        long from = claims.path("iat").asLong();
        long until = claims.path("exp").asLong();
        return claims.path("iss").asText().equals(GoogleAccount.EMAIL)
                && claims.path("aud").asText().equals(tokenAddress())
                && claims.path("scope").asText().equals("https://www.googleapis.com/auth/devstorage.read_only")
                && from <= now.getEpochSecond()
                && until > now.getEpochSecond()
                && until - from <= Duration.ofHours(1).toSeconds();
    }

    private boolean isKnown(HttpExchange exchange) {
        @Nullable String shown = exchange.getRequestHeaders().getFirst("Authorization");
        Instant ends =
                shown == null || !shown.startsWith("Bearer ") ? null : tokens.get(shown.substring("Bearer ".length()));
        return ends != null && Instant.now().isBefore(ends);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        behind.close();
    }
}
