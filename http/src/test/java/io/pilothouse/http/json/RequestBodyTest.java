package io.pilothouse.http.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Refused;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestBodyTest {
    private final Faults faults = new Faults();

    private RequestBody read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    private RequestBody read(byte[] json) {
        return new RequestBody(JsonReader.readObject(json, faults), JsonPath.ROOT, faults);
    }

    private Refused refusal(String json) {
        return refusal(json.getBytes(StandardCharsets.UTF_8));
    }

    private Refused refusal(byte[] json) {
        Refused refused = catchThrowableOfType(Refused.class, () -> read(json));
        assertThat(refused).isNotNull();
        assertThat(refused.reason()).isEqualTo(Refused.Reason.BAD_REQUEST);
        return refused;
    }

    private List<String> paths() {
        return faults.list().stream().map(Fault::path).toList();
    }

    @Test
    void valuesAreReadByNameAndType() {
        RequestBody body = read("""
                {"text": "a\\u00e9\\ud83d\\ude00", "number": 8.0, "small": -1.5e3, "yes": true, "no": false,
                 "id": "11111111-2222-4333-8444-555555555555", "texts": ["a", "b"], "inner": {"text": "x"}}
                """);
        assertThat(body.text("text")).isEqualTo("aé😀");
        assertThat(body.number("number")).isEqualTo(8);
        assertThat(body.number("small")).isEqualTo(-1500);
        assertThat(body.flag("yes")).isTrue();
        assertThat(body.flag("no")).isFalse();
        assertThat(body.id("id")).isEqualTo(UUID.fromString("11111111-2222-4333-8444-555555555555"));
        assertThat(body.texts("texts")).containsExactly("a", "b");
        RequestBody inner = body.object("inner");
        assertThat(inner).isNotNull().extracting(found -> found.text("text")).isEqualTo("x");
        assertThat(faults.none()).isTrue();
    }

    @Test
    void absentAndNullReadTheSameAndCanBeDistinguished() {
        RequestBody body = read("{\"gone\": null}");
        for (String name : List.of("gone", "never")) {
            assertThat(body.text(name)).isNull();
            assertThat(body.number(name)).isNull();
            assertThat(body.flag(name)).isNull();
            assertThat(body.id(name)).isNull();
            assertThat(body.object(name)).isNull();
            assertThat(body.texts(name)).isNull();
            assertThat(body.objects(name, entry -> entry)).isNull();
            assertThat(body.textsChange(name)).isNull();
        }
        assertThat(body.given("gone")).isTrue();
        assertThat(body.given("never")).isFalse();
        assertThat(faults.none()).isTrue();
    }

    @Test
    void everyWrongTypeIsCollectedWithItsPath() {
        RequestBody body = read("""
                {"text": 1, "number": "8", "flag": 0, "id": "no", "texts": ["a", 2, null], "object": [],
                 "items": [{"name": 3}, 4, {}], "pair": {"add": 5, "remove": ["x", {}]}, "list": {}}
                """);
        assertThat(body.text("text")).isNull();
        assertThat(body.number("number")).isNull();
        assertThat(body.flag("flag")).isNull();
        assertThat(body.id("id")).isNull();
        assertThat(body.texts("texts")).containsExactly("a", "", "");
        assertThat(body.object("object")).isNull();
        assertThat(body.objects("items", entry -> entry.requiredText("name"))).containsExactly("", "", "");
        assertThat(body.textsChange("pair")).isEqualTo(new ListChange<>(List.of(), List.of("x", "")));
        assertThat(body.objects("list", entry -> entry)).isNull();
        assertThat(paths())
                .containsExactly(
                        "text",
                        "number",
                        "flag",
                        "id",
                        "texts[1]",
                        "texts[2]",
                        "object",
                        "items[0].name",
                        "items[1]",
                        "items[2].name",
                        "pair.add",
                        "pair.remove[1]",
                        "list");
    }

    @Test
    void aMissingRequiredFieldIsReported() {
        RequestBody body = read("{\"name\": null, \"enabled\": \"yes\"}");
        assertThat(body.requiredText("name")).isEmpty();
        assertThat(body.requiredFlag("enabled")).isFalse();
        assertThat(body.requiredFlag("other")).isFalse();
        assertThat(faults.list())
                .containsExactly(
                        new Fault("name", "is required"),
                        new Fault("enabled", "must be true or false"),
                        new Fault("other", "is required"));
    }

    @Test
    void pairsOfObjectsAreReadInOrder() {
        RequestBody body =
                read("{\"tags\": {\"remove\": [{\"k\": \"a\"}], \"add\": [{\"k\": \"b\"}, {\"k\": \"c\"}]}}");
        assertThat(body.objectsChange("tags", entry -> entry.requiredText("k")))
                .isEqualTo(new ListChange<>(List.of("b", "c"), List.of("a")));
        assertThat(body.objectsChange("none", entry -> entry)).isNull();
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(read("{\"a\": {\"b\": [1, {\"c\": null}]}, \"text\": \"x\"}").text("text"))
                .isEqualTo("x");
        assertThat(faults.none()).isTrue();
    }

    @Test
    void aKeyGivenTwiceIsCollectedWhereverItIs() {
        read("{\"a\": 1, \"a\": 2, \"b\": [{\"c\": 1, \"c\": 1}]}");
        assertThat(faults.list())
                .containsExactly(new Fault("a", "is given twice"), new Fault("b[0].c", "is given twice"));
    }

    @Test
    void aTextWithNulOrHalfAPairIsCollectedWhereverItIs() {
        read(
                "{\"a\": \"x\\u0000\", \"b\": [\"\\ud800\"], \"c\": {\"d\": \"\\udc00\\ud800\"}, \"e\": \"\\ud83d\\ude00\"}");
        assertThat(paths()).containsExactly("a", "b[0]", "c.d");
    }

    @Test
    void aNumberThatIsTooLargeIsCollected() {
        RequestBody body = read("{\"a\": 1e999, \"b\": -1e999, \"c\": 1e999}");
        assertThat(body.number("a")).isNull();
        assertThat(body.number("b")).isNull();
        assertThat(paths()).as("those that are asked for").containsExactly("a", "b");
    }

    @Test
    void aNameWithNulOrHalfAPairIsRefused() {
        assertThat(refusal("{\"a\": {\"x\\u0000\": 1}}").details().getFirst().path())
                .isEqualTo("a");
        assertThat(refusal("{\"\\ud800\": 1}").details().getFirst().path()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "true", "8", "\"text\"", "[]", "[{}]"})
    void anythingThatIsNoObjectIsRefused(String json) {
        assertThat(refusal(json).sentence()).isEqualTo("must be a JSON object");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{\"a\":1 \"b\":2}",
                "{,}",
                "{}}",
                "{} {}",
                "{}x",
                "{} null",
                "{'a': 1}",
                "{a: 1}",
                "{\"a\": 01}",
                "{\"a\": +1}",
                "{\"a\": .5}",
                "{\"a\": 1.}",
                "{\"a\": 0x10}",
                "{\"a\": NaN}",
                "{\"a\": Infinity}",
                "{\"a\": tru}",
                "{\"a\": [1,]}",
                "{\"a\": \"\\x\"}",
                "{\"a\": \"line\nbreak\"}",
                "{\"a\": \"\\u12\"}",
                "{/* */}",
                "// x\n{}",
                "\u0000{}",
                "\ufeff\ufeff{}",
                "{}\ufeff"
            })
    void anythingThatIsNotOneDocumentIsRefused(String json) {
        assertThat(refusal(json).details()).singleElement().satisfies(fault -> {
            assertThat(fault.path()).isEmpty();
            assertThat(fault.message())
                    .startsWith("is not one valid JSON object")
                    .doesNotContain("jackson");
        });
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        byte[][] broken = {
            {'{', '"', (byte) 0xff, '"', ':', '1', '}'},
            {'{', '"', 'a', '"', ':', '"', (byte) 0xc0, (byte) 0x80, '"', '}'},
            {'{', '"', 'a', '"', ':', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', '}'},
            "{\"a\":1}".getBytes(StandardCharsets.UTF_16)
        };
        for (byte[] body : broken) {
            assertThat(refusal(body).sentence()).isEqualTo("must be UTF-8");
        }
    }

    @Test
    void aBodyInAnotherUnicodeFormIsNoJson() {
        assertThat(refusal("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)).sentence())
                .startsWith("is not one valid JSON object");
    }

    @Test
    void sixtyFourLevelsAreReadAndOneMoreIsNot() {
        read("{\"a\":".repeat(63) + "{}" + "}".repeat(63));
        assertThat(faults.none()).isTrue();
        Refused objects = refusal("{\"a\":".repeat(64) + "{}" + "}".repeat(64));
        assertThat(objects.sentence()).contains("nested").contains("64 levels");
        assertThat(refusal("{\"a\":" + "[".repeat(64) + "]".repeat(64) + "}").sentence())
                .startsWith("a[0][0]")
                .contains("64 levels");
        assertThat(refusal("{\"a\":" + "[".repeat(100_000)).sentence()).contains("64 levels");
    }

    @Test
    void aFieldThatNobodyKnowsMayHoldAnything() {
        String text = "x".repeat(1_000_000);
        RequestBody body = read("{\"a\":1,\"b\":\"" + text + "\",\"" + text + "\":2}");
        assertThat(body.number("a")).isEqualTo(1.0);
        String digits = "9".repeat(1_000_000);
        assertThat(read("{\"a\":1,\"b\":" + digits + ",\"c\":0." + digits + ",\"d\":-1e999}")
                        .number("a"))
                .isEqualTo(1.0);
        assertThat(faults.none()).isTrue();
    }

    @Test
    void anAttackOfFaultsIsCutShort() {
        String duplicates = "\"a\":0,".repeat(5_000);
        Refused refused = refusal("{" + duplicates + "\"b\":0}");
        assertThat(refused.details()).hasSize(100);
    }

    @Test
    void aListFarTooLongIsOneFault() {
        RequestBody body = read("{\"a\":[" + "{},".repeat(RequestBody.MAX_ITEMS) + "{}],\"b\":["
                + "\"x\",".repeat(RequestBody.MAX_ITEMS) + "1]}");
        assertThat(body.objects("a", entry -> entry.requiredText("name"))).isEmpty();
        assertThat(body.texts("b")).isEmpty();
        assertThat(paths()).containsExactly("a", "b");
    }
}
