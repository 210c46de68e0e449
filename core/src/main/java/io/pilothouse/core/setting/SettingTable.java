package io.pilothouse.core.setting;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings that the databases of a plane have, by name; {@code notice} is what any change of one brings with it. */
public record SettingTable(
        Map<String, SettingShape> shapes, @Nullable String notice) {
    public SettingTable {
        shapes = Collections.unmodifiableMap(new TreeMap<>(shapes));
    }

    /** Of these, as they are written down. */
    public static SettingTable of(List<SettingShape> shapes, @Nullable String notice) {
        Map<String, SettingShape> byName = new TreeMap<>();
        shapes.forEach(shape -> byName.put(shape.name(), shape));
        return new SettingTable(byName, notice);
    }

    public Optional<SettingShape> find(String name) {
        return Optional.ofNullable(shapes.get(name));
    }

    /** Those that a service may change. */
    public Stream<SettingShape> offered() {
        return shapes.values().stream().filter(SettingShape::offered);
    }
}
