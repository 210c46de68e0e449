package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.delivery.DeliveryRequest;
import io.pilothouse.core.delivery.DeliverySender.Answered;
import io.pilothouse.core.delivery.DeliverySender.Outcome;
import io.pilothouse.core.delivery.DeliverySender.Unanswered;
import io.pilothouse.core.metric.MetricWindow;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.core.webhook.WebhookSecrets;
import io.pilothouse.core.webhook.WebhookService;
import io.pilothouse.server.webhook.WebhookReceiver;
import io.pilothouse.server.webhook.WebhookSender;
import io.pilothouse.testkit.SelfSigned;
import io.pilothouse.testkit.SimTime;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages over TLS: to the name that the certificate is for, and to no other. */
class WebhookTlsIT {
    private static final String NAME = "hooks.example.org";

    @TempDir
    private Path folder;

    private SSLContext tls;

    @BeforeEach
    void makeCertificate() throws IOException, InterruptedException, GeneralSecurityException {
        SelfSigned own = SelfSigned.forName(NAME, folder);
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(own.keys());
        tls = SSLContext.getInstance("TLS");
        tls.init(own.keyManagers(), trusted.getTrustManagers(), null);
    }

    private Outcome send(String url) {
        Webhook webhook = new Webhook(
                Head.of(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH),
                Instant.EPOCH,
                "Hook",
                WebhookService.GENERIC,
                url,
                null,
                null,
                "");
        DeliveryEvent event = new DeliveryEvent(
                DeliveryEvent.Kind.TEST,
                webhook.id(),
                "",
                "Title",
                "Text",
                null,
                new AlertThreshold(AlertThreshold.Type.ABOVE, 1, null),
                new MetricWindow(Instant.EPOCH, Instant.EPOCH));
        SimTime time = new SimTime();
        try (WebhookSender sender = new WebhookSender(
                WebhookAddresses.allowing(List.of("127.0.0.0/8")),
                _ -> List.of(InetAddress.getLoopbackAddress()),
                tls::getSocketFactory,
                time,
                new WebhookSender.Times(Duration.ofSeconds(5), Duration.ofSeconds(10)))) {
            return sender.send(DeliveryRequest.of(
                    UUID.randomUUID(), event, webhook, WebhookSecrets.NONE, "http://alerts.example", time));
        }
    }

    @Test
    void theNameOfTheCertificateIsTrustedAndAnyOtherIsNot() throws InterruptedException {
        try (WebhookReceiver receiver = WebhookReceiver.start(tls.getServerSocketFactory())) {
            assertThat(send("https://" + NAME + ":" + receiver.port() + "/hook"))
                    .isEqualTo(new Answered(204, null));
            assertThat(receiver.take().headers()).containsEntry("host", NAME + ":" + receiver.port());
            Unanswered untrusted = new Unanswered("The webhook has no TLS that can be trusted");
            assertThat(send("https://other.example.org:" + receiver.port() + "/hook"))
                    .isEqualTo(untrusted);
            assertThat(send("https://127.0.0.1:" + receiver.port() + "/hook")).isEqualTo(untrusted);
            assertThat(receiver.messages()).hasSize(1);
        }
    }
}
