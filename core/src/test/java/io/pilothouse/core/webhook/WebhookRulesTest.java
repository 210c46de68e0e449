package io.pilothouse.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.pilothouse.core.alert.AlertSample;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookRulesTest {
    private static final WebhookAddresses PUBLIC = WebhookAddresses.allowing(List.of());

    static final class Draft {
        private @Nullable String name = "Hook";
        private @Nullable String service = "generic";
        private @Nullable String url = "https://example.com/hook";
        private @Nullable String description;
        private @Nullable String body;
        private @Nullable Map<String, String> headers;
        private @Nullable Map<String, String> queryParams;
        private @Nullable String signingSecret;

        private WebhookDraft build() {
            return new WebhookDraft(name, service, url, description, body, headers, queryParams, signingSecret);
        }
    }

    @Test
    void aGoodDraftComesToItsFields() {
        Draft draft = new Draft();
        draft.description = "About";
        draft.body = "{\"text\": \"{{title}}\"}";
        draft.headers = Map.of("Authorization", "Bearer x", "X-Team", "a b");
        draft.queryParams = Map.of("1 team", "ä&=");
        draft.signingSecret = "sixteen letters!";
        Faults faults = new Faults();

        WebhookRules.Fields fields = new WebhookRules(faults, PUBLIC).fields(draft.build());

        assertThat(faults.list()).isEmpty();
        assertThat(fields)
                .isEqualTo(new WebhookRules.Fields(
                        "Hook", WebhookService.GENERIC, "https://example.com/hook", "About", draft.body));
    }

    @Test
    void anEmptyDescriptionOrBodyCountsAsAbsent() {
        Draft draft = new Draft();
        draft.description = "";
        draft.body = "";

        WebhookRules.Fields fields = new WebhookRules(new Faults(), PUBLIC).fields(draft.build());

        assertThat(fields.description()).isNull();
        assertThat(fields.body()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://slack.com/x", "https://hooks.slack.com/services/T/B/x", "http://HOOKS.SLACK.COM/x"})
    void slackIsReachedAtSlack(String url) {
        assertThat(faults(draft -> {
                    draft.service = "slack";
                    draft.url = url;
                    draft.body = "";
                    draft.headers = Map.of();
                    draft.queryParams = Map.of();
                }))
                .isEmpty();
    }

    static Stream<Arguments> faults() {
        Map<String, String> many = IntStream.range(0, 101)
                .boxed()
                .collect(Collectors.toMap(i -> "h" + i, i -> "x", (a, b) -> a, TreeMap::new));
        return Stream.of(
                of("name: is required", draft -> draft.name = " "),
                of("name: must be at most 1024 characters", draft -> draft.name = "x".repeat(1025)),
                of("service: is required", draft -> draft.service = null),
                of("service: must be one of generic, slack, incidentio", draft -> draft.service = "teams"),
                of("url: is required", draft -> draft.url = null),
                of(
                        "url: must be at most 2048 characters",
                        draft -> draft.url = "https://a.example/" + "x".repeat(2031)),
                of("url: is not a URL", draft -> draft.url = "https://exa mple.com"),
                of("url: must begin with http:// or https://", draft -> draft.url = "ftp://example.com"),
                of("url: must begin with http:// or https://", draft -> draft.url = "example.com/hook"),
                of("url: must name a host and, if any, a port from 1 to 65535", draft -> draft.url = "https:///hook"),
                of(
                        "url: must name a host and, if any, a port from 1 to 65535",
                        draft -> draft.url = "https://exa_mple/hook"),
                of(
                        "url: must name a host and, if any, a port from 1 to 65535",
                        draft -> draft.url = "https://example.com:0/"),
                of(
                        "url: must name a host and, if any, a port from 1 to 65535",
                        draft -> draft.url = "https://example.com:65536/"),
                of(
                        "url: must not hold credentials: put them into headers, which are never shown",
                        draft -> draft.url = "https://user:word@example.com/"),
                of("url: must not have a fragment", draft -> draft.url = "https://example.com/#part"),
                of("url: must be at slack.com for the service slack", draft -> {
                    draft.service = "slack";
                    draft.url = "https://notslack.com/x";
                }),
                of("description: must be at most 2048 characters", draft -> draft.description = "x".repeat(2049)),
                of("body: must be at most 16384 characters", draft -> draft.body = "x".repeat(16_385)),
                of("headers: must have at most 100 entries", draft -> draft.headers = many),
                of(
                        "headers.X: must be at most 4096 characters",
                        draft -> draft.headers = Map.of("X", "x".repeat(4097))),
                of(
                        "headers.X: must have a name, and no control characters",
                        draft -> draft.headers = Map.of("X", "a\r\nHost: b")),
                of("headers.1X: is not the name of a header", draft -> draft.headers = Map.of("1X", "x")),
                of("headers.X Y: is not the name of a header", draft -> draft.headers = Map.of("X Y", "x")),
                of("headers.hOST: is set by the sender", draft -> draft.headers = Map.of("hOST", "x")),
                of(
                        "headers.Transfer-Encoding: is set by the sender",
                        draft -> draft.headers = Map.of("Transfer-Encoding", "x")),
                of(
                        "headers.Webhook-Signature: is set by the sender",
                        draft -> draft.headers = Map.of("Webhook-Signature", "x")),
                of("queryParams: must have at most 100 entries", draft -> draft.queryParams = many),
                of(
                        "queryParams.: must have a name, and no control characters",
                        draft -> draft.queryParams = Map.of("", "x")),
                of(
                        "queryParams.?: must have a name, and no control characters",
                        draft -> draft.queryParams = Map.of("a\nb", "x")),
                of(
                        "signingSecret: must be 16 to 256 characters without control characters",
                        draft -> draft.signingSecret = "x".repeat(15)),
                of(
                        "signingSecret: must be 16 to 256 characters without control characters",
                        draft -> draft.signingSecret = "x".repeat(257)),
                of(
                        "signingSecret: must be 16 to 256 characters without control characters",
                        draft -> draft.signingSecret = "x".repeat(16) + "\u0001"),
                of(
                        "signingSecret: must go on with 16 bytes or more in base64 after whsec_",
                        draft -> draft.signingSecret = "whsec_!!!!!!!!!!!!"),
                of(
                        "signingSecret: must go on with 16 bytes or more in base64 after whsec_",
                        draft -> draft.signingSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0"),
                of("body: does not belong to the service slack", draft -> slack(draft).body = "{}"),
                of("headers: does not belong to the service slack", draft -> slack(draft).headers = Map.of("X", "x")),
                of(
                        "queryParams: does not belong to the service slack",
                        draft -> slack(draft).queryParams = Map.of("X", "x")));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyFaultIsReportedWithItsPlace(String fault, Consumer<Draft> change) {
        assertThat(faults(change)).containsExactly(fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1/",
                "http://10.1.2.3/",
                "http://169.254.169.254/latest/meta-data",
                "http://[::1]/",
                "http://[::ffff:10.0.0.1]/",
                "http://[fd00::1]/",
                "http://0.0.0.0:8080/"
            })
    void aLiteralAddressThatIsNotPublicIsRefused(String url) {
        assertThat(faults(draft -> draft.url = url))
                .containsExactly("url: must not lead to a private, local or reserved address");
    }

    @Test
    void aSecretInBase64IsTaken() {
        assertThat(faults(draft -> draft.signingSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NQ=="))
                .isEmpty();
    }

    @Test
    void noErrorShowsASecret() {
        List<String> faults = faults(draft -> {
            draft.headers = Map.of("X", "hunter2\n");
            draft.queryParams = Map.of("Y", "hunter2\n");
            draft.signingSecret = "hunter2";
        });

        assertThat(faults).hasSize(3).noneMatch(fault -> fault.contains("hunter2"));
        assertThat(new Draft().build()).hasToString("WebhookDraft[]");
    }

    @Test
    void aValueOfTheWrongTypeIsNotMissingToo() {
        Faults faults = new Faults();
        List.of("name", "service", "url", "signingSecret").forEach(path -> faults.add(path, "must be a string"));
        WebhookDraft nothing = new WebhookDraft(null, null, null, null, null, null, null, "x");

        new WebhookRules(faults, PUBLIC).fields(nothing);

        assertThat(faults.list()).hasSize(4);
    }

    @Test
    void secretsComeBackAsTheyWentIn() {
        WebhookSecrets secrets = new WebhookSecrets(
                Map.of("Authorization", "Bearer \u00e9", "X-Empty", ""), Map.of("a", "b=c&d"), "whsec_AAAA");

        assertThat(WebhookSecrets.of(secrets.toBytes())).isEqualTo(secrets);
        assertThat(WebhookSecrets.of(WebhookSecrets.NONE.toBytes())).isEqualTo(WebhookSecrets.NONE);
        assertThat(secrets.toString()).isEqualTo("WebhookSecrets[]");
    }

    @Test
    void aWebhookPrintsItsIdOnlyAndItsNameIsUniqueForItsService() {
        Webhook webhook = new Webhook(
                new Head(AlertSample.WEBHOOK, AlertSample.ORGANIZATION, AlertSample.NOW, 1),
                AlertSample.NOW,
                "Hook",
                WebhookService.INCIDENTIO,
                "https://example.com",
                null,
                null,
                "sealed");

        assertThat(webhook).hasToString("Webhook[" + AlertSample.WEBHOOK + "]");
        assertThat(webhook.ownerId()).isEqualTo(AlertSample.ORGANIZATION);
        assertThat(webhook.uniqueName()).isEqualTo(AlertSample.ORGANIZATION + ":incidentio:Hook");
        assertThat(webhook.withSealedSecrets("again").sealedSecrets()).isEqualTo("again");
        assertThat(new WebhookCreated(webhook, "hunter2")).hasToString("WebhookCreated[" + AlertSample.WEBHOOK + "]");
    }

    private static Draft slack(Draft draft) {
        draft.service = "slack";
        draft.url = "https://hooks.slack.com/x";
        return draft;
    }

    private static Arguments of(String fault, Consumer<Draft> change) {
        return arguments(fault, change);
    }

    private static List<String> faults(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        Faults faults = new Faults();
        new WebhookRules(faults, PUBLIC).fields(draft.build());
        return faults.list().stream()
                .map(fault -> fault.path() + ": " + fault.message())
                .toList();
    }
}
