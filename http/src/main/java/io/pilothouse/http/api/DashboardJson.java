package io.pilothouse.http.api;

import io.pilothouse.core.alert.Dashboard;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.metric.Tile;
import io.pilothouse.http.json.JsonWriter;
import java.util.List;

/** Dashboards and their tiles as clients see them. */
final class DashboardJson {
    private DashboardJson() {}

    static void write(JsonWriter out, Dashboard dashboard) {
        out.startObject();
        out.id("id", dashboard.id());
        out.text("name", dashboard.name());
        out.texts("tags", dashboard.tags());
        out.list("tiles", dashboard.tiles(), DashboardJson::writeTile);
        out.flag("builtIn", dashboard.builtIn());
        out.time("createdAt", dashboard.createdAt());
        out.time("updatedAt", dashboard.updatedAt());
        out.endObject();
    }

    private static void writeTile(JsonWriter out, Tile tile) {
        Tile.Config config = tile.config();
        out.startObject();
        out.text("id", tile.id());
        out.text("name", tile.name());
        out.whole("x", tile.x());
        out.whole("y", tile.y());
        out.whole("w", tile.w());
        out.whole("h", tile.h());
        out.startObject("config");
        out.text("displayType", config.displayType());
        out.text("metric", config.metric().word());
        out.text("aggregation", config.aggregation().word());
        out.startObject("filter");
        config.filter().forEach(out::text);
        out.endObject();
        out.text("groupBy", config.groupBy());
        out.endObject();
        out.endObject();
    }

    static void writeVerdict(JsonWriter out, List<Fault> faults) {
        out.startObject();
        out.flag("valid", faults.isEmpty());
        out.list("errors", faults, (json, fault) -> {
            json.startObject();
            json.text("path", fault.path().replaceAll("\\[(\\d+)]", ".$1"));
            json.text("message", fault.message());
            json.endObject();
        });
        out.endObject();
    }
}
