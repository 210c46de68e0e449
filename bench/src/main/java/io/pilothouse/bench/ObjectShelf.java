package io.pilothouse.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bucket as S3 shows it, in which the same bytes lie under many keys. It answers from memory and checks no signature,
 * so that it is never what is waited for.
 */
final class ObjectShelf implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
    private static final Set<String> LIST = Set.of("/shelf", "/shelf/");
    private static final int OK = 200;
    private static final int PARTIAL = 206;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final byte[] content;
    private final String suffix;
    private final int files;

    ObjectShelf(int port, byte[] content, String suffix, int files) throws IOException {
        this.content = content;
        this.suffix = suffix;
        this.files = files;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (LIST.contains(exchange.getRequestURI().getPath())) {
                byte[] list = list().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/xml");
                exchange.sendResponseHeaders(OK, list.length);
                exchange.getResponseBody().write(list);
            } else {
                give(exchange);
            }
        }
    }

    private void give(HttpExchange exchange) throws IOException {
        int from = 0;
        int to = content.length;
        String range = exchange.getRequestHeaders().getFirst("Range");
        Matcher matcher = RANGE.matcher(range == null ? "" : range);
        exchange.getResponseHeaders().set("ETag", "\"same\"");
        exchange.getResponseHeaders().set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT");
        exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
        if (matcher.matches()) {
            from = Integer.parseInt(matcher.group(1));
            to = matcher.group(2).isEmpty() ? to : Math.min(to, Integer.parseInt(matcher.group(2)) + 1);
            exchange.getResponseHeaders().set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + content.length);
        }
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(to - from));
            exchange.sendResponseHeaders(OK, -1);
            return;
        }
        exchange.sendResponseHeaders(matcher.matches() ? PARTIAL : OK, to - from);
        OutputStream out = exchange.getResponseBody();
        out.write(content, from, to - from);
    }

    private String list() {
        StringBuilder list = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>"
                + "<Name>shelf</Name><Prefix></Prefix><IsTruncated>false</IsTruncated>");
        for (int file = 0; file < files; file++) {
            list.append("<Contents><Key>")
                    .append(file)
                    .append(suffix)
                    .append("</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"same\"</ETag><Size>")
                    .append(content.length)
                    .append("</Size></Contents>");
        }
        return list.append("</ListBucketResult>").toString();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
