package io.pilothouse.pipes.worker.files;

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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests without a body as S3 wants them signed, version 4. */
record ObjectSignature(String accessKeyId, String secretKey, String region) {
    private static final String EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int DATE_LENGTH = 8;

    @Override
    public String toString() {
        return "ObjectSignature[" + accessKeyId + "]";
    }

    /** The header fields for a request; the names of its query must be sorted and encoded. */
    Map<String, String> sign(String method, URI address, Instant now) {
        String time = TIME.format(now);
        String scope = time.substring(0, DATE_LENGTH) + "/" + region + "/s3/aws4_request";
        String host = address.getRawAuthority();
        String query = address.getRawQuery() == null ? "" : address.getRawQuery();
        String canonical = method + "\n" + address.getRawPath() + "\n" + query + "\nhost:" + host
                + "\nx-amz-content-sha256:" + EMPTY + "\nx-amz-date:" + time
                + "\n\nhost;x-amz-content-sha256;x-amz-date\n" + EMPTY;
        String toSign = "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + hash(canonical);
        byte[] key = hmac(("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8), time.substring(0, DATE_LENGTH));
        key = hmac(hmac(hmac(key, region), "s3"), "aws4_request");
        return Map.of(
                "x-amz-date",
                time,
                "x-amz-content-sha256",
                EMPTY,
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=" + accessKeyId + "/" + scope
                        + ", SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="
                        + HexFormat.of().formatHex(hmac(key, toSign)));
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
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
