package io.pilothouse.http;

import java.util.List;
import java.util.Map;

/** A JSON value as it was read; every text in it is free of U+0000 and of half surrogate pairs. */
sealed interface JsonValue {
    /** A string. */
    record Text(String value) implements JsonValue {}

    /** A number, always finite. */
    record Decimal(double value) implements JsonValue {}

    /** True or false. */
    record Flag(boolean value) implements JsonValue {}

    /** The word null. */
    record Nothing() implements JsonValue {}

    /** An array. */
    record Items(List<JsonValue> values) implements JsonValue {}

    /** An object, its members in the order in which they came. */
    record Members(Map<String, JsonValue> values) implements JsonValue {}
}
