package io.pilothouse.core.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.pilothouse.core.alert.DashboardDraft.ConfigDraft;
import io.pilothouse.core.alert.DashboardDraft.TileDraft;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DashboardRulesTest {
    private static final String ID = AlertSample.DASHBOARD.toString();

    @Test
    void aGoodTileComesToWhatWasSent() {
        List<Tile> tiles = tiles(tile("a", config("requests", "max", Map.of("status", "5xx, 4xx"), "status")));

        assertThat(tiles).hasSize(1);
        Tile.Config config = tiles.getFirst().config();
        assertThat(config.metric()).isEqualTo(Metric.REQUESTS);
        assertThat(config.aggregation()).isEqualTo(Metric.Aggregation.MAX);
        assertThat(config.wanted("status")).containsExactly("5xx", "4xx");
        assertThat(config.groupBy()).isEqualTo("status");
    }

    @Test
    void aTileWithoutAnIdGetsOne() {
        TileDraft draft = new TileDraft("", null, 23.0, 0.0, 24.0, 1.0, config("services", "last", null, ""));

        Tile tile = tiles(draft, new TileDraft(null, "b", 0.0, 0.0, 1.0, 1.0, draft.config()))
                .getFirst();

        assertThat(tile.id()).hasSize(36);
        assertThat(tile.name()).isEmpty();
        assertThat(tile.config().groupBy()).isNull();
        assertThat(tile.config().wanted("state")).contains("running", "failed");
    }

    @Test
    void everyMetricIsAskedForInItsOwnWay() {
        assertThat(Metric.values())
                .extracting(Metric::word)
                .containsExactly(
                        "services",
                        "pipes",
                        "requests",
                        "failing_tasks",
                        "backup_age_seconds",
                        "pipe_lag_records",
                        "pipe_lag_seconds",
                        "pipe_error_percent",
                        "pipe_slot_mib");
        assertThat(Metric.values())
                .filteredOn(Metric::isCounter)
                .containsExactly(Metric.REQUESTS)
                .allMatch(metric -> metric.aggregations().size() == 5);
        assertThat(Metric.find("disk")).isEmpty();
        assertThat(Metric.PIPES.dimension("state").orElseThrow().words()).contains("Running", "Failed");
        tiles(tile("a", config("services", "last", Map.of("service", ID, "state", "failed"), "service")));
        tiles(tile("a", config("pipes", "last", Map.of("state", "Failed"), "pipe")));
        tiles(tile("a", config("failing_tasks", "last", Map.of("kind", "pipe"), "kind")));
        tiles(tile("a", config("backup_age_seconds", "last", null, null)));
        tiles(tile("a", config("pipe_lag_records", "last", Map.of("pipe", ID), null)));
        tiles(tile("a", config("pipe_lag_seconds", "last", null, "pipe")));
        tiles(tile("a", config("pipe_error_percent", "last", null, "pipe")));
        tiles(tile("a", config("pipe_slot_mib", "last", null, "pipe")));
    }

    static Stream<Arguments> faults() {
        ConfigDraft good = config("services", "last", null, null);
        return Stream.of(
                of("tiles[0].id: must be at most 36 characters", () -> tile("x".repeat(37), good)),
                of(
                        "tiles[0].name: must be at most 1024 characters",
                        () -> new TileDraft("a", "x".repeat(1025), 0.0, 0.0, 1.0, 1.0, good)),
                of("tiles[0].x: must be 0 to 23", () -> new TileDraft("a", null, 24.0, 0.0, 1.0, 1.0, good)),
                of("tiles[0].y: must be 0 or more", () -> new TileDraft("a", null, 0.0, -1.0, 1.0, 1.0, good)),
                of("tiles[0].w: must be 1 to 24", () -> new TileDraft("a", null, 0.0, 0.0, 25.0, 1.0, good)),
                of("tiles[0].h: must be a whole number", () -> new TileDraft("a", null, 0.0, 0.0, 1.0, 1.5, good)),
                of("tiles[0].h: is required", () -> new TileDraft("a", null, 0.0, 0.0, 1.0, null, good)),
                of("tiles[0].config: is required", () -> tile("a", null)),
                of(
                        "tiles[0].config.displayType: must be one of line, stacked_bar, number",
                        () -> tile("a", new ConfigDraft(null, "services", "last", null, null))),
                of(
                        "tiles[0].config.metric: must be one of services, pipes, requests, failing_tasks,"
                                + " backup_age_seconds, pipe_lag_records, pipe_lag_seconds, pipe_error_percent,"
                                + " pipe_slot_mib",
                        () -> tile("a", config(null, "last", null, null))),
                of(
                        "tiles[0].config.aggregation: must be one of last for services",
                        () -> tile("a", config("services", "avg", null, null))),
                of(
                        "tiles[0].config.aggregation: must be one of avg, last, max, min, sum for requests",
                        () -> tile("a", config("requests", null, null, null))),
                of(
                        "tiles[0].config.filter.disk: requests cannot be filtered by this: it has status",
                        () -> tile("a", config("requests", "sum", Map.of("disk", "1"), null))),
                of(
                        "tiles[0].config.filter.kind: backup_age_seconds cannot be filtered by this: it has no dimension",
                        () -> tile("a", config("backup_age_seconds", "last", Map.of("kind", "1"), null))),
                of(
                        "tiles[0].config.filter.service: must be a UUID",
                        () -> tile("a", config("services", "last", Map.of("service", "1"), null))),
                of(
                        "tiles[0].config.filter.status: must be some of 2xx, 3xx, 4xx, 5xx, with commas between",
                        () -> tile("a", config("requests", "sum", Map.of("status", "5xx,6xx"), null))),
                of(
                        "tiles[0].config.groupBy: services cannot be grouped by this: it has service, state",
                        () -> tile("a", config("services", "last", null, "disk"))),
                of(
                        "tiles[0].config.groupBy: needs a filter on state",
                        () -> tile("a", config("services", "last", null, "service"))));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whatIsWrongIsSaidWithItsPlace(String fault, Supplier<TileDraft> change) {
        Faults faults = new Faults();
        new DashboardRules(faults).tiles(List.of(change.get()));

        assertThat(faults.list()).containsExactly(fault(fault));
    }

    @Test
    void anIdIsGivenOnce() {
        Faults faults = new Faults();
        TileDraft draft = tile("a", config("services", "last", null, null));
        new DashboardRules(faults).tiles(List.of(draft, draft));

        assertThat(faults.list()).containsExactly(new Fault("tiles[1].id", "is given twice"));
    }

    @Test
    void nameTagsAndTilesHaveTheirLimits() {
        Faults faults = new Faults();
        DashboardRules rules = new DashboardRules(faults);
        TileDraft draft = tile("a", config("services", "last", null, null));

        assertThat(rules.name("Mine")).isEqualTo("Mine");
        assertThat(rules.tags(null)).isEmpty();
        assertThat(rules.tags(List.of("a"))).containsExactly("a");
        assertThat(faults.none()).isTrue();
        rules.name(null);
        rules.name("  ");
        rules.name("x".repeat(1025));
        rules.tags(Collections.nCopies(51, "tag"));
        rules.tags(List.of("", "x".repeat(33)));
        rules.tiles(null);
        rules.tiles(null);
        rules.tiles(Collections.nCopies(501, draft));

        assertThat(faults.list())
                .containsExactly(
                        fault("name: is required"),
                        fault("name: must be at most 1024 characters"),
                        fault("tags: must have at most 50 entries"),
                        fault("tags[0]: must not be blank"),
                        fault("tags[1]: must be at most 32 characters"),
                        fault("tiles: is required"),
                        fault("tiles: must have at most 500 entries"));
    }

    @Test
    void whatIsKnownToBeOfTheWrongTypeIsNotMissingToo() {
        Faults faults = new Faults();
        faults.add("tiles[0].x", "must be a number");
        faults.add("tiles[0].config.metric", "must be a string");
        new DashboardRules(faults)
                .tiles(List.of(new TileDraft("a", null, null, 0.0, 1.0, 1.0, config(null, "last", null, null))));

        assertThat(faults.list()).hasSize(2);
    }

    @Test
    void builtInsAreTheSameForEverybodyAndTheirAlertsFit() {
        List<Dashboard> dashboards = DashboardBuiltIns.all(AlertSample.ORGANIZATION, AlertSample.NOW);

        assertThat(dashboards).extracting(Dashboard::name).containsExactly("Services", "Pipes", "Control plane");
        assertThat(dashboards)
                .allMatch(Dashboard::builtIn)
                .allMatch(dashboard -> dashboard.ownerId().equals(AlertSample.ORGANIZATION));
        assertThat(AlertBuiltIns.all(AlertSample.ORGANIZATION, AlertSample.NOW))
                .hasSize(7)
                .allSatisfy(alert -> {
                    AlertRule rule = alert.rule();
                    Dashboard dashboard = DashboardBuiltIns.find(
                                    alert.organizationId(), alert.createdAt(), rule.dashboardId())
                            .orElseThrow();
                    assertThat(dashboard.tile(rule.tileId())).isPresent();
                    assertThat(alert.builtIn()).isTrue();
                    assertThat(alert.state()).isEqualTo(AlertState.INACTIVE);
                })
                .extracting(Alert::id)
                .doesNotHaveDuplicates();
        assertThat(DashboardBuiltIns.find(AlertSample.ORGANIZATION, AlertSample.NOW, AlertSample.ALERT))
                .isEmpty();
    }

    @Test
    void builtInTilesKeepTheRulesOfMadeOnes() {
        for (Dashboard dashboard : DashboardBuiltIns.all(AlertSample.ORGANIZATION, AlertSample.NOW)) {
            List<TileDraft> drafts = dashboard.tiles().stream()
                    .map(tile -> tile(
                            tile.id(),
                            new ConfigDraft(
                                    tile.config().displayType(),
                                    tile.config().metric().word(),
                                    tile.config().aggregation().word(),
                                    tile.config().filter(),
                                    tile.config().groupBy())))
                    .toList();
            assertThat(tiles(drafts.toArray(TileDraft[]::new)))
                    .extracting(Tile::config)
                    .isEqualTo(dashboard.tiles().stream().map(Tile::config).toList());
        }
    }

    @Test
    void aDashboardIsChangedAsAWhole() {
        Dashboard dashboard =
                DashboardBuiltIns.all(AlertSample.ORGANIZATION, AlertSample.NOW).getFirst();
        Dashboard changed = dashboard.with("Other", List.of("tag"), List.of(), AlertSample.NOW.plusSeconds(1));

        assertThat(changed.name()).isEqualTo("Other");
        assertThat(changed.tile("services-failing")).isEmpty();
        assertThat(changed.updatedAt()).isAfter(changed.createdAt());
    }

    private static Fault fault(String text) {
        int colon = text.indexOf(": ");
        return new Fault(text.substring(0, colon), text.substring(colon + 2));
    }

    private static Arguments of(String fault, Supplier<TileDraft> change) {
        return arguments(fault, change);
    }

    private static ConfigDraft config(
            @Nullable String metric,
            @Nullable String aggregation,
            @Nullable Map<String, String> filter,
            @Nullable String groupBy) {
        return new ConfigDraft("line", metric, aggregation, filter, groupBy);
    }

    private static TileDraft tile(String id, @Nullable ConfigDraft config) {
        return new TileDraft(id, "Tile", 0.0, 0.0, 1.0, 1.0, config);
    }

    private static List<Tile> tiles(TileDraft... drafts) {
        Faults faults = new Faults();
        List<Tile> tiles = new DashboardRules(faults).tiles(List.of(drafts));
        assertThat(faults.list()).isEmpty();
        return tiles;
    }
}
