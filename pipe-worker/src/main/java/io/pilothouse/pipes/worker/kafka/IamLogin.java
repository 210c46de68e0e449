package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SaslExtensions;
import org.apache.kafka.common.security.auth.SaslExtensionsCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerTokenCallback;

/**
 * Logs in to MSK with keys of AWS: the token is an address that proves who may connect to the cluster, signed for a
 * quarter of an hour. The library asks for another before one ends.
 */
public final class IamLogin implements AuthenticateCallbackHandler {
    /** In the configuration of a consumer: where its tokens come from. */
    static final String TOKENS = "pilothouse.tokens";

    private static final Duration HOLDS = Duration.ofMinutes(15);
    private Tokens tokens = () -> {
        throw new SourceAway("The login has no keys.");
    };

    /** Makes a token that is good from now on. */
    @FunctionalInterface
    interface Tokens {
        OAuthBearerToken now() throws SourceAway;
    }

    /** What brokers of MSK take. */
    record Token(String value, long startMillis, long lifetimeMs) implements OAuthBearerToken {
        @Override
        public Set<String> scope() {
            return Set.of();
        }

        @Override
        public String principalName() {
            return "pilothouse";
        }

        @Override
        public Long startTimeMs() {
            return startMillis;
        }

        @Override
        public String toString() {
            return "Token[" + lifetimeMs + "]";
        }
    }

    static Tokens tokens(AwsKeys keys, String region, Clock clock) {
        URI cluster = URI.create("https://kafka." + region + ".amazonaws.com");
        return () -> {
            Instant now = clock.instant();
            String address = keys.signature(region, "kafka-cluster")
                            .presigned(cluster, Map.of("Action", "kafka-cluster:Connect"), HOLDS, now)
                    + "&User-Agent=pilothouse";
            String value =
                    Base64.getUrlEncoder().withoutPadding().encodeToString(address.getBytes(StandardCharsets.UTF_8));
            return new Token(value, now.toEpochMilli(), now.plus(HOLDS).toEpochMilli());
        };
    }

    @Override
    public void configure(Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {
        if (configs.get(TOKENS) instanceof Tokens given) {
            tokens = given;
        }
    }

    @Override
    public void handle(Callback[] callbacks) throws UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            switch (callback) {
                case OAuthBearerTokenCallback wanted -> answer(wanted);
                case SaslExtensionsCallback wanted -> wanted.extensions(SaslExtensions.empty());
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    private void answer(OAuthBearerTokenCallback wanted) {
        try {
            wanted.token(tokens.now());
        } catch (SourceAway away) {
            wanted.error("temporarily_unavailable", away.sentence(), null);
        }
    }

    @Override
    public void close() {
        // Nothing is open between two tokens.
    }
}
