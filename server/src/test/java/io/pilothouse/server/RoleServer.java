package io.pilothouse.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.core.secret.AwsSignature;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An STS that checks signatures and what a trust policy says about external IDs, and a door before another server, which
 * lets in who comes with a key that it gave.
 */
final class RoleServer implements AutoCloseable {
    static final String ROLE = "arn:aws:iam::123456789012:role/reader";
    private static final String KEY_ID = "OPERATOR";
    private static final String SECRET = "an-operators-secret-nobody-shall-see";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ServerBehind behind;
    private final AtomicInteger given = new AtomicInteger();
    /** By their tokens, the keys that were given. */
    private final Map<String, String> keys = new ConcurrentHashMap<>();

    private volatile String trusted = "nobody yet";

    private RoleServer(HttpServer server, ServerBehind behind) {
        this.server = server;
        this.behind = behind;
    }

    /** One in front of the server at this address. */
    static RoleServer before(String address) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        RoleServer server = new RoleServer(http, new ServerBehind(address));
        http.setExecutor(server.threads);
        http.createContext("/", server::answer);
        http.start();
        return server;
    }

    /** The settings of a program whose operator has the identity that the role trusts. */
    String[] flags(Path folder) throws IOException {
        Path config = folder.resolve("roles.conf");
        Files.writeString(config, "aws-access-key-id = " + KEY_ID + "\naws-secret-access-key = " + SECRET + "\n");
        return new String[] {"--config", config.toString(), "--aws-roles-url", address(), "--webhook-allow", "127.0.0.1"
        };
    }

    String address() {
        return "http://" + place();
    }

    /** As the operator names it to the databases. */
    String place() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on the role is for who comes with this external ID. */
    void trust(String externalId) {
        trusted = externalId;
    }

    /** How many keys were given. */
    int given() {
        return given.get();
    }

    /** Whether this text holds a secret of anybody's. */
    boolean isTold(String text) {
        return text.contains(SECRET) || text.contains("secret-of-a-role") || text.contains("token-of-a-role");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String text = new String(body, StandardCharsets.UTF_8);
            if (text.startsWith("Action=AssumeRole&")) {
                role(exchange, body, form(text));
            } else if (isKnown(exchange)) {
                behind.answer(exchange, body, Map.of());
            } else {
                ServerBehind.send(exchange, 403, "<Error><Code>InvalidToken</Code></Error>");
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private static Map<String, String> form(String body) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : body.split("&", -1)) {
            int equals = field.indexOf('=');
            fields.put(
                    field.substring(0, equals), URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return fields;
    }

    private void role(HttpExchange exchange, byte[] body, Map<String, String> form) throws IOException {
        String time = String.valueOf(exchange.getRequestHeaders().getFirst("x-amz-date"));
        String signed = new AwsSignature(KEY_ID, SECRET, null, "us-east-1", "sts")
                .signHashed("POST", URI.create(address()), body, TIME.parse(time, Instant::from))
                .get("Authorization");
        if (!String.valueOf(signed).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            ServerBehind.send(exchange, 403, "<Error><Code>SignatureDoesNotMatch</Code></Error>");
        } else if (!ROLE.equals(form.get("RoleArn")) || !trusted.equals(form.get("ExternalId"))) {
            ServerBehind.send(exchange, 403, "<Error><Code>AccessDenied</Code></Error>");
        } else {
            int number = given.incrementAndGet();
            keys.put("token-of-a-role/+" + number + "==", "ASIA" + number);
            ServerBehind.send(
                    exchange,
                    200,
                    "<AssumeRoleResponse><AccessKeyId>ASIA%1$d</AccessKeyId><SecretAccessKey>secret-of-a-role%1$d</SecretAccessKey><SessionToken>token-of-a-role/+%1$d==</SessionToken></AssumeRoleResponse>"
                            .replace("%1$d", Integer.toString(number)));
        }
    }

    private boolean isKnown(HttpExchange exchange) {
        @Nullable String token = exchange.getRequestHeaders().getFirst("x-amz-security-token");
        String authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        String key = token == null ? null : keys.get(token);
        return key != null && authorization.contains("Credential=" + key + "/");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
        behind.close();
    }
}
