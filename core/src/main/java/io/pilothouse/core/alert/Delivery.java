package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * One message on its way to one webhook, kept until it arrives or is given up. Messages of one lane (an alert, a group
 * and a webhook) are sent one after the other in the order of their stamps, so that an end never overtakes its
 * beginning.
 */
public record Delivery(Head head, UUID laneId, UUID webhookId, Instant queuedAt, DeliveryEvent event)
        implements Stored {
    /** Reference: the lane, whose first row is the message to send next. */
    public static final Kind<Delivery> KIND = new Kind<>("deliveries", Delivery.class);

    /** How long delivery is attempted. */
    private static final Duration PATIENCE = Duration.ofHours(24);

    /** The id of a message follows from its lane and its stamp, so that the same can never be queued twice. */
    public static Delivery of(Alert alert, AlertNotice notice, UUID webhookId, Instant now) {
        DeliveryEvent event = notice.event();
        UUID laneId = named(alert.id() + "|" + event.group() + "|" + webhookId);
        UUID id = named(laneId + "|" + notice.stamp());
        return new Delivery(Head.of(id, alert.organizationId(), notice.stamp()), laneId, webhookId, now, event);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    public boolean isTooOld(Instant now) {
        return !now.isBefore(queuedAt.plus(PATIENCE));
    }

    private static UUID named(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
