package io.pilothouse.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.AnswerShape;
import io.pilothouse.http.wire.Enveloped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    private static final UUID ID = UUID.fromString("11111111-2222-4333-8444-555555555555");

    private static String json(JsonWriter.Part part) {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            part.write(out);
            out.endObject();
        });
        return new String(document, StandardCharsets.UTF_8);
    }

    @Test
    void wholeNumbersHaveNoFraction() {
        assertThat(json(out -> {
                    out.number("a", 8.0);
                    out.number("b", 0.5);
                    out.number("c", -3.0);
                    out.number("d", 9_007_199_254_740_991d);
                    out.number("e", 1e300);
                    out.whole("f", Long.MAX_VALUE);
                }))
                .isEqualTo("{\"a\":8,\"b\":0.5,\"c\":-3,\"d\":9007199254740991,\"e\":1.0E300,"
                        + "\"f\":9223372036854775807}");
    }

    @Test
    void timesAreUtcAndEndInZ() {
        assertThat(json(out -> {
                    out.time("whole", Instant.parse("2026-01-02T03:04:05Z"));
                    out.time("fraction", Instant.parse("2026-01-02T03:04:05.000006Z"));
                }))
                .isEqualTo("{\"whole\":\"2026-01-02T03:04:05Z\",\"fraction\":\"2026-01-02T03:04:05.000006Z\"}");
    }

    @Test
    void fieldsWithoutAValueAreLeftOutAndListsAreAlwaysThere() {
        assertThat(json(out -> {
                    out.text("text", null);
                    out.id("id", null);
                    out.time("time", null);
                    out.texts("texts", List.of());
                    out.list("list", List.<String>of(), (writer, item) -> writer.text("never", item));
                    out.flag("flag", false);
                }))
                .isEqualTo("{\"texts\":[],\"list\":[],\"flag\":false}");
    }

    @Test
    void textIsEscapedAndSentAsUtf8() {
        assertThat(json(out -> {
                    out.text("a", "\"\\\n\u0001é😀</script>");
                    out.texts("b", List.of("x", "y"));
                    out.id("c", ID);
                }))
                .isEqualTo("{\"a\":\"\\\"\\\\\\n\\u0001é😀</script>\",\"b\":[\"x\",\"y\"],\"c\":\"" + ID + "\"}");
    }

    @Test
    void theEnvelopeRepeatsItsRequestId() {
        AnswerShape shape = new Enveloped();
        byte[] whole = shape.success(ID, "{}".getBytes(StandardCharsets.UTF_8));
        assertThat(new String(whole, StandardCharsets.UTF_8))
                .isEqualTo("{\"status\":200,\"requestId\":\"" + ID + "\",\"result\":{}}");
        assertThat(shape.requestId(whole)).isEqualTo(ID.toString());
        byte[] deletion = shape.done(ID);
        assertThat(new String(deletion, StandardCharsets.UTF_8))
                .isEqualTo("{\"status\":200,\"requestId\":\"" + ID + "\"}");
        assertThat(shape.requestId(deletion)).isEqualTo(ID.toString());
    }
}
