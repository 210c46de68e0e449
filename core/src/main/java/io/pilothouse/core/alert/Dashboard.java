package io.pilothouse.core.alert;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.metric.Tile;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Tiles under one name: created ones are rows, built-in ones are the same in every organization and never change. */
public record Dashboard(Head head, Instant updatedAt, String name, List<String> tags, List<Tile> tiles, boolean builtIn)
        implements Stored {
    public static final Kind<Dashboard> KIND = new Kind<>("dashboards", Dashboard.class);

    public Dashboard {
        tags = List.copyOf(tags);
        tiles = List.copyOf(tiles);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    public Optional<Tile> tile(String tileId) {
        return tiles.stream().filter(tile -> tile.id().equals(tileId)).findFirst();
    }

    public Dashboard with(String newName, List<String> newTags, List<Tile> newTiles, Instant now) {
        return new Dashboard(head, now, newName, newTags, newTiles, builtIn);
    }
}
