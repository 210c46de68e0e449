package io.pilothouse.pipes.worker.files;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests without a body to a storage account of Azure with the account's key, which is in base64. */
record AzureSignature(String account, String key) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final String VERSION = "2020-04-08";
    /** The eleven fields that may stand between the method and those of Azure, all empty. */
    private static final String NO_FIELDS = "\n".repeat(11);

    @Override
    public String toString() {
        return "AzureSignature[" + account + "]";
    }

    /** The header fields for a request. */
    Map<String, String> sign(String method, URI address, Instant now) {
        String time = TIME.format(now);
        StringBuilder text = new StringBuilder(method)
                .append('\n')
                .append(NO_FIELDS)
                .append("x-ms-date:")
                .append(time)
                .append("\nx-ms-version:")
                .append(VERSION)
                .append("\n/")
                .append(account)
                .append(address.getRawPath());
        query(address)
                .forEach((name, value) ->
                        text.append('\n').append(name).append(':').append(value));
        return Map.of(
                "x-ms-date",
                time,
                "x-ms-version",
                VERSION,
                "Authorization",
                "SharedKey " + account + ":" + hmac(text.toString()));
    }

    private static Map<String, String> query(URI address) {
        Map<String, String> query = new TreeMap<>();
        String raw = address.getRawQuery() == null ? "" : address.getRawQuery();
        for (String field : raw.split("&", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                query.put(
                        field.substring(0, equals),
                        URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every JDK has HmacSHA256", impossible);
        }
    }
}
