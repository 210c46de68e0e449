package io.pilothouse.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A server that has a door before it: what the door lets in is passed on to it. */
record ServerBehind(String address, HttpClient client) implements AutoCloseable {
    private static final Set<String> NOT_PASSED_ON =
            Set.of("host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "keep-alive");

    ServerBehind(String address) {
        this(address, HttpClient.newHttpClient());
    }

    /** With some header fields in place of what came. */
    void answer(HttpExchange exchange, byte[] body, Map<String, String> instead)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        instead.forEach(request::setHeader);
        HttpResponse<byte[]> reply = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        reply.headers().map().forEach((name, values) -> {
            if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        if (exchange.getRequestMethod().equals("HEAD")) {
            List<String> length = reply.headers().allValues("content-length");
            exchange.getResponseHeaders().put("Content-Length", length);
            exchange.sendResponseHeaders(reply.statusCode(), -1);
            return;
        }
        write(exchange, reply.statusCode(), reply.body());
    }

    /** What the door itself answers. */
    static void send(HttpExchange exchange, int status, String body) throws IOException {
        write(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(HttpExchange exchange, int status, byte[] body) throws IOException {
        boolean bare = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, bare ? -1 : body.length);
        if (!bare) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
