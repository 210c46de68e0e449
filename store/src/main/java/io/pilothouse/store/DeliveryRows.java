package io.pilothouse.store;

import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.alert.DeliveryEvent;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.metric.MetricWindow;
import java.util.UUID;

/** Messages on their way as rows, found by their lane, in which their stamps put them in order. */
final class DeliveryRows implements Rows<Delivery> {
    private static final UUID NOBODY = new UUID(0, 0);

    @Override
    public Kind<Delivery> kind() {
        return Delivery.KIND;
    }

    @Override
    public String reference(Delivery row) {
        return row.laneId().toString();
    }

    @Override
    public void write(Delivery row, DocumentOut document) {
        DeliveryEvent event = row.event();
        document.text("laneId", row.laneId())
                .text("webhookId", row.webhookId())
                .text("queuedAt", row.queuedAt())
                .text("kind", event.kind())
                .text("alertId", event.alertId())
                .text("group", event.group())
                .text("title", event.title())
                .text("text", event.text())
                .decimal("value", event.value())
                .object("threshold", out -> AlertRows.write(event.threshold(), out))
                .text("from", event.window().from())
                .text("to", event.window().to());
    }

    @Override
    public Delivery read(Head head, DocumentIn document) {
        DeliveryEvent event = new DeliveryEvent(
                document.choice("kind", DeliveryEvent.Kind.FIRING),
                document.id("alertId", NOBODY),
                document.text("group", ""),
                document.text("title", ""),
                document.text("text", ""),
                document.decimalOrNull("value"),
                AlertRows.threshold(document.object("threshold")),
                new MetricWindow(document.instant("from", head.createdAt()), document.instant("to", head.createdAt())));
        return new Delivery(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                head.version(),
                document.id("laneId", NOBODY),
                document.id("webhookId", NOBODY),
                document.instant("queuedAt", head.createdAt()),
                event);
    }

    @Override
    public Delivery withVersion(Delivery row, long version) {
        return new Delivery(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                version,
                row.laneId(),
                row.webhookId(),
                row.queuedAt(),
                row.event());
    }
}
