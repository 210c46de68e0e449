package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.outgoing.OutgoingHttp.Reply;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes on roles with the control plane's own identity, at Amazon or what speaks STS like it. A role's key is good for
 * an hour. Safe for many threads.
 */
public final class Roles {
    private static final Pattern REGIONAL =
            Pattern.compile("sts\\.([a-z]+(?:-[a-z]+)+-\\d)\\.amazonaws\\.com(?:\\.cn)?");
    private static final String USUAL_REGION = "us-east-1";
    private static final int OK = 200;

    private final StoreClient client;
    private final Buckets.Identity identity;

    Roles(StoreClient client, Buckets.Identity identity) {
        this.client = client;
        this.identity = identity;
    }

    /**
     * A key of this role. {@code externalId} says for whom it is taken on: the role's owner can insist on it, so that
     * nobody has the control plane take on a role of somebody else's.
     */
    public Login.Key take(String arn, String session, String externalId) throws BucketFault {
        byte[] body = ("Action=AssumeRole&Version=2011-06-15&RoleArn=" + encoded(arn) + "&RoleSessionName="
                        + encoded(session) + "&ExternalId=" + encoded(externalId))
                .getBytes(StandardCharsets.UTF_8);
        URI url = identity.roles();
        Reply reply = client.ask("POST", url, body, now -> {
            Map<String, String> headers =
                    identity.key().signature(region(url), "sts").signHashed("POST", url, body, now);
            headers.put("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
            return headers;
        });
        if (reply.status() != OK) {
            String code = StoreClient.code(reply);
            throw new BucketFault("the role cannot be taken on" + (code.isEmpty() ? "" : " (" + code + ")"));
        }
        return new Login.Key(
                found(reply, "AccessKeyId"), found(reply, "SecretAccessKey"), found(reply, "SessionToken"));
    }

    static String region(URI url) {
        Matcher regional = REGIONAL.matcher(String.valueOf(url.getHost()));
        return regional.matches() ? regional.group(1) : USUAL_REGION;
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
