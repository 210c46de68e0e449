package io.pilothouse.core.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertGroup;
import io.pilothouse.core.alert.AlertNotice;
import io.pilothouse.core.alert.AlertRule;
import io.pilothouse.core.alert.AlertSample;
import io.pilothouse.core.alert.AlertState;
import io.pilothouse.core.alert.AlertTemplate;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.AlertWatch;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.secret.Signature;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookSecrets;
import io.pilothouse.core.webhook.WebhookService;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final UUID ID = UUID.fromString("55555555-5555-4555-8555-555555555555");
    private static final MetricWindow WINDOW =
            new MetricWindow(Instant.parse("2026-03-01T12:00:00Z"), Instant.parse("2026-03-01T12:01:00Z"));
    private static final String LINK = "http://pilothouse.example/api/v2/alerts/" + AlertSample.ALERT;

    @Test
    void aSignatureIsTheOneOfTheConvention() {
        // The example that the convention's own documents give.
        Signature signature = new Signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

        assertThat(signature.of(
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1_614_265_330,
                        "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void aMessageIsSignedOverItsIdItsTimeAndItsBody() throws GeneralSecurityException {
        WebhookSecrets secrets = new WebhookSecrets(Map.of(), Map.of(), "a secret of mine");

        DeliveryRequest request = request(webhook("generic", null), secrets, event(DeliveryEvent.Kind.FIRING, ""));

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("a secret of mine".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signed = ID + "." + request.headers().get("webhook-timestamp") + "."
                + new String(request.body(), StandardCharsets.UTF_8);
        String expected = Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        assertThat(request.headers())
                .containsEntry("webhook-signature", "v1," + expected)
                .containsEntry("webhook-id", ID.toString())
                .containsEntry("Idempotency-Key", ID.toString())
                .containsEntry("webhook-timestamp", Long.toString(AlertSample.NOW.getEpochSecond()))
                .containsEntry("Content-Type", "application/json");
    }

    @Test
    void aSecretThatWasReplacedSignsBesideTheNewOneForADay() {
        WebhookSecrets first = new WebhookSecrets(Map.of("X-Key", "k"), Map.of(), "the first secret");
        WebhookSecrets second = first.rotated("the second secret", AlertSample.NOW);
        WebhookSecrets third = second.rotated("the third secret", AlertSample.NOW.plusSeconds(1));

        assertThat(signatures(second)).containsExactly(only("the second secret"), only("the first secret"));
        assertThat(signatures(WebhookSecrets.of(second.toBytes()))).isEqualTo(signatures(second));
        assertThat(signatures(third)).containsExactly(only("the third secret"), only("the second secret"));
        assertThat(second.rotated("the second secret", AlertSample.NOW.plusSeconds(1)))
                .isEqualTo(second);
        assertThat(second.signingSecrets(AlertSample.NOW.plus(Duration.ofDays(1))))
                .containsExactly("the second secret");
        assertThat(second.headers()).isEqualTo(first.headers());
    }

    @Test
    void theFirstSecretOfAnUnsignedWebhookSignsAlone() {
        assertThat(signatures(WebhookSecrets.NONE.rotated("the first secret", AlertSample.NOW)))
                .containsExactly(only("the first secret"));
    }

    private static String only(String secret) {
        return signatures(new WebhookSecrets(Map.of(), Map.of(), secret)).getFirst();
    }

    private static List<String> signatures(WebhookSecrets secrets) {
        DeliveryRequest request = request(webhook("generic", null), secrets, event(DeliveryEvent.Kind.FIRING, ""));
        return List.of(
                String.valueOf(request.headers().get("webhook-signature")).split(" "));
    }

    @Test
    void aNewSecretIsOneOfTheConvention() {
        String secret = Signature.newSecret(new SecureRandom());

        assertThat(secret).startsWith("whsec_");
        assertThat(Base64.getDecoder().decode(secret.substring(6))).hasSize(32);
    }

    @Test
    void credentialsGoAlongAndAreShownNowhere() {
        WebhookSecrets secrets = new WebhookSecrets(Map.of("X-Key", "hunter2"), Map.of("to ken", "a&b"), "");
        Webhook webhook = webhook("generic", null);

        DeliveryRequest request = request(webhook, secrets, event(DeliveryEvent.Kind.FIRING, ""));

        assertThat(request.headers()).containsEntry("X-Key", "hunter2").doesNotContainKey("webhook-signature");
        assertThat(request.url()).hasToString("https://example.com/hook?to%20ken=a%26b");
        assertThat(request).hasToString("DeliveryRequest[example.com]");
    }

    @Test
    void queryParametersAreAddedToThoseOfTheUrl() {
        WebhookSecrets secrets = new WebhookSecrets(Map.of(), Map.of("b", "2"), "");
        Webhook known = webhook("generic", null);
        Webhook webhook = new Webhook(
                new Head(known.id(), known.organizationId(), known.createdAt(), 1),
                known.updatedAt(),
                known.name(),
                known.service(),
                "https://example.com/hook?a=1",
                null,
                null,
                "sealed");

        assertThat(request(webhook, secrets, event(DeliveryEvent.Kind.FIRING, ""))
                        .url())
                .hasToString("https://example.com/hook?a=1&b=2");
    }

    @Test
    void aGenericMessageHasEverythingInIt() {
        String body = body("generic", null, event(DeliveryEvent.Kind.FIRING, "service:1"));

        assertThat(body)
                .isEqualTo(
                        "{\"title\":\"Firing: \\\"a\\\" <b> & c|d\",\"body\":\"It was 7.\\u000aMore \\\\ text\\u0001\","
                                + "\"state\":\"firing\",\"alertId\":\"" + AlertSample.ALERT + "\",\"eventId\":\""
                                + eventId("service:1") + "\",\"group\":\"service:1\",\"value\":7.5,\"threshold\":5,"
                                + "\"thresholdMax\":null,\"thresholdType\":\"above\",\"window\":{\"from\":"
                                + "\"2026-03-01T12:00:00Z\",\"to\":\"2026-03-01T12:01:00Z\"},\"link\":\"" + LINK
                                + "\"}");
    }

    @Test
    void aMessageWithoutGroupOrValueSaysNull() {
        assertThat(body("generic", null, event(DeliveryEvent.Kind.RESOLVED, "")))
                .contains("\"state\":\"resolved\"")
                .contains("\"group\":null,\"value\":null");
    }

    @Test
    void slackReadsTextAndOneBlock() {
        assertThat(body("slack", null, event(DeliveryEvent.Kind.FIRING, "")))
                .isEqualTo("{\"text\":\"Firing: \\\"a\\\" &lt;b&gt; &amp; c|d\",\"blocks\":[{\"type\":\"section\","
                        + "\"text\":{\"type\":\"mrkdwn\",\"text\":\"*<" + LINK
                        + "|Firing: \\\"a\\\" &lt;b&gt; &amp; c d>*\\u000aIt was 7.\\u000aMore \\\\ text\\u0001\"}}]}");
    }

    @Test
    void anIncidentIsKeptTogetherByItsEvent() {
        assertThat(body("incidentio", null, event(DeliveryEvent.Kind.RESOLVED, "g")))
                .contains("\"status\":\"resolved\"")
                .contains("\"deduplication_key\":\"" + eventId("g") + "\"")
                .contains("\"group\":\"g\"");
        assertThat(body("incidentio", null, event(DeliveryEvent.Kind.FIRING, "g")))
                .contains("\"status\":\"firing\"");
    }

    @Test
    void aTemplateIsFilledWithValuesThatFitIntoJson() {
        String template =
                "{\"t\": \"{{ title }}\", \"v\": \"{{value}}\", \"s\": \"{{startTime}}\", \"x\": \"{{unknown}}\"}";

        assertThat(body("generic", template, event(DeliveryEvent.Kind.FIRING, "")))
                .isEqualTo("{\"t\": \"Firing: \\\"a\\\" <b> & c|d\", \"v\": \"7.5\", \"s\": \"1772366400000\", \"x\":"
                        + " \"\"}");
        assertThat(body("incidentio", "{{value}}{{threshold}}", event(DeliveryEvent.Kind.RESOLVED, "")))
                .isEqualTo("5");
    }

    @Test
    void aTemplateIsCutAtALength() {
        String template = "{{a}}".repeat(1_000);

        String filled = new AlertTemplate(template).fill(Map.of("a", "x".repeat(100)), UnaryOperator.identity(), 1_050);

        assertThat(filled).hasSize(1_050);
        assertThat(new AlertTemplate("a\ud83d\ude00").fill(Map.of(), UnaryOperator.identity(), 2))
                .isEqualTo("a");
        assertThat(new AlertTemplate("{{}} {{a b}} {{ a").fill(Map.of("a", "1"), UnaryOperator.identity(), 99))
                .isEqualTo("{{}} {{a b}} {{ a");
    }

    @Test
    void aMessageKnowsItsLaneAndCanBeQueuedOnlyOnce() {
        Alert alert = AlertSample.alert(AlertSample.rule(1, AlertSample.CHANNEL));
        AlertNotice notice =
                new AlertNotice(AlertSample.CHANNEL, AlertSample.NOW, event(DeliveryEvent.Kind.FIRING, "a"));
        AlertNotice later = new AlertNotice(
                AlertSample.CHANNEL, AlertSample.NOW.plusNanos(1), event(DeliveryEvent.Kind.RESOLVED, "a"));
        AlertNotice other =
                new AlertNotice(AlertSample.CHANNEL, AlertSample.NOW, event(DeliveryEvent.Kind.FIRING, "b"));

        Delivery delivery = Delivery.of(alert, notice, AlertSample.WEBHOOK, AlertSample.NOW);

        assertThat(Delivery.of(alert, notice, AlertSample.WEBHOOK, AlertSample.NOW.plusSeconds(9))
                        .id())
                .isEqualTo(delivery.id());
        assertThat(Delivery.of(alert, later, AlertSample.WEBHOOK, AlertSample.NOW))
                .returns(delivery.laneId(), Delivery::laneId)
                .doesNotReturn(delivery.id(), Delivery::id);
        assertThat(Delivery.of(alert, other, AlertSample.WEBHOOK, AlertSample.NOW)
                        .laneId())
                .isNotEqualTo(delivery.laneId());
        assertThat(delivery.ownerId()).isEqualTo(AlertSample.ORGANIZATION);
        assertThat(delivery.createdAt()).isEqualTo(AlertSample.NOW);
    }

    @Test
    void aMessageIsTriedForADay() {
        Alert alert = AlertSample.alert(AlertSample.rule(1, AlertSample.CHANNEL));
        AlertNotice notice =
                new AlertNotice(AlertSample.CHANNEL, AlertSample.NOW, event(DeliveryEvent.Kind.FIRING, "a"));
        Delivery delivery = Delivery.of(alert, notice, AlertSample.WEBHOOK, AlertSample.NOW);
        Instant end = AlertSample.NOW.plus(Duration.ofHours(24));

        assertThat(delivery.isTooOld(end.minusNanos(1))).isFalse();
        assertThat(delivery.isTooOld(end)).isTrue();
    }

    @Test
    void aNoticeSaysWhatWasMeasuredAndFillsTheNamesOfTheRule() {
        AlertRule known = AlertSample.rule(1, AlertSample.CHANNEL);
        AlertRule rule = new AlertRule(
                "{{value}} over {{threshold}}",
                "Look at {{group}} since {{startTime}}.",
                null,
                known.threshold(),
                known.schedule(),
                null,
                known.dashboardId(),
                known.tileId(),
                known.channels());

        assertThat(notice(rule, "state:failed", AlertState.FIRING, 7.0))
                .returns("Firing: 7 over 5", DeliveryEvent::title)
                .returns(
                        "Requests (state:failed) is at or above 5: it was 7 from 2026-03-01T12:00:00Z to"
                                + " 2026-03-01T12:01:00Z.\nLook at state:failed since 2026-03-01T12:00:00Z.",
                        DeliveryEvent::text);
        assertThat(notice(known, "", AlertState.INACTIVE, 1.0))
                .returns("Resolved: Too many", DeliveryEvent::title)
                .returns(
                        "Requests is no longer at or above 5: it was 1 from 2026-03-01T12:00:00Z to"
                                + " 2026-03-01T12:01:00Z.",
                        DeliveryEvent::text);
        assertThat(notice(rule, "", AlertState.FIRING, null))
                .returns("Firing:  over 5", DeliveryEvent::title)
                .returns(
                        "Requests was at or above 5 when it was last measured.\n"
                                + "Look at  since 2026-03-01T12:00:00Z.",
                        DeliveryEvent::text);
        assertThat(notice(known, "", AlertState.INACTIVE, null).text())
                .isEqualTo("Requests is no longer at or above 5: there is nothing left to measure.");
    }

    @Test
    void thoseWhoBelieveInAFireHearThatItsAlertIsDeleted() {
        Alert alert = AlertSample.alert(AlertSample.rule(1, AlertSample.CHANNEL));
        AlertGroup quiet = AlertGroup.fresh(AlertSample.NOW);
        AlertGroup notified = quiet.withNotified(List.of(AlertSample.CHANNEL, new AlertChannel.ToActivities()));
        AlertWatch watch =
                new AlertWatch(AlertSample.NOW, AlertSample.NOW, Map.of("a", quiet, "b", notified), null, Map.of());

        List<AlertNotice> notices = AlertNotice.farewell(alert.withWatch(watch), AlertSample.NOW);

        assertThat(notices).hasSize(2).allSatisfy(notice -> {
            assertThat(notice.event().group()).isEqualTo("b");
            assertThat(notice.event().kind()).isEqualTo(DeliveryEvent.Kind.RESOLVED);
            assertThat(notice.stamp()).isEqualTo(AlertSample.NOW.plusNanos(1));
        });
        assertThat(AlertNotice.farewell(alert, AlertSample.NOW)).isEmpty();
    }

    private static DeliveryEvent notice(AlertRule rule, String group, AlertState state, @Nullable Double value) {
        AlertGroup found = new AlertGroup(state, 1, 0, AlertSample.NOW, value, List.of());
        return AlertNotice.of(
                        AlertSample.CHANNEL,
                        AlertSample.NOW,
                        AlertSample.alert(rule),
                        AlertSample.tile(),
                        group,
                        found,
                        WINDOW)
                .event();
    }

    private static UUID eventId(String group) {
        return new UUID(
                AlertSample.ALERT.getMostSignificantBits() ^ group.hashCode(),
                AlertSample.ALERT.getLeastSignificantBits());
    }

    private static DeliveryEvent event(DeliveryEvent.Kind kind, String group) {
        return new DeliveryEvent(
                kind,
                AlertSample.ALERT,
                group,
                "Firing: \"a\" <b> & c|d",
                "It was 7.\nMore \\ text\u0001",
                kind == DeliveryEvent.Kind.FIRING ? 7.5 : null,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 5, null),
                WINDOW);
    }

    private static String body(String service, @Nullable String template, DeliveryEvent event) {
        DeliveryRequest request = request(webhook(service, template), WebhookSecrets.NONE, event);
        return new String(request.body(), StandardCharsets.UTF_8);
    }

    private static DeliveryRequest request(Webhook webhook, WebhookSecrets secrets, DeliveryEvent event) {
        return DeliveryRequest.of(ID, event, webhook, secrets, "http://pilothouse.example", () -> AlertSample.NOW);
    }

    private static Webhook webhook(String service, @Nullable String body) {
        return new Webhook(
                new Head(AlertSample.WEBHOOK, AlertSample.ORGANIZATION, AlertSample.NOW, 1),
                AlertSample.NOW,
                "Hook",
                WebhookService.find(service).orElseThrow(),
                "https://example.com/hook",
                null,
                body,
                "sealed");
    }
}
