package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings of a pipe: their values and kinds, and both spellings of those that the live service renamed. */
public final class PipeSettings {
    private static final String SEED_PREFIX = "db_";
    private static final String LIVE_PREFIX = "clickhouse_";
    private static final Set<PipeKind> STREAMING = Set.of(PipeKind.KAFKA, PipeKind.KINESIS, PipeKind.PUBSUB);
    private static final Set<PipeKind> OBJECT = Set.of(PipeKind.OBJECT_STORAGE);
    private static final Set<PipeKind> INSERTING =
            Set.of(PipeKind.KAFKA, PipeKind.KINESIS, PipeKind.PUBSUB, PipeKind.OBJECT_STORAGE);

    /** One setting; a null rule is true or false. A pipe shows the default of none that nobody gave. */
    public record Setting(String name, @Nullable NumberRule rule, Tree byDefault, Set<PipeKind> kinds) {}

    /** Every setting of the contract, in its order, and one that the live service has since. */
    public static final List<Setting> ALL = List.of(
            number("streaming_max_insert_wait_ms", 500, 60_000, 5_000, STREAMING),
            number("object_storage_concurrency", 1, 35, 1, OBJECT),
            number("object_storage_polling_interval_ms", 100, 3_600_000, 30_000, OBJECT),
            number("object_storage_max_insert_bytes", 10_485_760, 53_687_091_200.0, 10_737_418_240.0, OBJECT),
            number("object_storage_max_file_count", 1, 10_000, 100, OBJECT),
            number("db_max_threads", 0, 64, 0, OBJECT),
            number("db_max_insert_threads", 0, 16, 1, OBJECT),
            number("db_min_insert_block_size_bytes", 0, 10_737_418_240.0, 1_073_741_824, OBJECT),
            number("db_max_download_threads", 0, 32, 4, OBJECT),
            number("db_parallel_distributed_insert_select", 0, 2, 2, OBJECT),
            new Setting("object_storage_use_cluster_function", null, new Tree.Flag(true), OBJECT),
            new Setting("db_parallel_view_processing", null, new Tree.Flag(false), INSERTING),
            new Setting("kafka_read_committed", null, new Tree.Flag(false), Set.of(PipeKind.KAFKA)));

    private PipeSettings() {}

    /** Every setting under each of its names, as the fields of an object. */
    public static List<FieldShape> shape() {
        return ALL.stream()
                .flatMap(setting -> Stream.of(setting.name(), liveName(setting.name()))
                        .distinct()
                        .map(name -> field(name, setting)))
                .toList();
    }

    private static FieldShape field(String name, Setting setting) {
        FieldShape.Type type = setting.rule() == null ? FieldShape.Type.FLAG : FieldShape.Type.NUMBER;
        return new FieldShape(name, type, setting.rule(), List.of(), setting.byDefault(), false, false, true);
    }

    /** Puts settings over those there are; null takes one back to its default, and the spelling last sent is kept. */
    public static Tree.Members merge(
            PipeKind kind, Tree.Members current, Tree.Members given, String path, Faults faults) {
        Map<String, Tree> next = new LinkedHashMap<>(current.values());
        given.values()
                .forEach((name, value) -> find(name).ifPresent(setting -> {
                    check(kind, setting, value, path + name, faults);
                    next.remove(setting.name());
                    next.remove(liveName(setting.name()));
                    if (!(value instanceof Tree.Nothing)) {
                        next.put(name, value);
                    }
                }));
        return new Tree.Members(next);
    }

    /** Checks the values by themselves, whatever kind of pipe they are for. */
    public static void alone(Tree.Members given, String path, Faults faults) {
        given.values()
                .forEach((name, value) -> find(name).ifPresent(setting -> check(setting, value, path + name, faults)));
    }

    /** Whether not one of these is a setting of the contract. */
    public static boolean noneKnown(Tree.Members given) {
        return given.values().keySet().stream().allMatch(name -> find(name).isEmpty());
    }

    private static void check(PipeKind kind, Setting setting, Tree value, String path, Faults faults) {
        if (!setting.kinds().contains(kind)) {
            faults.add(path, "does not apply to a " + kind.member() + " pipe");
        } else {
            check(setting, value, path, faults);
        }
    }

    private static void check(Setting setting, Tree value, String path, Faults faults) {
        NumberRule rule = setting.rule();
        if (value instanceof Tree.Nothing) {
            return;
        }
        if (rule == null) {
            if (!(value instanceof Tree.Flag)) {
                faults.add(path, "must be true or false");
            }
        } else if (value instanceof Tree.Figure figure) {
            rule.check(path, figure.value(), faults);
        } else {
            faults.add(path, "must be a number");
        }
    }

    private static Optional<Setting> find(String name) {
        String seedName = name.startsWith(LIVE_PREFIX) ? SEED_PREFIX + name.substring(LIVE_PREFIX.length()) : name;
        return ALL.stream().filter(setting -> setting.name().equals(seedName)).findFirst();
    }

    private static String liveName(String seedName) {
        return seedName.startsWith(SEED_PREFIX) ? LIVE_PREFIX + seedName.substring(SEED_PREFIX.length()) : seedName;
    }

    private static Setting number(String name, double min, double max, double byDefault, Set<PipeKind> kinds) {
        return new Setting(name, NumberRule.whole(min, max), new Tree.Figure(byDefault), kinds);
    }
}
