package io.pilothouse.console;

import io.pilothouse.core.base.Refused;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The files that pages load, all of them out of this program. Each is read when it is first asked for. */
final class Assets {
    private static final Map<String, String> PLACES = Map.of(
            "console.css", "console.css",
            "console.js", "console.js",
            "icon.svg", "icon.svg",
            "htmx.min.js", "vendor/htmx.min.js");
    private static final Map<String, String> TYPES =
            Map.of("css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8", "svg", "image/svg+xml");
    private static final int MARK_LENGTH = 12;

    private final Map<String, Asset> read = new ConcurrentHashMap<>();

    /** A file, and a mark that changes with it. */
    private record Asset(String text, String mark) {}

    /** Where a page finds a file: at another address once it is another file, so that browsers may keep it. */
    String href(String name) {
        return "/assets/" + name + "?" + asset(name).mark();
    }

    Answer answer(Exchange exchange) {
        String path = exchange.path();
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (!PLACES.containsKey(name)) {
            throw Refused.notFound("Path");
        }
        Asset asset = asset(name);
        String type = Objects.requireNonNull(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
        Answer answer = Answer.text(200, type, asset.text()).with("X-Content-Type-Options", "nosniff");
        return answer.with(
                "Cache-Control",
                exchange.query().equals(asset.mark()) ? "public, max-age=31536000, immutable" : "no-cache");
    }

    private Asset asset(String name) {
        return read.computeIfAbsent(name, Assets::read);
    }

    private static Asset read(String name) {
        try (InputStream in = Assets.class.getResourceAsStream(PLACES.get(name))) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in this program");
            }
            byte[] bytes = in.readAllBytes();
            String mark = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
            return new Asset(new String(bytes, StandardCharsets.UTF_8), mark.substring(0, MARK_LENGTH));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
