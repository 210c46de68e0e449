package io.pilothouse.store;

import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Dashboards that people made as rows; the built-in ones are none. */
final class DashboardRows implements Rows<Dashboard> {
    @Override
    public Kind<Dashboard> kind() {
        return Dashboard.KIND;
    }

    @Override
    public @Nullable String reference(Dashboard row) {
        return null;
    }

    @Override
    public void write(Dashboard row, DocumentOut document) {
        document.text("updatedAt", row.updatedAt())
                .text("name", row.name())
                .texts("tags", row.tags())
                .list("tiles", row.tiles(), DashboardRows::write);
    }

    private static void write(Tile tile, DocumentOut out) {
        Tile.Config config = tile.config();
        out.text("id", tile.id())
                .text("name", tile.name())
                .number("x", tile.x())
                .number("y", tile.y())
                .number("w", tile.w())
                .number("h", tile.h())
                .text("displayType", config.displayType())
                .text("metric", config.metric())
                .text("aggregation", config.aggregation())
                .list(
                        "filter",
                        List.copyOf(config.filter().entrySet()),
                        (entry, inner) -> inner.text("name", entry.getKey()).text("value", entry.getValue()))
                .text("groupBy", config.groupBy());
    }

    @Override
    public Dashboard read(Head head, DocumentIn document) {
        return new Dashboard(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                document.instant("updatedAt", head.createdAt()),
                head.version(),
                document.text("name", ""),
                document.texts("tags"),
                document.list("tiles", DashboardRows::tile),
                false);
    }

    private static Tile tile(DocumentIn in) {
        Map<String, String> filter = new LinkedHashMap<>();
        in.list("filter", each -> filter.put(each.text("name", ""), each.text("value", "")));
        return new Tile(
                in.text("id", ""),
                in.text("name", ""),
                in.number("x", 0),
                in.number("y", 0),
                in.number("w", 1),
                in.number("h", 1),
                new Tile.Config(
                        in.text("displayType", "line"),
                        in.choice("metric", Metric.SERVICES),
                        in.choice("aggregation", Metric.Aggregation.LAST),
                        filter,
                        in.textOrNull("groupBy")));
    }

    @Override
    public Dashboard withVersion(Dashboard row, long version) {
        return new Dashboard(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                row.updatedAt(),
                version,
                row.name(),
                row.tags(),
                row.tiles(),
                row.builtIn());
    }
}
