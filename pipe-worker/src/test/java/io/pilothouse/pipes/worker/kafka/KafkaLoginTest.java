package io.pilothouse.pipes.worker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a consumer reaches its brokers. */
class KafkaLoginTest {
    private static Tree.Members object(Map<String, String> values) {
        Tree.Members members = Tree.Members.NONE;
        for (Map.Entry<String, String> value : values.entrySet()) {
            members = members.with(value.getKey(), new Tree.Text(value.getValue()));
        }
        return members;
    }

    private static Map<String, Object> login(Map<String, String> source, Map<String, String> credentials) throws Owner {
        return KafkaLogin.of(new Assignment(
                "p",
                "kafka",
                object(source),
                new Tree.Members(Map.of("credentials", object(credentials))),
                Tree.Members.NONE,
                new Assignment.Target("d", "t", List.of(), List.of(), ""),
                0,
                Assignment.Errand.MOVE,
                0,
                new Assignment.Share(0, 1, 1, 0.5, 125)));
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
            throws Owner {
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
    void passwordsAreQuoted() throws Owner {
        assertThat(login(
                                Map.of("brokers", "b:1", "authentication", "SCRAM-SHA-256"),
                                Map.of("username", "u", "password", "a\"b\\c"))
                        .get("sasl.jaas.config"))
                .isEqualTo("org.apache.kafka.common.security.scram.ScramLoginModule required"
                        + " username=\"u\" password=\"a\\\"b\\\\c\";");
    }

    @Test
    void eventHubsTakesItsWholeCredentialAsThePassword() throws Owner {
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
}
