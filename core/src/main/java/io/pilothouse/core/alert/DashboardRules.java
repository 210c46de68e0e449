package io.pilothouse.core.alert;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.WordRule;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks the draft of a dashboard against the rules, and a tile's configuration against what its metric offers. */
public final class DashboardRules {
    private final Faults faults;

    public DashboardRules(Faults faults) {
        this.faults = faults;
    }

    public String name(@Nullable String name) {
        if (name == null || name.isBlank()) {
            if (!faults.has("name")) {
                faults.add("name", "is required");
            }
            return "";
        }
        RuleBook.DASHBOARD_NAME.check("name", name, faults);
        return name;
    }

    public List<String> tags(@Nullable List<String> tags) {
        List<String> given = tags == null ? List.of() : tags;
        RuleBook.DASHBOARD_TAGS.check("tags", given.size(), faults);
        for (int i = 0; i < given.size(); i++) {
            RuleBook.DASHBOARD_TAG.check("tags[" + i + "]", given.get(i), faults);
        }
        return given;
    }

    /** The tiles, each with an id; faults are collected under their places. */
    public List<Tile> tiles(@Nullable List<DashboardDraft.TileDraft> drafts) {
        if (drafts == null) {
            if (!faults.has("tiles")) {
                faults.add("tiles", "is required");
            }
            return List.of();
        }
        if (!RuleBook.TILES.check("tiles", drafts.size(), faults)) {
            return List.of();
        }
        Set<String> ids = new HashSet<>();
        List<Tile> tiles = new ArrayList<>();
        for (int i = 0; i < drafts.size(); i++) {
            String path = "tiles[" + i + "]";
            Tile tile = tile(path, drafts.get(i));
            if (!ids.add(tile.id())) {
                faults.add(path + ".id", "is given twice");
            }
            tiles.add(tile);
        }
        return tiles;
    }

    private Tile tile(String path, DashboardDraft.TileDraft draft) {
        String id =
                draft.id() == null || draft.id().isEmpty() ? UUID.randomUUID().toString() : draft.id();
        RuleBook.TILE_ID.check(path + ".id", id, faults);
        String name = draft.name() == null ? "" : draft.name();
        RuleBook.TILE_NAME.check(path + ".name", name, faults);
        return new Tile(
                id,
                name,
                whole(path + ".x", draft.x(), RuleBook.TILE_LEFT),
                whole(path + ".y", draft.y(), RuleBook.TILE_TOP),
                whole(path + ".w", draft.w(), RuleBook.TILE_WIDTH),
                whole(path + ".h", draft.h(), RuleBook.TILE_HEIGHT),
                config(path + ".config", draft.config()));
    }

    private int whole(String path, @Nullable Double value, NumberRule rule) {
        if (value == null) {
            missing(path);
            return 0;
        }
        rule.check(path, value, faults);
        return value.intValue();
    }

    /** A value with a fault is replaced by a stand-in that is never stored, because the faults refuse the request. */
    private Tile.Config config(String path, DashboardDraft.@Nullable ConfigDraft draft) {
        if (draft == null) {
            missing(path);
            return new Tile.Config("line", Metric.SERVICES, Metric.Aggregation.LAST, Map.of(), null);
        }
        String displayType = draft.displayType() == null ? "" : draft.displayType();
        requireOneOf(RuleBook.DISPLAY_TYPES, path + ".displayType", displayType);
        Metric metric = metric(path + ".metric", draft.metric());
        Metric.Aggregation aggregation = aggregation(path + ".aggregation", metric, draft.aggregation());
        Map<String, String> filter = new LinkedHashMap<>();
        if (draft.filter() != null) {
            filter.putAll(draft.filter());
        }
        filter.forEach((name, value) -> checkFilter(path + ".filter." + name, metric, name, value));
        String groupBy = draft.groupBy() == null || draft.groupBy().isEmpty() ? null : draft.groupBy();
        checkGroupBy(path + ".groupBy", metric, filter, groupBy);
        return new Tile.Config(displayType, metric, aggregation, filter, groupBy);
    }

    private Metric metric(String path, @Nullable String word) {
        requireOneOf(Metric.WORDS, path, word == null ? "" : word);
        return Metric.find(word == null ? "" : word).orElse(Metric.SERVICES);
    }

    private Metric.Aggregation aggregation(String path, Metric metric, @Nullable String word) {
        Metric.Aggregation aggregation =
                Metric.Aggregation.find(word == null ? "" : word).orElse(null);
        if (aggregation == null || !metric.aggregations().contains(aggregation)) {
            List<String> words = metric.aggregations().stream()
                    .map(Metric.Aggregation::word)
                    .sorted()
                    .toList();
            faults.add(path, "must be one of " + String.join(", ", words) + " for " + metric.word());
            return Metric.Aggregation.LAST;
        }
        return aggregation;
    }

    private void checkFilter(String path, Metric metric, String name, String value) {
        Metric.Dimension dimension = metric.dimension(name).orElse(null);
        if (dimension == null) {
            faults.add(path, metric.word() + " cannot be filtered by this: it has " + dimensions(metric));
            return;
        }
        if (dimension.ofIds()) {
            if (AlertRules.id(value) == null) {
                faults.add(path, "must be a UUID");
            }
            return;
        }
        for (String word : value.split(",", -1)) {
            if (!dimension.words().contains(word.strip())) {
                faults.add(path, "must be some of " + String.join(", ", dimension.words()) + ", with commas between");
                return;
            }
        }
    }

    private void checkGroupBy(String path, Metric metric, Map<String, String> filter, @Nullable String groupBy) {
        if (groupBy == null) {
            return;
        }
        Metric.Dimension dimension = metric.dimension(groupBy).orElse(null);
        if (dimension == null) {
            faults.add(path, metric.word() + " cannot be grouped by this: it has " + dimensions(metric));
        } else if (dimension.ofIds() && metric.dimension("state").isPresent() && !filter.containsKey("state")) {
            // Without it every service would be a group of its own, however many there are.
            faults.add(path, "needs a filter on state");
        }
    }

    private void requireOneOf(WordRule words, String path, String word) {
        if (!faults.has(path)) {
            words.check(path, word, faults);
        }
    }

    private static String dimensions(Metric metric) {
        return metric.dimensions().isEmpty()
                ? "no dimension"
                : String.join(
                        ", ",
                        metric.dimensions().stream().map(Metric.Dimension::name).toList());
    }

    private void missing(String path) {
        if (!faults.has(path)) {
            faults.add(path, "is required");
        }
    }
}
