package io.pilothouse.server;

import io.pilothouse.core.secret.AwsSignature;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerExtensionsValidatorCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallback;
import org.jspecify.annotations.Nullable;

/** What a broker of MSK does with a token, inside a real broker: it checks who signed which address, and for how long. */
public final class MskTokens implements AuthenticateCallbackHandler {
    static final String KEY_ID = "AKIAMSK";
    static final String SECRET = "an-msk-secret-nobody-shall-see";
    static final String REGION = "eu-west-3";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Duration HOLDS = Duration.ofMinutes(15);

    private record Taken(String value, long lifetimeMs) implements OAuthBearerToken {
        @Override
        public Set<String> scope() {
            return Set.of();
        }

        @Override
        public String principalName() {
            return "reader";
        }

        @Override
        public @Nullable Long startTimeMs() {
            return null;
        }
    }

    @Override
    public void configure(Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {
        // It knows its keys.
    }

    @Override
    public void handle(Callback[] callbacks) throws UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            switch (callback) {
                case OAuthBearerValidatorCallback asked -> judge(asked);
                case OAuthBearerExtensionsValidatorCallback _ -> {
                    // There are none.
                }
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    private static void judge(OAuthBearerValidatorCallback asked) {
        String address = new String(Base64.getUrlDecoder().decode(asked.tokenValue()), StandardCharsets.UTF_8);
        Map<String, String> query = query(URI.create(address));
        String keyId = query.getOrDefault("X-Amz-Credential", "").replaceAll("/.*", "");
        Instant at = TIME.parse(query.getOrDefault("X-Amz-Date", ""), Instant::from);
        boolean ofARole = keyId.startsWith("ASIA");
        String number = keyId.substring(4);
        AwsSignature signature = new AwsSignature(
                keyId,
                ofARole ? "secret-of-a-role" + number : SECRET,
                ofARole ? "token-of-a-role/+" + number + "==" : null,
                REGION,
                "kafka-cluster");
        String right = signature.presigned(
                URI.create("https://kafka." + REGION + ".amazonaws.com"),
                Map.of("Action", "kafka-cluster:Connect"),
                HOLDS,
                at);
        Instant now = Instant.now();
        if ((ofARole || keyId.equals(KEY_ID))
                && address.equals(right + "&User-Agent=pilothouse")
                && !at.isAfter(now.plusSeconds(5))
                && at.plus(HOLDS).isAfter(now)) {
            asked.token(new Taken(asked.tokenValue(), at.plus(HOLDS).toEpochMilli()));
        } else {
            asked.error("invalid_token", null, null);
        }
    }

    private static Map<String, String> query(URI address) {
        Map<String, String> query = new TreeMap<>();
        for (String one : address.getRawQuery().split("&", -1)) {
            int equals = one.indexOf('=');
            query.put(one.substring(0, equals), URLDecoder.decode(one.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
