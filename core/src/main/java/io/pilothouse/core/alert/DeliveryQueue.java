package io.pilothouse.core.alert;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Queues notices for delivery in the transaction of what they report: both are kept or neither is. */
public final class DeliveryQueue {
    private DeliveryQueue() {}

    public static void add(Tables tables, Alert alert, List<AlertNotice> notices, Instant now) {
        for (AlertNotice notice : notices) {
            switch (notice.channel()) {
                case AlertChannel.ToActivities _ ->
                    tables.of(Activity.KIND).insert(activity(tables.newId(now), alert, notice, now));
                case AlertChannel.ToWebhook(UUID webhookId) -> {
                    Delivery delivery = tables.of(Delivery.KIND).insert(Delivery.of(alert, notice, webhookId, now));
                    tables.tasks().wake(Tasks.Kind.DELIVERY, delivery.laneId(), Tasks.Urgency.CHANGED, now);
                }
            }
        }
    }

    private static Activity activity(UUID id, Alert alert, AlertNotice notice, Instant now) {
        boolean fires = notice.event().kind() == DeliveryEvent.Kind.FIRING;
        return new Activity(
                Head.of(id, alert.organizationId(), now),
                fires ? "alert_firing" : "alert_resolved",
                "system",
                null,
                notice.event().title(),
                null,
                null,
                alert.id());
    }
}
