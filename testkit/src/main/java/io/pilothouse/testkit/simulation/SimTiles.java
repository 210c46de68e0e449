package io.pilothouse.testkit.simulation;

import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.port.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An organization with a dashboard of tiles that change as services come, go, sleep and break down. */
final class SimTiles {
    private SimTiles() {}

    /** A tile that an alert can watch. */
    record Place(UUID dashboardId, String tileId) {}

    static List<Place> make(Store store, UUID organizationId, Instant now) {
        List<Tile> tiles = new ArrayList<>();
        for (String states : List.of("running", "stopped,idle", "failed,degraded", "running,degraded")) {
            tiles.add(tile("sum of " + states, states, null));
            tiles.add(tile("each of " + states, states, "service"));
        }
        UUID dashboardId = UUID.nameUUIDFromBytes(new byte[] {1});
        UUID own = new UUID(organizationId.getLeastSignificantBits(), dashboardId.getLeastSignificantBits());
        store.change(tables -> {
            tables.of(Organization.KIND)
                    .insert(new Organization(
                            Head.own(organizationId, now),
                            "Simulated",
                            OrganizationTier.ENTERPRISE,
                            true,
                            false,
                            List.of(),
                            List.of()));
            tables.of(Dashboard.KIND)
                    .insert(new Dashboard(Head.of(own, organizationId, now), now, "Tiles", List.of(), tiles, false));
        });
        return tiles.stream().map(tile -> new Place(own, tile.id())).toList();
    }

    private static Tile tile(String id, String states, @Nullable String groupBy) {
        return new Tile(
                id,
                id,
                0,
                0,
                1,
                1,
                new Tile.Config("number", Metric.SERVICES, Metric.Aggregation.LAST, Map.of("state", states), groupBy));
    }
}
