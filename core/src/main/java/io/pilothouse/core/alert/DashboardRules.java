package io.pilothouse.core.alert;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.metric.Tile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks the draft of a dashboard against the rules, and a tile's configuration against what its metric offers. */
public final class DashboardRules {
    private static final int MAX_NAME_LENGTH = 1024;
    private static final int MAX_TAGS = 50;
    private static final int MAX_TAG_LENGTH = 32;
    private static final int MAX_TILES = 500;
    private static final int MAX_ID_LENGTH = 36;
    private static final List<String> DISPLAY_TYPES = List.of("line", "stacked_bar", "number");
    private static final NumberRule LEFT = new NumberRule(0, 23, 1);
    private static final NumberRule TOP = new NumberRule(0, Integer.MAX_VALUE, 1);
    private static final NumberRule WIDTH = new NumberRule(1, 24, 1);
    private static final NumberRule HEIGHT = new NumberRule(1, Integer.MAX_VALUE, 1);

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
        if (name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
            faults.add("name", "must be at most " + MAX_NAME_LENGTH + " characters");
        }
        return name;
    }

    public List<String> tags(@Nullable List<String> tags) {
        List<String> given = tags == null ? List.of() : tags;
        if (given.size() > MAX_TAGS) {
            faults.add("tags", "must have at most " + MAX_TAGS + " entries");
        }
        for (int i = 0; i < given.size(); i++) {
            String tag = given.get(i);
            if (tag.isBlank() || tag.codePointCount(0, tag.length()) > MAX_TAG_LENGTH) {
                faults.add("tags[" + i + "]", "must be 1 to " + MAX_TAG_LENGTH + " characters");
            }
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
        if (drafts.size() > MAX_TILES) {
            faults.add("tiles", "must have at most " + MAX_TILES + " entries");
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
        if (id.length() > MAX_ID_LENGTH) {
            faults.add(path + ".id", "must be at most " + MAX_ID_LENGTH + " characters");
        }
        String name = draft.name() == null ? "" : draft.name();
        if (name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
            faults.add(path + ".name", "must be at most " + MAX_NAME_LENGTH + " characters");
        }
        return new Tile(
                id,
                name,
                whole(path + ".x", draft.x(), LEFT),
                whole(path + ".y", draft.y(), TOP),
                whole(path + ".w", draft.w(), WIDTH),
                whole(path + ".h", draft.h(), HEIGHT),
                config(path + ".config", draft.config()));
    }

    private int whole(String path, @Nullable Double value, NumberRule rule) {
        if (value == null) {
            missing(path);
            return 0;
        }
        rule.breach(value).ifPresent(message -> faults.add(path, message));
        return value.intValue();
    }

    /** A value with a fault is replaced by a stand-in that is never stored, because the faults refuse the request. */
    private Tile.Config config(String path, DashboardDraft.@Nullable ConfigDraft draft) {
        if (draft == null) {
            missing(path);
            return new Tile.Config("line", Metric.SERVICES, Metric.Aggregation.LAST, Map.of(), null);
        }
        String displayType = draft.displayType() == null ? "" : draft.displayType();
        requireOneOf(DISPLAY_TYPES, path + ".displayType", displayType);
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
        List<String> words = Arrays.stream(Metric.values()).map(Metric::word).toList();
        requireOneOf(words, path, word == null ? "" : word);
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
        } else if (dimension.ofIds() && !filter.containsKey("state")) {
            // Without it every service would be a group of its own, however many there are.
            faults.add(path, "needs a filter on state");
        }
    }

    private void requireOneOf(List<String> words, String path, String word) {
        if (!faults.has(path)) {
            RuleBook.requireOneOf(words, path, word, faults);
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
