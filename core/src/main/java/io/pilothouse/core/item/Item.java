package io.pilothouse.core.item;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One item of one organization, kept as the fields that its kind names. */
public record Item(Head head, String kind, @Nullable String unique, Instant updatedAt, Tree.Members fields)
        implements Stored {
    /** Reference: what no two of its kind share in one organization. Label: its kind in its organization. */
    public static final Kind<Item> KIND = new Kind<>("organization_items", Item.class);

    /** One that is not stored, or not yet. */
    public static Item of(UUID id, UUID organizationId, ItemKind kind, Tree.Members fields, Instant now) {
        return new Item(Head.of(id, organizationId, now), kind.name(), null, now, Tree.Members.NONE)
                .with(kind, fields, now);
    }

    Item with(ItemKind kind, Tree.Members next, Instant now) {
        String key = kind.unique(next);
        return new Item(head, kind.name(), key == null ? null : key.toLowerCase(Locale.ROOT), now, next);
    }

    /** The same with other fields, which change nothing that no two of its kind share. */
    public Item changed(Tree.Members next, Instant now) {
        return new Item(head, kind, unique, now, next);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    /** Whether it is there for good, and not stored. */
    public boolean isBuiltIn() {
        return head.version() == 0;
    }

    public Optional<String> reference() {
        return Optional.ofNullable(unique).map(key -> label() + " " + key);
    }

    public String label() {
        return label(organizationId(), kind);
    }

    /** What the items of one kind are listed under. */
    public static String label(UUID organizationId, String kind) {
        return organizationId + " " + kind;
    }

    /** Its fields between its id and the moment it was made. */
    public Tree.Members shown() {
        return Tree.Members.NONE
                .with("id", new Tree.Text(id().toString()))
                .over(fields)
                .with("createdAt", new Tree.Text(createdAt().toString()));
    }
}
