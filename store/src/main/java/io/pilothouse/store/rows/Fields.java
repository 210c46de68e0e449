package io.pilothouse.store.rows;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The members that a {@link Shape} passes by: each call is one member. While a document is read it gives the member's
 * value, or the fallback where an older program wrote none; while one is written it writes the value that the row has,
 * and gives that.
 */
abstract sealed class Fields<T> {
    /** The head of the row that this is in or a part of. */
    final Head head;

    private Fields(Head head) {
        this.head = head;
    }

    abstract <V> V get(String name, Function<T, V> of, Codec<V> codec, V fallback);

    /** A member that may be missing for good; null is left out. */
    abstract <V> @Nullable V find(String name, Function<T, @Nullable V> of, Codec<V> codec);

    /** An object within, whose members have their own fallbacks. */
    abstract <V> V get(String name, Function<T, V> of, Shape<V> shape);

    abstract <V> List<V> list(String name, Function<T, List<V>> of, Codec<V> codec);

    /** A part whose members stand among those of the whole. */
    abstract <V> V part(Function<T, V> of, Shape<V> shape);

    /** Values that stand among the members of the whole, each with its fallback. */
    abstract Tree.Members members(Function<T, Tree.Members> of, Tree.Members fallbacks);

    final <E extends Enum<E>> E choice(String name, Function<T, E> of, E fallback) {
        return get(name, of, Codec.choice(fallback.getDeclaringClass()), fallback);
    }

    /** A map as a list of objects, which have their key among their members. */
    final <K, V> Map<K, V> map(
            String name, Function<T, Map<K, V>> of, String keyName, Codec<K> keys, K noKey, Shape<V> values) {
        Shape<Map.Entry<K, V>> entry = fields -> Map.entry(
                fields.get(keyName, Map.Entry::getKey, keys, noKey), fields.part(Map.Entry::getValue, values));
        Map<K, V> map = new LinkedHashMap<>();
        for (Map.Entry<K, V> each : list(name, row -> List.copyOf(of.apply(row).entrySet()), entry)) {
            map.put(each.getKey(), each.getValue());
        }
        return map;
    }

    /** Takes each member from a document. */
    static final class Reading<T> extends Fields<T> {
        private final Document document;

        Reading(Document document, Head head) {
            super(head);
            this.document = document;
        }

        @Override
        <V> V get(String name, Function<T, V> of, Codec<V> codec, V fallback) {
            Object stored = document.find(name);
            return stored == null ? fallback : codec.read(stored, head);
        }

        @Override
        <V> @Nullable V find(String name, Function<T, @Nullable V> of, Codec<V> codec) {
            Object stored = document.find(name);
            return stored == null ? null : codec.read(stored, head);
        }

        @Override
        <V> V get(String name, Function<T, V> of, Shape<V> shape) {
            Object stored = document.find(name);
            return shape.read(stored == null ? Document.EMPTY : stored, head);
        }

        @Override
        <V> List<V> list(String name, Function<T, List<V>> of, Codec<V> codec) {
            List<?> stored = (List<?>) document.find(name);
            if (stored == null) {
                return List.of();
            }
            List<V> read = new ArrayList<>(stored.size());
            for (Object each : stored) {
                read.add(codec.read(each, head));
            }
            return Collections.unmodifiableList(read);
        }

        @Override
        <V> V part(Function<T, V> of, Shape<V> shape) {
            return shape.read(document, head);
        }

        @Override
        Tree.Members members(Function<T, Tree.Members> of, Tree.Members fallbacks) {
            Map<String, Tree> values = new LinkedHashMap<>();
            fallbacks.values().forEach((name, fallback) -> {
                Object stored = document.find(name);
                values.put(name, stored == null ? fallback : Codec.tree(stored));
            });
            return new Tree.Members(values);
        }
    }

    /** Writes each member of a value. */
    static final class Writing<T> extends Fields<T> {
        private final T row;
        private final JsonGenerator json;

        Writing(T row, Head head, JsonGenerator json) {
            super(head);
            this.row = row;
            this.json = json;
        }

        private <V> V write(String name, V value, Codec<V> codec) {
            json.writeName(name);
            codec.write(value, head, json);
            return value;
        }

        @Override
        <V> V get(String name, Function<T, V> of, Codec<V> codec, V fallback) {
            return write(name, of.apply(row), codec);
        }

        @Override
        <V> @Nullable V find(String name, Function<T, @Nullable V> of, Codec<V> codec) {
            V value = of.apply(row);
            return value == null ? null : write(name, value, codec);
        }

        @Override
        <V> V get(String name, Function<T, V> of, Shape<V> shape) {
            return write(name, of.apply(row), shape);
        }

        @Override
        <V> List<V> list(String name, Function<T, List<V>> of, Codec<V> codec) {
            List<V> values = of.apply(row);
            json.writeArrayPropertyStart(name);
            for (V value : values) {
                codec.write(value, head, json);
            }
            json.writeEndArray();
            return values;
        }

        @Override
        <V> V part(Function<T, V> of, Shape<V> shape) {
            return shape.pass(new Writing<>(of.apply(row), head, json));
        }

        @Override
        Tree.Members members(Function<T, Tree.Members> of, Tree.Members fallbacks) {
            Tree.Members values = of.apply(row);
            values.values().forEach((name, value) -> {
                json.writeName(name);
                Codec.write(json, value);
            });
            return values;
        }
    }
}
