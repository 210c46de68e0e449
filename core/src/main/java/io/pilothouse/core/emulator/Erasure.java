package io.pilothouse.core.emulator;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** The mark of an organization that is being erased: which services it had, of which nothing may be left in the end. */
final class Erasure {
    private static final String KIND = "erasure";
    private static final String SERVICES = "services";

    private Erasure() {}

    /** The id of the mark, which is one at most. */
    static UUID idOf(UUID organizationId) {
        return UUID.nameUUIDFromBytes((KIND + " " + organizationId).getBytes(StandardCharsets.UTF_8));
    }

    static Item of(UUID organizationId, Collection<UUID> services, Instant now) {
        List<String> ids = services.stream().map(UUID::toString).toList();
        return new Item(
                Head.of(idOf(organizationId), organizationId, now),
                KIND,
                null,
                now,
                Tree.Members.NONE.with(SERVICES, Tree.Items.texts(ids)));
    }

    static List<UUID> servicesOf(Item mark) {
        return mark.fields().texts(SERVICES).stream().map(UUID::fromString).toList();
    }
}
