package io.pilothouse.server.webhook;

import io.pilothouse.core.delivery.DeliveryRequest;
import io.pilothouse.core.delivery.DeliverySender;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.outgoing.CheckedNames;
import io.pilothouse.outgoing.OutgoingHttp;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to webhooks. A name is looked up once for each try, every address of it is checked, and the connection
 * goes to an address that was checked. Safe for many threads.
 */
public final class WebhookSender implements DeliverySender, AutoCloseable {
    private static final int MAX_BODY_BYTES = 64 * 1024;
    /** So that a receiver whose answer is short and quick sees no broken connection. */
    private static final Duration BODY_TIME = Duration.ofMillis(500);

    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    private final Clock clock;
    private final OutgoingHttp.Limits limits;
    private final CheckedNames names;
    private final OutgoingHttp http;

    /** How long a try may take: the lookup and the connection each, and everything together. */
    public record Times(Duration connect, Duration total) {
        public static final Times USUAL = new Times(Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    /** {@code tls} is asked for when it is first needed: reading the authorities of the machine takes its time. */
    public WebhookSender(
            WebhookAddresses addresses,
            OutgoingHttp.Resolver resolver,
            Supplier<SSLSocketFactory> tls,
            Clock clock,
            Times times) {
        // A receiver that names a moment goes by the time of machines.
        this.clock = clock.machine();
        this.limits = new OutgoingHttp.Limits(times.total(), BODY_TIME, MAX_BODY_BYTES);
        this.names = new CheckedNames(resolver, addresses::allow, times.connect(), NameLookups.threads());
        this.http = new OutgoingHttp(names, tls, times.connect());
    }

    @Override
    public Outcome send(DeliveryRequest request) {
        try {
            OutgoingHttp.Reply reply = http.send("POST", request.url(), request.headers(), request.body(), limits);
            return new Answered(reply.status(), retryAfter(reply.fields().get("Retry-After")));
        } catch (CheckedNames.Forbidden e) {
            return new Forbidden("The webhook leads to a private, local or reserved address");
        } catch (UnknownHostException e) {
            return new Unanswered("The name of the webhook cannot be looked up");
        } catch (SSLException e) {
            return new Unanswered("The webhook has no TLS that can be trusted");
        } catch (IOException e) {
            return new Unanswered("The webhook did not answer");
        }
    }

    /** Seconds or a date; null for what is neither. */
    private @Nullable Duration retryAfter(@Nullable String text) {
        if (text == null) {
            return null;
        }
        if (SECONDS.matcher(text).matches()) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            Duration left = Duration.between(clock.now(), until);
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException notADate) {
            return null;
        }
    }

    @Override
    public void close() {
        names.close();
    }
}
