package io.pilothouse.testkit.simulation;

import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.delivery.DeliveryRequest;
import io.pilothouse.core.delivery.DeliverySender;
import io.pilothouse.core.port.Store;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Takes messages, and knows from the store which one was next: when a message arrives for the first time, none of its
 * lane that is older may still be waiting.
 */
final class SimReceiver {
    private static final int MAX_LANE = 500;
    private static final int OK = 200;
    private static final int BUSY = 503;

    private final Store store;
    private final Set<UUID> arrived = new HashSet<>();

    SimReceiver(Store store) {
        this.store = store;
    }

    boolean has(UUID deliveryId) {
        return arrived.contains(deliveryId);
    }

    /** As a process reaches it: it answers, or there is no answer. */
    DeliverySender through(SimWorld world, SimPort port, SimFaults faults) {
        return request -> {
            try {
                return port.<DeliverySender.Outcome, NoAnswer>call(
                        "message", () -> take(world, request, faults), NoAnswer::new);
            } catch (NoAnswer none) {
                return new DeliverySender.Unanswered(String.valueOf(none.getMessage()));
            }
        };
    }

    private static final class NoAnswer extends Exception {
        private static final long serialVersionUID = 1L;

        NoAnswer(String why) {
            super(why);
        }
    }

    private DeliverySender.Outcome take(SimWorld world, DeliveryRequest request, SimFaults faults) {
        if (faults.receiverAway()) {
            return new DeliverySender.Answered(BUSY, null);
        }
        UUID id = UUID.fromString(request.headers().getOrDefault("webhook-id", ""));
        world.trace().add(world.now(), 1, "arrives " + id);
        if (!arrived.contains(id)) {
            store.read(tables -> tables.of(Delivery.KIND)
                            .find(id)
                            .map(delivery ->
                                    tables
                                            .of(Delivery.KIND)
                                            .listByReference(delivery.laneId().toString(), MAX_LANE)
                                            .stream()
                                            .filter(waiting -> !arrived.contains(waiting.id()))
                                            .min(Comparator.comparing(Delivery::createdAt))
                                            .orElseThrow())
                            .map(Delivery::id))
                    .filter(first -> !first.equals(id))
                    .ifPresent(first -> {
                        throw new SimBroken("Message " + id + " has overtaken " + first);
                    });
            arrived.add(id);
        }
        return new DeliverySender.Answered(OK, null);
    }

    /** The messages of this organization that wait. */
    static List<Delivery> waiting(Store store, UUID organizationId) {
        return store.read(tables -> tables.of(Delivery.KIND).page(organizationId, null, MAX_LANE));
    }
}
