package io.pilothouse.pipes.worker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of messages of CSV. */
class CsvMessagesTest {
    private static final String STRUCTURE = "`id` UInt64, `@_key` Nullable(String), `na,\\`me` Nullable(String),"
            + " `ok` Bool, `kind` Enum8('a, `id` x' = 1, '(' = 2), `tags` Array(String)";

    private static List<String> rows(String structure, String message) throws BadData {
        return new CsvMessages(new Columns(structure))
                .rows(message.getBytes(StandardCharsets.UTF_8)).stream()
                        .map(row -> new String(row, StandardCharsets.UTF_8))
                        .toList();
    }

    @Test
    void valuesFillTheFieldsInTheirOrderAndWhatTheRecordHasBesideIsNotAmongThem() throws BadData {
        assertThat(rows(STRUCTURE, "7, \"Ada, \"\"the\"\" first\nof all\" ,TRUE,(,\"[\"\"x\"\"]\"\r\n\n8,\\N,0,,[]\n"))
                .containsExactly(
                        "{ \"id\":\"7\",\"na,`me\":\"Ada, \\\"the\\\" first\\u000aof all\",\"ok\":true,\"kind\":\"(\",\"tags\":[\"x\"]}",
                        "{ \"id\":\"8\",\"na,`me\":null,\"ok\":false,\"kind\":null,\"tags\":[]}");
        assertThat(rows("`a` String, `b` Decimal(10, 2)", "\"\",1.5"))
                .as("an empty text is none that is missing")
                .containsExactly("{ \"a\":\"\",\"b\":\"1.5\"}");
        assertThat(rows("`a` String", "x\"y\"")).containsExactly("{ \"a\":\"x\\\"y\\\"\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "1|A line has 1 value, and the pipe takes 3.",
                "1,true,[],4|A line has 4 values, and the pipe takes 3.",
                "1,true,\"[|The quotes of a value have no end.",
                "\"1\"x,true,[]|Something follows the quotes of a value.",
                "1,yes,[]|The value of ok is neither true nor false.",
                "1,1,[1|The value of tags is not a list",
                "1,1,[] {}|The value of tags is not a list",
                "~~|The message has no line."
            })
    void messageThatIsNotWhatThePipeTakesIsKept(String message, String reason) {
        assertThatThrownBy(() -> rows("`id` UInt64, `ok` Bool, `tags` Array(Int64)", message))
                .isInstanceOfSatisfying(
                        BadData.class, bad -> assertThat(bad.sentence()).contains(reason));
    }

    @Test
    void messageThatGrowsBeyondMeasureIsKept() {
        assertThatThrownBy(() -> rows("`" + "n".repeat(1000) + "` String", "1\n".repeat(90_000)))
                .isInstanceOf(BadData.class);
        assertThatThrownBy(() -> rows("`a` String", "1\n".repeat(100_001))).isInstanceOf(BadData.class);
    }
}
