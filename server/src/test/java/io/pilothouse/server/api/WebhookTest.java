package io.pilothouse.server.api;

import static io.pilothouse.server.api.AlertExamples.WEBHOOKS;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.secret.Signature;
import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Webhooks as things, whose secrets go in and never come out. */
class WebhookTest {
    @RegisterExtension
    static final House house = House.start();

    private final ApiCaller caller = house.tenant().alerts();

    private JsonNode made(String body) {
        return caller.post(WEBHOOKS, body).data();
    }

    private static String path(JsonNode webhook) {
        return WEBHOOKS + "/" + webhook.path("id").asString();
    }

    private static String body(String name, String url, String more) {
        return "{'name': '" + name + "', 'service': 'generic', 'url': '" + url + "'" + more + "}";
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.properties().forEach(member -> names.add(member.getKey()));
        return names;
    }

    @Test
    void itsSigningSecretIsShownOnceAndItsOtherSecretsNever() throws IOException {
        JsonNode made = made(body(
                "Secrets",
                "https://example.org/hook",
                ", 'headers': {'X-Key': 'header-secret-1'}, 'queryParams': {'key': 'query-secret-1'}"));
        assertThat(made.path("signingSecret").asString()).startsWith("whsec_");
        assertThat(names(made))
                .containsExactlyInAnyOrder("id", "name", "service", "url", "signingSecret", "createdAt", "updatedAt");
        JsonNode read = caller.get(path(made)).data();
        assertThat(names(read)).containsExactlyInAnyOrder("id", "name", "service", "url", "createdAt", "updatedAt");
        String listed = caller.get(WEBHOOKS).text();
        String stored = ServiceShapeTest.everythingStored(house.folder());
        for (String secret : List.of(made.path("signingSecret").asString(), "header-secret-1", "query-secret-1")) {
            assertThat(listed).doesNotContain(secret);
            assertThat(stored.contains(secret)).as("stored as it is").isFalse();
        }
    }

    @Test
    void oneForSlackIsUnsignedAndPlain() {
        JsonNode made = made("{'name': 'Slack', 'service': 'slack', 'url': 'https://hooks.slack.com/services/x'}");
        assertThat(made.has("signingSecret")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'service': 'generic', 'url': 'https://example.org'} | name: is required",
                "{'name': 'a', 'url': 'https://example.org'} | service: is required",
                "{'name': 'a', 'service': 'pager', 'url': 'https://example.org'} | service: must be one of generic, slack",
                "{'name': 'a', 'service': 'generic'} | url: is required",
                "{'name': 'a', 'service': 'generic', 'url': 'ftp://example.org'} | url: must begin with http",
                "{'name': 'a', 'service': 'generic', 'url': 'http://10.0.0.1/'} | url: must not lead to a private",
                "{'name': 'a', 'service': 'generic', 'url': 'http://169.254.169.254/'} | url: must not lead to a private",
                "{'name': 'a', 'service': 'generic', 'url': 'http://[::1]/'} | url: must not lead to a private",
                "{'name': 'a', 'service': 'generic', 'url': 'http://[::ffff:10.0.0.1]/'} | url: must not lead to a private",
                "{'name': 'a', 'service': 'generic', 'url': 'http://u:p@example.org/'} | url: must not hold credentials",
                "{'name': 'a', 'service': 'slack', 'url': 'https://example.org'} | url: must be at slack.com",
                "{'name': 'a', 'service': 'slack', 'url': 'https://a.slack.com', 'headers': {'A': 'b'}} | headers: does not belong",
                "{'name': 'a', 'service': 'generic', 'url': 'https://example.org', 'headers': {'1A': 'b'}} | headers.1A: ",
                "{'name': 'a', 'service': 'generic', 'url': 'https://example.org', 'headers': {'Host': 'b'}} | headers.Host: ",
                "{'name': 'a', 'service': 'generic', 'url': 'https://example.org', 'headers': {'A': 5}} | headers.A: must be a string",
                "{'name': 'a', 'service': 'generic', 'url': 'https://example.org', 'headers': 5} | headers: must be an object",
                "{'name': 'a', 'service': 'generic', 'url': 'https://example.org', 'signingSecret': 'short'} | signingSecret: "
            })
    void aBrokenRuleIsReported(String body, String message) {
        assertThat(caller.post(WEBHOOKS, body).message(400)).contains(message);
    }

    @Test
    void aNameIsTakenOnceForEachService() {
        made(body("Twin", "https://example.org/1", ""));
        assertThat(caller.post(WEBHOOKS, body("Twin", "https://example.org/2", ""))
                        .message(400))
                .isEqualTo("name: is taken by another webhook of this service");
        made("{'name': 'Twin', 'service': 'incidentio', 'url': 'https://example.org/3'}");
        assertThat(house.tenant()
                        .alerts()
                        .post(WEBHOOKS, body("Twin", "https://example.org/4", ""))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void credentialsStayUnlessTheAddressChanges() throws InterruptedException {
        try (WebhookReceiver receiver = WebhookReceiver.start();
                WebhookReceiver other = WebhookReceiver.start()) {
            JsonNode webhook = made(body(
                    "Kept", receiver.url(), ", 'headers': {'X-Key': 'a-secret-2'}, 'body': 'x', 'description': 'd'"));
            JsonNode replaced = caller.put(path(webhook), body("Renamed", receiver.url(), ""))
                    .data();
            assertThat(names(replaced)).doesNotContain("body", "description", "signingSecret");
            caller.post(path(webhook) + "/test", "{}");
            assertThat(receiver.take().headers()).containsEntry("x-key", "a-secret-2");
            caller.put(path(webhook), body("Renamed", other.url(), "")).data();
            caller.post(path(webhook) + "/test", "{}");
            assertThat(other.take().headers()).doesNotContainKey("x-key").containsKey("webhook-signature");
        }
    }

    @Test
    void aSigningSecretIsRotatedWithTheOneBeforeBesideIt() throws InterruptedException {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            JsonNode webhook = made(body("Rotated", receiver.url(), ", 'signingSecret': 'the first secret'"));
            JsonNode rotated = caller.put(
                            path(webhook), body("Rotated", receiver.url(), ", 'signingSecret': 'the second secret'"))
                    .data();
            assertThat(names(rotated)).doesNotContain("signingSecret");
            caller.post(path(webhook) + "/test", "{}");
            WebhookReceiver.Message message = receiver.take();
            assertThat(message.headers().get("webhook-signature"))
                    .isEqualTo(signature("the second secret", message) + " " + signature("the first secret", message));
        }
    }

    private static String signature(String secret, WebhookReceiver.Message message) {
        return new Signature(secret)
                .of(
                        message.headers().getOrDefault("webhook-id", ""),
                        Long.parseLong(message.headers().getOrDefault("webhook-timestamp", "")),
                        message.body().getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aTestMessageReportsItsOutcomeAndNothingElse() throws InterruptedException {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            JsonNode webhook = made(body("Tested", receiver.url(), ""));
            receiver.does(WebhookReceiver.answer(418, "X-Shown: nothing"));
            JsonNode trial =
                    caller.send("POST", path(webhook) + "/test", (String) null).data();
            ApiJson.assertSame(trial.path("status"), "418");
            assertThat(names(trial)).containsExactlyInAnyOrder("status", "durationMs");
            assertThat(receiver.take().body()).contains("\"state\":\"test\"");
            receiver.does(WebhookReceiver.slam());
            ApiAnswer unanswered = caller.send("POST", path(webhook) + "/test", (String) null);
            ApiJson.assertSame(unanswered.data().path("error"), "'The webhook did not answer'");
            assertThat(unanswered.data().has("status")).isFalse();
        }
    }

    @Test
    void aNameThatLeadsToAPrivateAddressIsRefusedWhenItIsConnectedTo() {
        JsonNode webhook = made(body("Inside", "http://localhost:9/", ""));
        // Only the literal address of this machine is allowed in this house: every address of the name is checked.
        JsonNode trial =
                caller.send("POST", path(webhook) + "/test", (String) null).data();
        assertThat(trial.path("error").asString())
                .isIn("The webhook leads to a private, local or reserved address", "The webhook did not answer");
        assertThat(trial.has("status")).isFalse();
    }

    @Test
    void theListIsCutByLimitAndOffset() {
        ApiCaller fresh = house.tenant().alerts();
        for (int i = 0; i < 3; i++) {
            house.advance(Duration.ofSeconds(1));
            fresh.post(WEBHOOKS, AlertExamples.webhookBody(i)).data();
        }
        ApiAnswer answer = fresh.get(WEBHOOKS + "?limit=1&offset=1");
        assertThat(answer.data()).hasSize(1);
        ApiJson.assertSame(answer.data().get(0).path("name"), "'Hook 1'");
        ApiJson.assertSame(answer.json().path("meta"), "{'total': 3, 'limit': 1, 'offset': 1}");
    }
}
