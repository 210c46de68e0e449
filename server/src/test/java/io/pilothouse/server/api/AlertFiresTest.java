package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.testkit.FakePlane.Deed;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** From a database that breaks down to the message about it, through the whole program. */
class AlertFiresTest {
    @RegisterExtension
    static final House house = House.onFakePlane();

    private final Tenant tenant = house.tenant();
    private final ApiCaller caller = tenant.alerts();

    private String stateOf(JsonNode alert) {
        return caller.get(AlertExamples.ALERTS + "/" + alert.path("id").asString())
                .data()
                .path("state")
                .asString();
    }

    private List<String> history() {
        return tenant.admin()
                .get(tenant.path() + "/activities")
                .ok()
                .valueStream()
                .map(line -> line.path("type").asString())
                .toList();
    }

    private static String signature(String secret, Map<String, String> headers, String body)
            throws GeneralSecurityException {
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String signed = headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + "." + body;
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aServiceThatBreaksDownIsReportedAndSoIsItsRecovery() throws InterruptedException, GeneralSecurityException {
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            JsonNode webhook = caller.post(
                            AlertExamples.WEBHOOKS,
                            "{'name': 'Hook', 'service': 'generic', 'url': '" + receiver.url() + "'}")
                    .data();
            JsonNode alert = caller.post(
                            AlertExamples.ALERTS,
                            AlertExamples.ALERT
                                    .replace("'threshold': 3", "'threshold': 1")
                                    .replace(
                                            "{'type': 'activity'}",
                                            "{'type': 'webhook', 'webhookId': '"
                                                    + webhook.path("id").asString() + "'}"))
                    .data();
            JsonNode service = tenant.running();
            house.plane.trap((deed, id, done) -> {
                if (deed == Deed.START) {
                    throw new PlaneFault("Out of memory");
                }
            });
            house.plane.breakDown(UUID.fromString(service.path("id").asString()), "Out of memory");
            house.await("it fires", () -> stateOf(alert).equals("firing"));
            house.await("it is reported", () -> !receiver.messages().isEmpty());

            WebhookReceiver.Message message = receiver.take();
            JsonNode body = ApiJson.read(message.body().getBytes(StandardCharsets.UTF_8));
            ApiJson.assertSame(body.path("state"), "'firing'");
            ApiJson.assertSame(body.path("title"), "'Firing: Too many'");
            assertThat(body.path("group").asString())
                    .isEqualTo("service:" + service.path("id").asString());
            assertThat(body.path("link").asString())
                    .endsWith("/api/v2/alerts/" + body.path("alertId").asString());
            assertThat(message.headers())
                    .containsEntry(
                            "webhook-signature",
                            signature(webhook.path("signingSecret").asString(), message.headers(), message.body()));

            // The built-in alert writes the same into the organization's history, which needs no receiver.
            house.await("the history shows it", () -> history().contains("alert_firing"));
            house.plane.trap((deed, id, done) -> {});
            house.await("it is over", () -> stateOf(alert).equals("inactive"));
            house.await("the history shows its end", () -> history().contains("alert_resolved"));
            house.await("its end is reported", () -> receiver.messages().size() == 2);
            assertThat(receiver.take().body()).contains("\"state\":\"resolved\"");
            JsonNode lines = caller.get(
                            AlertExamples.ALERTS + "/" + alert.path("id").asString() + "/evaluations?limit=2")
                    .data();
            assertThat(lines.valueStream().map(line -> line.path("state").asString()))
                    .containsExactly("inactive", "firing");
        }
    }
}
