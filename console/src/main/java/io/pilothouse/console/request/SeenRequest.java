package io.pilothouse.console.request;

import io.pilothouse.http.wire.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One request of the API by somebody who was known, and its answer, without any secret. {@code target} is the path with
 * its query; {@code fault} is the injected fault that struck it, empty for none.
 */
public record SeenRequest(
        UUID requestId,
        Instant at,
        Sender sender,
        Verb verb,
        String target,
        int status,
        String fault,
        Duration took,
        Body sent,
        Body answered) {
    private static final int FIRST_ERROR = 400;

    /** What it costs besides its texts: itself, its parts and its place. */
    private static final int BYTES_AROUND = 400;

    /** Whose key it was, and from where it came; {@code agent} is what the client calls itself. */
    public record Sender(UUID organizationId, UUID keyId, String keyName, String address, String agent) {}

    /** A body as JSON; null where there was none, or it was too long to keep, or is nothing that is kept. */
    public record Body(@Nullable String json, int bytes) {
        static final Body NONE = new Body(null, 0);
    }

    /** Whether it was for the query host, where SQL may be in the body and in the query. */
    public boolean runsSql() {
        return target.startsWith(RequestWatch.QUERIES);
    }

    public boolean refused() {
        return status >= FIRST_ERROR;
    }

    public boolean changes() {
        return verb != Verb.GET && verb != Verb.OPTIONS;
    }

    /** Those that have this text in anything that tells one request from others, whatever its case. */
    public static Predicate<SeenRequest> with(String text) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return request -> wanted.isEmpty() || request.has(wanted);
    }

    private boolean has(String wanted) {
        return Stream.of(
                        requestId.toString(),
                        verb.name(),
                        target,
                        sender.keyName(),
                        sender.keyId().toString(),
                        sender.address(),
                        sender.agent(),
                        Integer.toString(status),
                        fault)
                .anyMatch(each -> each.toLowerCase(Locale.ROOT).contains(wanted));
    }

    /** About how much memory it takes. */
    int weight() {
        return BYTES_AROUND + 2 * (target.length() + sender.agent().length() + length(sent) + length(answered));
    }

    private static int length(Body body) {
        return body.json() == null ? 0 : body.json().length();
    }
}
