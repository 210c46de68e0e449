package io.pilothouse.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** JSON as tests write it: with single quotes, so that it reads well inside Java. */
public final class ApiJson {
    private ApiJson() {}

    public static String text(String singleQuoted) {
        return singleQuoted.replace('\'', '"');
    }

    public static JsonNode read(String singleQuoted) {
        return read(text(singleQuoted).getBytes(StandardCharsets.UTF_8));
    }

    /** A document as it is. */
    public static JsonNode read(byte[] document) {
        return new ContractJson().read(document);
    }

    /** Asserts that a document says this; 8 and 8.0 are one number. */
    public static void assertSame(JsonNode actual, String singleQuoted) {
        JsonNode expected = read(singleQuoted);
        assertThat(expected.equals(ApiJson::compare, actual))
                .as("%s says what %s says", actual, expected)
                .isTrue();
    }

    private static int compare(JsonNode one, JsonNode other) {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    }
}
