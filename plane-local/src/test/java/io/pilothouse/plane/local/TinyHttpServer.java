package io.pilothouse.plane.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers on a database's port like an old and simple ClickHouse, and remembers the queries. */
final class TinyHttpServer implements AutoCloseable {
    private final HttpServer server;
    private final String version;
    private final List<String> questions = new CopyOnWriteArrayList<>();

    /** An empty version makes it refuse every question. */
    TinyHttpServer(int port, String version) throws IOException {
        this.version = version;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    List<String> questions() {
        return questions;
    }

    PortSet ports() {
        return new PortSet(server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String question = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean ping = exchange.getRequestURI().getPath().equals("/ping");
        if (!ping) {
            questions.add(question);
        }
        if (ping) {
            say(exchange, 200, "Ok.\n");
        } else if (version.isEmpty()) {
            say(exchange, 403, "Code: 516. DB::Exception: pilothouse: Authentication failed. (AUTHENTICATION_FAILED)");
        } else if (question.equals("SELECT version()")) {
            say(exchange, 200, version + "\n");
        } else if (question.contains("'backups'")) {
            say(exchange, 200, "0\n");
        } else {
            say(exchange, 200, "");
        }
    }

    private static void say(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
