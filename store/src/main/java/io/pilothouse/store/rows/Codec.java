package io.pilothouse.store.rows;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;

/** How values of one type stand in a document. */
interface Codec<V> {
    Codec<String> TEXT = of(String.class::cast, JsonGenerator::writeString);
    Codec<Boolean> FLAG = of(Boolean.class::cast, JsonGenerator::writeBoolean);
    Codec<Integer> NUMBER = of(stored -> Math.toIntExact((Long) stored), JsonGenerator::writeNumber);
    Codec<Long> LARGE_NUMBER = of(Long.class::cast, JsonGenerator::writeNumber);
    Codec<Double> FRACTION = of(stored -> ((Number) stored).doubleValue(), JsonGenerator::writeNumber);
    Codec<UUID> ID = of(stored -> UUID.fromString((String) stored), (json, id) -> json.writeString(id.toString()));
    Codec<Instant> INSTANT =
            of(stored -> InstantText.parse((String) stored), (json, instant) -> json.writeString(instant.toString()));
    Codec<Tree> TREE = of(Codec::tree, Codec::write);
    Codec<Tree.Items> ITEMS = of(stored -> items((List<?>) stored), Codec::write);
    Codec<Tree.Members> MEMBERS = of(stored -> members((Document) stored), Codec::write);

    V read(Object stored, Head head);

    void write(V value, Head head, JsonGenerator json);

    static <V> Codec<V> of(Function<Object, V> reading, BiConsumer<JsonGenerator, V> writing) {
        return new Codec<>() {
            @Override
            public V read(Object stored, Head head) {
                return reading.apply(stored);
            }

            @Override
            public void write(V value, Head head, JsonGenerator json) {
                writing.accept(json, value);
            }
        };
    }

    /** The names of an enumeration; one that this program does not know is refused. */
    static <E extends Enum<E>> Codec<E> choice(Class<E> type) {
        return of(stored -> Enum.valueOf(type, (String) stored), (json, choice) -> json.writeString(choice.name()));
    }

    static void write(JsonGenerator json, Tree tree) {
        switch (tree) {
            case Tree.Text text -> json.writeString(text.value());
            case Tree.Figure figure -> json.writeNumber(figure.value());
            case Tree.Flag flag -> json.writeBoolean(flag.value());
            case Tree.Nothing _ -> json.writeNull();
            case Tree.Items items -> {
                json.writeStartArray();
                items.values().forEach(item -> write(json, item));
                json.writeEndArray();
            }
            case Tree.Members members -> {
                json.writeStartObject();
                members.values().forEach((name, value) -> {
                    json.writeName(name);
                    write(json, value);
                });
                json.writeEndObject();
            }
        }
    }

    private static Tree.Members members(Document document) {
        Map<String, Tree> values = new LinkedHashMap<>();
        document.forEach((name, value) -> values.put(name, tree(value)));
        return new Tree.Members(values);
    }

    private static Tree.Items items(List<?> values) {
        return new Tree.Items(values.stream().map(Codec::tree).toList());
    }

    static Tree tree(Object value) {
        return switch (value) {
            case String text -> new Tree.Text(text);
            case Number number -> new Tree.Figure(number.doubleValue());
            case Boolean flag -> new Tree.Flag(flag);
            case List<?> list -> items(list);
            case Document document -> members(document);
            default -> throw new IllegalStateException("A document holds a " + value.getClass());
        };
    }
}
