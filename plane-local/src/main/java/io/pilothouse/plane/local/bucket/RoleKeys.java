package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.core.port.Clock;
import io.pilothouse.outgoing.OutgoingHttp.Reply;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys that one role gives for a while: taken on with the control plane's own identity, and again in time. */
final class RoleKeys implements S3Store.KeySource {
    private static final Duration HELD_FOR = Duration.ofMinutes(45);

    private final StoreClient client;
    private final Clock clock;
    private final Buckets.Identity identity;
    private final Login.Role role;
    private Login.@Nullable Key key;
    private Instant until = Instant.MIN;

    RoleKeys(StoreClient client, Clock clock, Buckets.Identity identity, Login.Role role) {
        this.client = client;
        this.clock = clock;
        this.identity = identity;
        this.role = role;
    }

    @Override
    public synchronized Login.Key now() throws BucketFault {
        Instant now = clock.now();
        if (key == null || !now.isBefore(until)) {
            key = taken();
            until = now.plus(HELD_FOR);
        }
        return key;
    }

    private Login.Key taken() throws BucketFault {
        byte[] body = ("Action=AssumeRole&Version=2011-06-15&RoleArn=" + encoded(role.arn()) + "&RoleSessionName="
                        + encoded(role.session()))
                .getBytes(StandardCharsets.UTF_8);
        URI url = identity.roles();
        Reply reply = client.ask("POST", url, body, now -> {
            Map<String, String> headers =
                    identity.key().signature("us-east-1", "sts").signHashed("POST", url, body, now);
            headers.put("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
            return headers;
        });
        if (reply.status() != 200) {
            String code = StoreClient.code(reply);
            throw new BucketFault("the role cannot be taken on" + (code.isEmpty() ? "" : " (" + code + ")"));
        }
        return new Login.Key(
                found(reply, "AccessKeyId"), found(reply, "SecretAccessKey"), found(reply, "SessionToken"));
    }

    private static String found(Reply reply, String name) throws BucketFault {
        Matcher matcher = Pattern.compile("<" + name + ">\\s*([!-~]{1,4096}?)\\s*</" + name + ">")
                .matcher(reply.body());
        if (!matcher.find()) {
            throw new BucketFault("the role cannot be taken on: the answer holds no key");
        }
        return matcher.group(1);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
