package io.pilothouse.pipes.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a consumer reaches its brokers. */
class KafkaLoginTest {
    /** Nobody is asked where the credentials are the pipe's own. */
    private static final Link NOBODY =
            new Link(new Wire(InputStream.nullInputStream(), OutputStream.nullOutputStream()), _ -> {});

    private static final Clock NOW = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    private static final Map<String, String> KEY =
            Map.of("accessKeyId", "AKIDEXAMPLE", "secretKey", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");

    private static Tree.Members object(Map<String, String> values) {
        Tree.Members members = Tree.Members.NONE;
        for (Map.Entry<String, String> value : values.entrySet()) {
            members = members.with(value.getKey(), new Tree.Text(value.getValue()));
        }
        return members;
    }

    private static Map<String, Object> login(Map<String, String> source, Map<String, String> credentials)
            throws Owner, SourceAway {
        return KafkaLogin.of(
                NOBODY,
                new Assignment(
                        "p",
                        "kafka",
                        object(source),
                        new Tree.Members(Map.of("credentials", object(credentials))),
                        Tree.Members.NONE,
                        new Assignment.Target("d", "t", List.of(), List.of(), ""),
                        0,
                        Assignment.Errand.MOVE,
                        0,
                        new Assignment.Share(0, 1, 1, 0.5, 125)),
                NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "b:9092,                       '',            PLAINTEXT",
        "SSL://b:9092,                 '',            SSL",
        "b:9092,                       PLAIN,         SASL_SSL",
        "'SASL_PLAINTEXT://b:9092, c:9092', PLAIN,    SASL_PLAINTEXT",
        "b:9092,                       SCRAM-SHA-512, SASL_SSL",
        "b:9092,                       MUTUAL_TLS,    SSL"
    })
    void loginGoesOverTlsUnlessItIsWrittenOtherwise(String brokers, String authentication, String protocol)
            throws Owner, SourceAway {
        Map<String, Object> login = login(
                Map.of("brokers", brokers, "topics", "t", "authentication", authentication),
                Map.of("username", "u", "password", "p"));
        assertThat(login)
                .containsEntry("security.protocol", protocol)
                .containsEntry("group.id", "clickpipes-p")
                .containsEntry("auto.offset.reset", "none");
        assertThat(login.get("bootstrap.servers")).asString().startsWith("b:9092");
    }

    @Test
    void passwordsAreQuoted() throws Owner, SourceAway {
        assertThat(login(
                                Map.of("brokers", "b:1", "authentication", "SCRAM-SHA-256"),
                                Map.of("username", "u", "password", "a\"b\\c"))
                        .get("sasl.jaas.config"))
                .isEqualTo("org.apache.kafka.common.security.scram.ScramLoginModule required"
                        + " username=\"u\" password=\"a\\\"b\\\\c\";");
    }

    @Test
    void eventHubsTakesItsWholeCredentialAsThePassword() throws Owner, SourceAway {
        assertThat(login(
                                Map.of("brokers", "b:1", "authentication", "PLAIN"),
                                Map.of("connectionString", "Endpoint=sb://x"))
                        .get("sasl.jaas.config"))
                .asString()
                .contains("username=\"$ConnectionString\" password=\"Endpoint=sb://x\"");
    }

    @Test
    void brokersThatAreNoAddressesAreRefused() {
        assertThatThrownBy(() -> login(Map.of("brokers", "http://b/x"), Map.of()))
                .isInstanceOf(Owner.class);
    }

    private static Map<String, Object> iam(String brokers, Map<String, String> more) throws Owner, SourceAway {
        Map<String, String> source = new HashMap<>(Map.of("brokers", brokers, "authentication", "IAM_USER"));
        source.putAll(more);
        return login(source, KEY);
    }

    private static OAuthBearerToken token(Map<String, Object> login) throws SourceAway {
        return ((IamLogin.Tokens) Objects.requireNonNull(login.get(IamLogin.TOKENS))).now();
    }

    private static String text(OAuthBearerToken token) {
        return new String(Base64.getUrlDecoder().decode(token.value()), StandardCharsets.UTF_8);
    }

    /** Signed as the library botocore 1 does. */
    @Test
    void tokenOfMskIsAnAddressThatIsSignedForAQuarterOfAnHour() throws Owner, SourceAway {
        Map<String, Object> login = iam("b-1.events.a1b2c3.c2.kafka.us-east-1.amazonaws.com:9098,b-2:9098", Map.of());
        assertThat(login).containsEntry("security.protocol", "SASL_SSL").containsEntry("sasl.mechanism", "OAUTHBEARER");
        assertThat(text(token(login)))
                .isEqualTo("https://kafka.us-east-1.amazonaws.com/?Action=kafka-cluster%3AConnect"
                        + "&X-Amz-Algorithm=AWS4-HMAC-SHA256"
                        + "&X-Amz-Credential=AKIDEXAMPLE%2F20260102%2Fus-east-1%2Fkafka-cluster%2Faws4_request"
                        + "&X-Amz-Date=20260102T030405Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host"
                        + "&X-Amz-Signature=24ebada2ed545858377591fc84af1a1bff3c40c5e8ab0c1fc85eee156cfb42da"
                        + "&User-Agent=pilothouse");
        OAuthBearerToken token = token(login);
        assertThat(token.lifetimeMs()).isEqualTo(NOW.millis() + 900_000);
        assertThat(token.toString()).doesNotContain(token.value());
    }

    @Test
    void regionOfMskIsInTheNameOfABrokerOrGiven() throws Owner, SourceAway {
        assertThat(text(token(iam("boot-1.kafka-serverless.eu-central-1.amazonaws.com:9098", Map.of()))))
                .startsWith("https://kafka.eu-central-1.amazonaws.com/");
        assertThat(text(token(iam("kafka.example.com:9098", Map.of("region", "ap-southeast-2")))))
                .startsWith("https://kafka.ap-southeast-2.amazonaws.com/");
        assertThatThrownBy(() -> iam("kafka.example.com:9098", Map.of()))
                .isInstanceOf(Owner.class)
                .hasMessageContaining("add a region");
        assertThatThrownBy(() -> iam("kafka.example.com:9098", Map.of("region", "evil.example.com/?")))
                .isInstanceOf(Owner.class);
    }

    /** To the library, logins with the same text are one; two pipes in one process must not share theirs. */
    @Test
    void loginsOfTwoConsumersAreNeverOne() throws Owner, SourceAway {
        String brokers = "b.kafka.us-east-1.amazonaws.com:9098";
        assertThat(iam(brokers, Map.of()).get("sasl.jaas.config"))
                .isNotEqualTo(iam(brokers, Map.of()).get("sasl.jaas.config"));
    }
}
