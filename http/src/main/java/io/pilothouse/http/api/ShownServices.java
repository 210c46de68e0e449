package io.pilothouse.http.api;

import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.json.JsonWriter;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * How services were last written, so that one that is asked for again and again is written once. What is written follows
 * from the view alone, so an equal view is all that is asked for.
 */
final class ShownServices {
    private static final int SLOTS = 8192;
    /** In how many slots one service may be: with one alone, some of a thousand drive each other out. */
    private static final int WAYS = 4;

    private final AtomicReferenceArray<Shown> slots = new AtomicReferenceArray<>(SLOTS);

    /** A view with its entity tag and its JSON, which nobody may change. */
    static final class Shown {
        // The last one that was equal, whose parts most often are those of the next: comparing the same is quickest.
        private ServiceView view;
        private final String entityTag;
        private final byte[] json;

        private Shown(ServiceView view) {
            this.view = view;
            this.entityTag = view.entityTag();
            this.json = JsonWriter.document(out -> ServiceJson.write(out, view));
        }

        String entityTag() {
            return entityTag;
        }

        byte[] json() {
            return json;
        }
    }

    Shown of(ServiceView view) {
        UUID id = view.service().id();
        int place = -1;
        int first = firstSlot(id);
        for (int slot = first; slot < first + WAYS; slot++) {
            Shown known = slots.get(slot);
            if (known == null) {
                place = slot;
            } else if (known.view.service().id().equals(id)) {
                if (known.view.equals(view)) {
                    known.view = view;
                    return known;
                }
                place = slot;
                break;
            }
        }
        Shown shown = new Shown(view);
        slots.set(place < 0 ? first + ThreadLocalRandom.current().nextInt(WAYS) : place, shown);
        return shown;
    }

    private static int firstSlot(UUID id) {
        int hash = id.hashCode();
        return ((hash ^ (hash >>> 16)) * WAYS) & (SLOTS - 1);
    }
}
