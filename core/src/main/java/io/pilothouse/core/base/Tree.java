package io.pilothouse.core.base;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value as JSON has them, for parts of the contract that are kept as they were sent; immutable, in the order given. */
public sealed interface Tree {
    /** A text. */
    record Text(String value) implements Tree {}

    /** A number. */
    record Figure(double value) implements Tree {}

    /** True or false. */
    record Flag(boolean value) implements Tree {}

    /** An explicit null. */
    record Nothing() implements Tree {}

    /** A list. */
    record Items(List<Tree> values) implements Tree {
        public Items {
            values = List.copyOf(values);
        }

        public static Items texts(List<String> texts) {
            return new Items(texts.stream().<Tree>map(Text::new).toList());
        }
    }

    /** An object; the order of its members is kept. */
    record Members(Map<String, Tree> values) implements Tree {
        public static final Members NONE = new Members(Map.of());

        public Members {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        public Optional<Tree> find(String name) {
            return Optional.ofNullable(values.get(name));
        }

        public Optional<String> text(String name) {
            return find(name)
                    .flatMap(value -> value instanceof Text(String text) ? Optional.of(text) : Optional.empty());
        }

        public boolean flag(String name) {
            return values.get(name) instanceof Flag flag && flag.value();
        }

        public Optional<Double> number(String name) {
            return find(name)
                    .flatMap(value -> value instanceof Figure figure ? Optional.of(figure.value()) : Optional.empty());
        }

        public Optional<Members> members(String name) {
            return find(name)
                    .flatMap(value -> value instanceof Members members ? Optional.of(members) : Optional.empty());
        }

        public List<Tree> items(String name) {
            return values.get(name) instanceof Items(List<Tree> items) ? items : List.of();
        }

        /** The objects of a list; other items are left out. */
        public List<Members> objects(String name) {
            return items(name).stream()
                    .flatMap(item -> item instanceof Members members ? Stream.of(members) : Stream.empty())
                    .toList();
        }

        /** The texts of a list; other items are left out. */
        public List<String> texts(String name) {
            return items(name).stream()
                    .flatMap(item -> item instanceof Text text ? Stream.of(text.value()) : Stream.empty())
                    .toList();
        }

        public boolean has(String name) {
            return values.containsKey(name);
        }

        /** These members with one more, or with another value for one; null takes it out. */
        public Members with(String name, @Nullable Tree value) {
            Map<String, Tree> next = new LinkedHashMap<>(values);
            if (value == null) {
                next.remove(name);
            } else {
                next.put(name, value);
            }
            return new Members(next);
        }

        /** These members with all of those over them. */
        public Members over(Members others) {
            Map<String, Tree> next = new LinkedHashMap<>(values);
            next.putAll(others.values);
            return new Members(next);
        }
    }

    /** Whether clients mean "not set" by it: null, an empty text, an empty list. */
    default boolean blank() {
        return this instanceof Nothing
                || (this instanceof Text text && text.value().isEmpty())
                || (this instanceof Items items && items.values().isEmpty());
    }
}
