package io.pilothouse.core.secret;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests to one service of one region, the way that Amazon's services and those that are compatible with them
 * ask for: version 4.
 *
 * @param token belongs to a key that holds for a short time only
 */
public record AwsSignature(
        String accessKeyId, String secretKey, @Nullable String token, String region, String service) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";

    @Override
    public String toString() {
        return "AwsSignature[" + accessKeyId + "]";
    }

    /**
     * The header fields for a request that names the hash of its body, as S3 asks for; {@code address} is as it will be
     * sent, the names of its query sorted.
     */
    public Map<String, String> signHashed(String method, URI address, byte[] body, Instant now) {
        return sign(method, address, Map.of("x-amz-content-sha256", hash(body)), body, now);
    }

    /** The header fields for a request: these, the time and the signature. The names of these must be lower case. */
    public Map<String, String> sign(String method, URI address, Map<String, String> fields, byte[] body, Instant now) {
        String time = TIME.format(now);
        SortedMap<String, String> signed = new TreeMap<>(fields);
        signed.put("x-amz-date", time);
        if (token != null) {
            signed.put("x-amz-security-token", token);
        }
        Map<String, String> all = new TreeMap<>(signed);
        signed.put("host", address.getRawAuthority());
        String names = String.join(";", signed.keySet());
        String head = signed.entrySet().stream()
                .map(field -> field.getKey() + ":" + field.getValue().strip() + "\n")
                .collect(Collectors.joining());
        String path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        String query = address.getRawQuery() == null ? "" : address.getRawQuery();
        String request = String.join("\n", method, path, query, head, names, hash(body));
        all.put(
                "Authorization",
                ALGORITHM + " Credential=" + accessKeyId + "/" + scope(time) + ", SignedHeaders=" + names
                        + ", Signature=" + signature(request, time));
        return all;
    }

    /**
     * An address that is a proof by itself, for this long: who has it may GET it once or often. {@code address} has a
     * host, and no query yet.
     */
    public String presigned(URI address, Map<String, String> parameters, Duration holds, Instant now) {
        String time = TIME.format(now);
        SortedMap<String, String> all = new TreeMap<>(parameters);
        all.put("X-Amz-Algorithm", ALGORITHM);
        all.put("X-Amz-Credential", accessKeyId + "/" + scope(time));
        all.put("X-Amz-Date", time);
        all.put("X-Amz-Expires", Long.toString(holds.toSeconds()));
        if (token != null) {
            all.put("X-Amz-Security-Token", token);
        }
        all.put("X-Amz-SignedHeaders", "host");
        String query = all.entrySet().stream()
                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
        String host = "host:" + address.getRawAuthority() + "\n";
        String request = String.join("\n", "GET", "/", query, host, "host", hash(new byte[0]));
        return address.getScheme() + "://" + address.getRawAuthority() + "/?" + query + "&X-Amz-Signature="
                + signature(request, time);
    }

    private String scope(String time) {
        return time.substring(0, DATE_LENGTH) + "/" + region + "/" + service + "/aws4_request";
    }

    private String signature(String request, String time) {
        String text = String.join("\n", ALGORITHM, time, scope(time), hash(request.getBytes(StandardCharsets.UTF_8)));
        byte[] signing = hmac(("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8), time.substring(0, DATE_LENGTH));
        signing = hmac(hmac(hmac(signing, region), service), "aws4_request");
        return HexFormat.of().formatHex(hmac(signing, text));
    }

    /** As RFC 3986 has it, and not as forms do. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    private static String hash(byte[] content) {
        return HexFormat.of().formatHex(SecretHash.sha256(content));
    }

    private static byte[] hmac(byte[] secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
        }
    }
}
