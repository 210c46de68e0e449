package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.port.Clock;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.outgoing.OutgoingHttp.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Asks stores of objects, again where they or the way to them fail, and puts their refusals into sentences. */
public final class StoreClient {
    private static final Duration ONE_PART = Duration.ofMinutes(10);
    /** A look at a backup waits no longer. */
    private static final Duration ONE_QUESTION = Duration.ofSeconds(4);

    private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z0-9]{1,64})</Code>");
    private static final int PART_BYTES = 16 << 20;
    private static final Duration MAX_DIFFERENCE = Duration.ofMinutes(5);
    private static final int FORBIDDEN = 403;
    private static final int SERVER_FAULT = 500;
    private static final int TOO_MANY = 429;

    private final OutgoingHttp http;
    private final Clock clock;
    private final Duration patience;
    private final List<Duration> pauses;
    private final int partBytes;

    private StoreClient(OutgoingHttp http, Clock clock, Duration patience, List<Duration> pauses, int partBytes) {
        this.http = http;
        this.clock = clock.machine();
        this.patience = patience;
        this.pauses = List.copyOf(pauses);
        this.partBytes = partBytes;
    }

    /** With patience for stores that are far away. */
    public static StoreClient over(OutgoingHttp http, Clock clock) {
        return over(http, clock, List.of(Duration.ofSeconds(1), Duration.ofSeconds(10)), PART_BYTES);
    }

    /** {@code pauses} are those before each further try; files go in parts of {@code partBytes}. */
    static StoreClient over(OutgoingHttp http, Clock clock, List<Duration> pauses, int partBytes) {
        return new StoreClient(http, clock, ONE_PART, pauses, partBytes);
    }

    /** For a short question, which is asked once. */
    StoreClient hasty() {
        return new StoreClient(http, clock, ONE_QUESTION, List.of(), partBytes);
    }

    int partBytes() {
        return partBytes;
    }

    /** Headers of one try: signatures hold for a short time. */
    interface Headers {
        Map<String, String> at(Instant now) throws BucketFault;
    }

    /** The last answer; a store that does not answer, or cannot be reached, is a fault. */
    Reply ask(String method, URI url, byte[] body, Headers headers) throws BucketFault {
        OutgoingHttp.Limits limits = new OutgoingHttp.Limits(patience, patience, partBytes + 1);
        Duration off = Duration.ZERO;
        for (int tries = 0; ; tries++) {
            boolean last = tries == pauses.size();
            try {
                Reply reply = http.send(method, url, headers.at(clock.now().plus(off)), body, limits);
                if (reply.status() == FORBIDDEN && off.isZero() && isOff(difference(reply))) {
                    off = difference(reply);
                    reply = http.send(method, url, headers.at(clock.now().plus(off)), body, limits);
                }
                boolean failed = reply.status() >= SERVER_FAULT || reply.status() == TOO_MANY || !reply.whole();
                if (!failed || (last && reply.whole())) {
                    return reply;
                }
                if (last) {
                    throw new BucketFault("the answer of " + url.getHost() + " broke off");
                }
            } catch (UnknownHostException unknown) {
                throw new BucketFault(
                        "the name " + url.getHost()
                                + " cannot be looked up, or leads to an address that is not allowed",
                        unknown);
            } catch (SSLException untrusted) {
                throw new BucketFault(url.getHost() + " has no TLS that can be trusted", untrusted);
            } catch (IOException silent) {
                if (last) {
                    throw new BucketFault(url.getHost() + " does not answer", silent);
                }
            }
            pause(pauses.get(tries));
        }
    }

    /** Stores take no signature of another time than theirs, which is what their clock is for. */
    private static boolean isOff(Duration difference) {
        return difference.abs().compareTo(MAX_DIFFERENCE) > 0;
    }

    private Duration difference(Reply reply) {
        String date = reply.fields().get("Date");
        try {
            return date == null
                    ? Duration.ZERO
                    : Duration.between(clock.now(), Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
        } catch (DateTimeException unreadable) {
            return Duration.ZERO;
        }
    }

    private static void pause(Duration pause) throws BucketFault {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new BucketFault("the work on it was cut short", interrupted);
        }
    }

    /** What a store means by an answer that is not the one hoped for. */
    static BucketFault refusal(Reply reply) {
        String code = code(reply);
        return new BucketFault(
                switch (code) {
                    case "NoSuchBucket", "ContainerNotFound" -> "it does not exist";
                    case "InvalidAccessKeyId",
                            "SignatureDoesNotMatch",
                            "InvalidClientTokenId",
                            "AuthenticationFailed",
                            "InvalidAuthenticationInfo" -> "the credentials are not accepted (" + code + ")";
                    case "AccessDenied", "AuthorizationFailure", "AuthorizationPermissionMismatch" ->
                        "the credentials do not allow it (" + code + ")";
                    case "ExpiredToken", "RequestTimeTooSkewed" ->
                        "the clock of this machine and the store's differ (" + code + ")";
                    case "NoSuchKey", "BlobNotFound" -> "the backup is not in it any more";
                    case "" -> "its store answered " + reply.status();
                    default -> "its store answered " + reply.status() + " (" + code + ")";
                });
    }

    static String code(Reply reply) {
        Matcher matcher = CODE.matcher(reply.body());
        return matcher.find() ? matcher.group(1) : "";
    }
}
