package io.pilothouse.core.snapshot;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The mark that copies are to be put in place: it is written with the rows that they belong to, and removed once they
 * are there. So a start after a death knows whether the rows have changed.
 */
public final class CopiesMark {
    private static final String KIND = "copies";
    private static final UUID ID = UUID.nameUUIDFromBytes(KIND.getBytes(StandardCharsets.UTF_8));

    private CopiesMark() {}

    static void put(Tables tables, UUID copies, Instant now) {
        tables.of(Item.KIND)
                .insert(new Item(
                        Head.own(ID, now),
                        KIND,
                        null,
                        now,
                        Tree.Members.NONE.with(KIND, new Tree.Text(copies.toString()))));
    }

    /** The copies that are to be put in place, if there are some. */
    public static Optional<UUID> find(Store store) {
        return store.read(tables -> tables.of(Item.KIND).find(ID))
                .flatMap(mark -> mark.fields().text(KIND))
                .map(UUID::fromString);
    }

    /** Writes nothing where there is no mark. */
    public static void remove(Store store) {
        find(store).ifPresent(_ -> store.change(CopiesMark::remove));
    }

    private static void remove(Tables tables) {
        tables.of(Item.KIND).find(ID).ifPresent(mark -> tables.of(Item.KIND).delete(ID, mark.version()));
    }
}
