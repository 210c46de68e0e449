package io.pilothouse.http;

import io.pilothouse.core.domain.ServiceView;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * How services were last written, so that one that is asked for again and again is written once. What is written follows
 * from the view alone, so an equal view is all that is asked for.
 */
final class ShownServices {
    private static final int SLOTS = 8192;

    private final AtomicReferenceArray<Shown> slots = new AtomicReferenceArray<>(SLOTS);

    /** A view with its entity tag and its JSON, which nobody may change. */
    static final class Shown {
        private final ServiceView view;
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
        int hash = view.service().id().hashCode();
        int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
        Shown known = slots.get(slot);
        if (known != null && known.view.equals(view)) {
            return known;
        }
        Shown shown = new Shown(view);
        slots.set(slot, shown);
        return shown;
    }
}
