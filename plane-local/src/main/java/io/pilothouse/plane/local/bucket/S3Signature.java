package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.core.secret.SecretHash;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests the way that Amazon's services and those that are compatible with them ask for: version 4. */
final class S3Signature {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;

    private final Login.Key key;
    private final String region;
    private final String service;

    S3Signature(Login.Key key, String region, String service) {
        this.key = key;
        this.region = region;
        this.service = service;
    }

    /** The headers that make a request a signed one; {@code url} is as it will be sent, its query in order. */
    Map<String, String> headers(String method, URI url, byte[] body, Instant now) {
        String time = TIME.format(now);
        String digest = HexFormat.of().formatHex(SecretHash.sha256(body));
        Map<String, String> signed = new TreeMap<>();
        signed.put("host", url.getRawAuthority());
        signed.put("x-amz-content-sha256", digest);
        signed.put("x-amz-date", time);
        if (key.token() != null) {
            signed.put("x-amz-security-token", key.token());
        }
        String names = String.join(";", signed.keySet());
        String head = signed.entrySet().stream()
                .map(field -> field.getKey() + ":" + field.getValue() + "\n")
                .collect(Collectors.joining());
        String query = url.getRawQuery() == null ? "" : url.getRawQuery();
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String request = String.join("\n", method, path, query, head, names, digest);
        String date = time.substring(0, DATE_LENGTH);
        String scope = date + "/" + region + "/" + service + "/aws4_request";
        String text = String.join(
                "\n", "AWS4-HMAC-SHA256", time, scope, HexFormat.of().formatHex(SecretHash.sha256(request)));
        byte[] signing = hmac(("AWS4" + key.secret()).getBytes(StandardCharsets.UTF_8), date);
        for (String part : new String[] {region, service, "aws4_request"}) {
            signing = hmac(signing, part);
        }
        signed.remove("host");
        signed.put(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=" + key.id() + "/" + scope + ", SignedHeaders=" + names + ", Signature="
                        + HexFormat.of().formatHex(hmac(signing, text)));
        return signed;
    }

    static byte[] hmac(byte[] secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }
}
