package io.pilothouse.core.item;

import io.pilothouse.core.base.ResourceKind;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One kind of item, of which an organization may have several, and its peculiarities. */
public interface ItemKind extends ResourceKind {
    /** How many an organization may have. */
    default int most() {
        return 1000;
    }

    /** What no two of an organization share, in small letters, as a name may be; null where there is no such thing. */
    default @Nullable String unique(Tree.Members fields) {
        return null;
    }

    /** The id of the item that a path names by this id. */
    default UUID rowId(UUID organizationId, UUID id) {
        return id;
    }

    /** The items that every organization has, which are not stored: their version is 0. */
    default List<Item> builtIn(UUID organizationId) {
        return List.of();
    }

    /** These items in the form that clients see, in their order. */
    default List<Tree.Members> shown(Tables tables, List<Item> items) {
        return items.stream().map(Item::shown).toList();
    }

    /** What only the answer that made it shows beside that. */
    default Tree.Members shownOnce(Item item) {
        return Tree.Members.NONE;
    }

    /**
     * Joins in a write, in the same transaction: {@code keep} keeps these fields and gives the item as it is kept.
     * Refuse before or after it, and write there what belongs elsewhere. {@code before} is null for a new one.
     */
    default Item write(
            Tables tables, Permit permit, @Nullable Item before, Item next, Function<Tree.Members, Item> keep) {
        return keep.apply(next.fields());
    }

    /** Joins in a deletion, in the same transaction, of which {@code delete} takes the item itself away. */
    default void delete(Tables tables, Permit permit, Item item, Runnable delete) {
        delete.run();
    }
}
