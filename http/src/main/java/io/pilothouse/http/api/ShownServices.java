package io.pilothouse.http.api;

import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.wire.Shown;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * How services were last written, so that one that is asked for again and again is written once. What is written
 * follows from the view alone, so an equal view is all that is asked for.
 */
final class ShownServices {
    private static final int SLOTS = 8192;
    /** In how many slots one service may be: with one alone, some of a thousand drive each other out. */
    private static final int WAYS = 4;

    private final AtomicReferenceArray<Known> slots = new AtomicReferenceArray<>(SLOTS);

    /** How a view is shown. */
    private static final class Known {
        // The last one that was equal, whose parts most often are those of the next: comparing the same is quickest.
        private ServiceView view;
        private final Shown shown;

        private Known(ServiceView view) {
            this.view = view;
            this.shown = Shown.of(view, ServiceJson::write);
        }
    }

    Shown of(ServiceView view) {
        UUID id = view.service().id();
        int place = -1;
        int first = firstSlot(id);
        for (int slot = first; slot < first + WAYS; slot++) {
            Known known = slots.get(slot);
            if (known == null) {
                place = slot;
            } else if (known.view.service().id().equals(id)) {
                if (known.view.equals(view)) {
                    known.view = view;
                    return known.shown;
                }
                place = slot;
                break;
            }
        }
        Known next = new Known(view);
        slots.set(place < 0 ? first + ThreadLocalRandom.current().nextInt(WAYS) : place, next);
        return next.shown;
    }

    private static int firstSlot(UUID id) {
        int hash = id.hashCode();
        return ((hash ^ (hash >>> 16)) * WAYS) & (SLOTS - 1);
    }
}
