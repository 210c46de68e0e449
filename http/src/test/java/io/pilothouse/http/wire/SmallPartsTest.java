package io.pilothouse.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.json.Ids;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallPartsTest {
    @Test
    void requestIdsAreVersion4AndDiffer() {
        Set<UUID> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            UUID id = RequestIds.next();
            assertThat(id.version()).isEqualTo(4);
            assertThat(id.variant()).isEqualTo(2);
            ids.add(id);
        }
        assertThat(ids).hasSize(10_000);
    }

    @Test
    void aUuidIsReadInItsCanonicalFormOnly() {
        assertThat(Ids.parse("11111111-2222-4333-8444-55555555ABcd"))
                .isEqualTo(UUID.fromString("11111111-2222-4333-8444-55555555abcd"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1-2-3-4-5",
                "11111111-2222-4333-8444-55555555555",
                "11111111-2222-4333-8444-5555555555555",
                "111111112222-4333-8444-5555555555555",
                "11111111-2222-4333-8444-55555555555g",
                "11111111-2222-4333-8444-5555555555-5",
                "{1111111-2222-4333-8444-55555555555}",
                "11111111-2222-4333-8444-55555555555\u0661"
            })
    void anythingElseIsNoUuid(String text) {
        assertThat(Ids.parse(text)).isNull();
    }

    @Test
    void percentTextIsDecodedStrictly() {
        assertThat(PercentText.decode("plain", true)).isEqualTo("plain");
        assertThat(PercentText.decode("a+b%20c%C3%A9%2B", true)).isEqualTo("a b cé+");
        assertThat(PercentText.decode("a+b%20c", false)).isEqualTo("a+b c");
        assertThat(PercentText.decode("%F0%9F%98%80", false)).isEqualTo("😀");
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "a%zz", "%2x", "%00", "%C3", "%C0%80", "%ED%A0%80", "%FF", "%+1"})
    void malformedPercentTextIsRejected(String text) {
        assertThat(PercentText.decode(text, true)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "application/json;charset=UTF-8",
                "Application/JSON ; Charset=\"utf-8\"",
                "application/json; charset=utf8",
                "application/json; version=1; charset=utf-8"
            })
    void jsonInUtf8IsJson(String line) {
        assertThat(ContentType.isJson(List.of(line))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text/plain",
                "application/jsonx",
                "application/problem+json",
                "application/json; charset=latin1",
                "application/json; charset=utf-16",
                "application/json; charset="
            })
    void anythingElseIsNoJson(String line) {
        assertThat(ContentType.isJson(List.of(line))).isFalse();
    }

    @Test
    void aContentTypeIsSaidExactlyOnce() {
        assertThat(ContentType.isJson(List.of())).isFalse();
        assertThat(ContentType.isJson(List.of("application/json", "application/json")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/problem+json",
                "application/problem+json;q=0.5",
                "text/html, application/problem+json",
                "application/problem+json, application/json;q=0",
                "application/problem+json, */*; q=0.0"
            })
    void aClientMayTakeProblemJsonAlone(String line) {
        assertThat(Accept.onlyProblemJson(List.of(line))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/json",
                "application/json, application/problem+json",
                "application/problem+json, application/*;q=0.1",
                "application/problem+json;q=0",
                "text/html"
            })
    void otherClientsGetOrdinaryJson(String line) {
        assertThat(Accept.onlyProblemJson(List.of(line))).isFalse();
        assertThat(Accept.onlyProblemJson(List.of())).isFalse();
    }
}
