package io.pilothouse.server.webhook;

import io.pilothouse.core.delivery.DeliveryRequest;
import io.pilothouse.core.delivery.DeliverySender;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.outgoing.OutgoingHttp;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;

/** The sender of the program, allowed to reach receivers on this machine, and with little patience for them. */
public final class LoopbackSender implements DeliverySender, AutoCloseable {
    private final WebhookSender sender;

    public LoopbackSender(Clock clock) {
        this.sender = new WebhookSender(
                WebhookAddresses.allowing(List.of("127.0.0.0/8")),
                OutgoingHttp.Resolver.ofMachine(),
                () -> (SSLSocketFactory) SSLSocketFactory.getDefault(),
                clock,
                new WebhookSender.Times(Duration.ofSeconds(10), Duration.ofSeconds(10)));
    }

    @Override
    public Outcome send(DeliveryRequest request) {
        return sender.send(request);
    }

    @Override
    public void close() {
        sender.close();
    }
}
