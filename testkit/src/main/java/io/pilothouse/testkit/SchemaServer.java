package io.pilothouse.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** A small schema registry: it answers what Confluent's does to those who read schemas. Safe for many threads. */
public final class SchemaServer implements AutoCloseable {
    private static final Pattern BY_ID = Pattern.compile("/schemas/ids/(\\d+)");
    private static final Pattern BY_SUBJECT = Pattern.compile("/subjects/([^/]+)/versions/(\\d+|latest)");
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    /** The number of the first schema. */
    private static final int FIRST = 100;

    private final HttpServer server;
    private final String address;
    private final String certificate;
    private final List<String> schemas = new CopyOnWriteArrayList<>();
    private final Map<String, List<Integer>> subjects = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private volatile String authorization = "";
    private volatile int status = OK;

    private SchemaServer(HttpServer server, String address, String certificate) {
        this.server = server;
        this.address = address;
        this.certificate = certificate;
        server.createContext("/", this::answer);
        server.start();
    }

    private static InetSocketAddress free() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** One without TLS and without a login. */
    public static SchemaServer open() throws IOException {
        HttpServer server = HttpServer.create(free(), 0);
        return new SchemaServer(
                server, "http://127.0.0.1:" + server.getAddress().getPort(), "");
    }

    /** One with TLS, whose certificate nobody knows; its files go into this folder. */
    public static SchemaServer secured(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        SelfSigned own = SelfSigned.forName("localhost", folder);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own.keyManagers(), null, null);
        HttpsServer server = HttpsServer.create(free(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        String certificate = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(own.certificate().getEncoded())
                + "\n-----END CERTIFICATE-----\n";
        return new SchemaServer(
                server, "https://localhost:" + server.getAddress().getPort(), certificate);
    }

    public String address() {
        return address;
    }

    /** The certificate that its clients have to trust. */
    public String certificate() {
        return certificate;
    }

    /** Wants this login from now on. */
    public void want(String user, String password) {
        authorization =
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Answers everything like this from now on; 200 is the usual answer. */
    public void answerWith(int nextStatus) {
        status = nextStatus;
    }

    /** Which paths were asked for. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** Keeps a schema as the next version of a subject; the names refer to first versions of subjects of that name. */
    public int register(String subject, String type, String schema, String... references) {
        List<String> others = new ArrayList<>();
        for (String name : references) {
            others.add("{\"name\":" + quoted(name) + ",\"subject\":" + quoted(name) + ",\"version\":1}");
        }
        String members = (type.equals("AVRO") ? "" : "\"schemaType\":" + quoted(type) + ",")
                + (others.isEmpty() ? "" : "\"references\":[" + String.join(",", others) + "],")
                + "\"schema\":" + quoted(schema);
        schemas.add(members);
        int id = FIRST + schemas.size() - 1;
        subjects.computeIfAbsent(subject, _ -> new CopyOnWriteArrayList<>()).add(id);
        return id;
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(exchange.getRequestURI().getRawPath());
            String given = exchange.getRequestHeaders().getFirst("Authorization");
            if (status != OK) {
                send(exchange, status, "{}");
            } else if (!authorization.isEmpty() && !authorization.equals(given)) {
                send(exchange, UNAUTHORIZED, "{\"error_code\":401,\"message\":\"Unauthorized\"}");
            } else {
                find(exchange);
            }
        }
    }

    private void find(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Matcher id = BY_ID.matcher(path);
        Matcher subject = BY_SUBJECT.matcher(path);
        if (id.matches()) {
            int place = Integer.parseInt(id.group(1)) - FIRST;
            boolean known = place >= 0 && place < schemas.size();
            send(exchange, known ? OK : NOT_FOUND, known ? "{" + schemas.get(place) + "}" : missing(40403));
        } else if (subject.matches()) {
            List<Integer> versions = subjects.getOrDefault(subject.group(1), List.of());
            int version = subject.group(2).equals("latest") ? versions.size() : Integer.parseInt(subject.group(2));
            if (versions.isEmpty() || version < 1 || version > versions.size()) {
                send(exchange, NOT_FOUND, missing(versions.isEmpty() ? 40401 : 40402));
            } else {
                int found = versions.get(version - 1);
                send(
                        exchange,
                        OK,
                        "{\"id\":" + found + ",\"version\":" + version + "," + schemas.get(found - FIRST) + "}");
            }
        } else {
            send(exchange, NOT_FOUND, "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}");
        }
    }

    private static String missing(int code) {
        return "{\"error_code\":" + code + ",\"message\":\"not found\"}";
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/vnd.schemaregistry.v1+json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
