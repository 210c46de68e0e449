package io.pilothouse.pipes.worker.formats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which messages are JSON objects. */
class JsonMessagesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{}|true", "' {\"a\":1}\n'|true", "[{}]|false", "text|false", "{|false", "''|false", "'  '|false"})
    void onlyAnObjectIsARow(String message, boolean object) {
        assertThat(JsonMessages.isObject(message.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(object);
    }
}
