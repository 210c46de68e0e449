package io.pilothouse.pipes.worker.aws;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests to one service of one region, version 4. */
public record AwsSignature(String accessKeyId, String secretKey, String region, String service) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;

    /** What S3 wants to be told of the body, and signed. */
    private static final String CONTENT_HASH = "x-amz-content-sha256";

    @Override
    public String toString() {
        return "AwsSignature[" + accessKeyId + "]";
    }

    /** The header fields for a request without a body to S3; the names of its query must be sorted and encoded. */
    public Map<String, String> signObject(String method, URI address, Instant now) {
        return sign(method, address, Map.of(CONTENT_HASH, hash(new byte[0])), new byte[0], now);
    }

    /** The header fields for a request: these, the time and the signature. The names of these must be lower case. */
    public Map<String, String> sign(String method, URI address, Map<String, String> fields, byte[] body, Instant now) {
        String time = TIME.format(now);
        SortedMap<String, String> signed = new TreeMap<>(fields);
        signed.put("x-amz-date", time);
        Map<String, String> all = new TreeMap<>(signed);
        signed.put("host", address.getRawAuthority());
        String names = String.join(";", signed.keySet());
        String path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
        StringBuilder request = new StringBuilder(method + "\n" + path + "\n");
        request.append(address.getRawQuery() == null ? "" : address.getRawQuery())
                .append('\n');
        signed.forEach((name, value) ->
                request.append(name).append(':').append(value.strip()).append('\n'));
        request.append('\n').append(names).append('\n').append(hash(body));
        String scope = time.substring(0, DATE_LENGTH) + "/" + region + "/" + service + "/aws4_request";
        String toSign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n"
                + hash(request.toString().getBytes(StandardCharsets.UTF_8));
        byte[] key = hmac(("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8), time.substring(0, DATE_LENGTH));
        key = hmac(hmac(hmac(key, region), service), "aws4_request");
        all.put(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=" + accessKeyId + "/" + scope + ", SignedHeaders=" + names + ", Signature="
                        + HexFormat.of().formatHex(hmac(key, toSign)));
        return all;
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every JDK has SHA-256", impossible);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every JDK has HmacSHA256", impossible);
        }
    }
}
