package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import io.pilothouse.testkit.api.ApiRaw;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** How a body must be written, what it must say that it is, and how large it may be. */
class BodyTest {
    private static final int MAX_BYTES = 1024 * 1024;

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private ApiAnswer create(String exactly) {
        return tenant.admin().send("POST", tenant.services(), exactly);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "null",
                "true",
                "5",
                "\"text\"",
                "[]",
                "[{}]",
                "{",
                "{\"name\"",
                "{\"name\":",
                "{\"name\": \"A\"",
                "{\"name\": \"A\",}",
                "{\"name\": A}",
                "{name: \"A\"}",
                "{'name': 'A'}",
                "{\"name\": \"A\"}}",
                "{\"name\": \"A\"} x",
                "{\"name\": \"A\"}{}",
                "{} null",
                "{\"name\": \"A\" /* no */}",
                "{\"numReplicas\": 03}",
                "{\"numReplicas\": +3}",
                "{\"numReplicas\": .5}",
                "{\"numReplicas\": 0x3}",
                "{\"numReplicas\": NaN}",
                "{\"numReplicas\": Infinity}",
                "{\"name\": \"tab\tinside\"}",
                "{\"name\": \"\\x41\"}",
                "{\"name\": \"\\u12\"}",
                "{\"name\" \"A\"}",
                "\uFEFF",
                "\uFEFF\uFEFF{}",
                "{}\uFEFF"
            })
    void aBodyThatIsNotOneJsonObjectIsRefusedAsAWhole(String body) {
        create(body).faultsAt("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\": \"A\", \"name\": \"A\"} | name",
                "{\"name\": \"A\", \"unknown\": 1, \"unknown\": 2} | unknown",
                "{\"ipAccessList\": [{\"source\": \"::1\", \"source\": \"::2\"}]} | ipAccessList[0].source",
                "{\"unknown\": {\"a\": [{\"b\": 1, \"b\": 2}]}} | unknown.a[0].b",
                "{\"name\": \"A\\u0000B\"} | name",
                "{\"unknown\": [\"\\u0000\"]} | unknown[0]",
                "{\"name\": \"\\ud800\"} | name",
                "{\"numReplicas\": 1e999} | numReplicas"
            })
    void aFaultInsideIsReportedByItsPath(String body, String path) {
        assertThat(create(body).faults()).containsOnlyKeys(path);
    }

    @Test
    void aByteOrderMarkBeforeTheJsonIsSkipped() {
        assertThat(create("\uFEFF{\"name\": \"Marked\"}")
                        .ok()
                        .path("service")
                        .path("name")
                        .asString())
                .isEqualTo("Marked");
    }

    @Test
    void aNumberOfAnySpellingIsTheSameNumber() {
        for (String eight : List.of("8", "8.0", "8.000", "8e0", "0.8e1", "80E-1", "8.0e+00")) {
            ApiAnswer answer = create("{\"minReplicaMemoryGb\": " + eight + "}");
            answer.ok();
            assertThat(answer.text()).contains("\"minReplicaMemoryGb\":8,");
        }
        create("{\"minReplicaMemoryGb\": 8.0000000001}").faultsAt("minReplicaMemoryGb");
    }

    @Test
    void nestingEndsAtSixtyFourLevels() {
        create("{\"unknown\": " + "[".repeat(63) + "]".repeat(63) + "}").ok();
        create("{\"unknown\": " + "{\"a\": ".repeat(62) + "{}" + "}".repeat(62) + "}")
                .ok();
        assertThat(create("{\"unknown\": " + "[".repeat(64) + "]".repeat(64) + "}")
                        .faults()
                        .keySet())
                .singleElement()
                .asString()
                .startsWith("unknown[0][0]");
        create("{\"unknown\": " + "[".repeat(400_000)).refused(400, "BAD_REQUEST");
    }

    @Test
    void bytesThatAreNoUtf8AreRefused() {
        for (byte[] body : List.of(
                new byte[] {'{', '"', 'n', 'a', 'm', 'e', '"', ':', '"', (byte) 0xff, '"', '}'},
                new byte[] {'{', '"', (byte) 0xc0, (byte) 0x80, '"', ':', '1', '}'},
                "{\"name\": \"Größe\"}".getBytes(StandardCharsets.ISO_8859_1),
                "{\"name\": \"A\"}".getBytes(StandardCharsets.UTF_16),
                new byte[] {'{', '"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"', ':', '1', '}'})) {
            tenant.admin().send("POST", tenant.services(), body).faultsAt("");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "application/json;charset=UTF-8",
                "Application/JSON; Charset=\"utf-8\"",
                "application/json; charset=utf8"
            })
    void jsonInUtf8MayBeSpelledInAnyWay(String type) {
        tenant.admin()
                .with("Content-Type", type)
                .post(tenant.services(), "{'name': 'A'}")
                .ok();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/xml",
                "application/jsonp",
                "application/merge-patch+json",
                "application/json; charset=iso-8859-1",
                "application/json; charset=utf-16",
                "json",
                "*/*"
            })
    void anythingElseIsNoMediaTypeOfOurs(String type) {
        ApiCaller caller = tenant.admin().with("Content-Type", type);
        JsonNode service = tenant.made("{}");
        caller.post(tenant.services(), "{'name': 'A'}").refused(415, "UNSUPPORTED_MEDIA_TYPE");
        caller.patch(tenant.service(service), "{'name': 'A'}").refused(415, "UNSUPPORTED_MEDIA_TYPE");
        caller.patch(tenant.path(), "{'name': 'A'}").refused(415, "UNSUPPORTED_MEDIA_TYPE");
        caller.post(tenant.keys(), "not even JSON").refused(415, "UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void aBodyWithoutAMediaTypeOrWithTwoIsRefused() {
        String authorization =
                Objects.requireNonNull(tenant.admin().credentials().authorization());
        for (String types : List.of("", "Content-Type: application/json\r\nContent-Type: application/json\r\n")) {
            try (ApiRaw raw = house.raw()) {
                raw.send("POST " + tenant.services() + " HTTP/1.1\r\nHost: a\r\nAuthorization: " + authorization
                        + "\r\n" + types + "Content-Length: 2\r\n\r\n{}");
                raw.read("POST", tenant.services()).refused(415, "UNSUPPORTED_MEDIA_TYPE");
            }
        }
    }

    @Test
    void anOperationWithABodyNeedsOne() {
        JsonNode service = tenant.made("{}");
        ApiCaller admin = tenant.admin();
        admin.send("POST", tenant.services(), "").faultsAt("");
        admin.send("PATCH", tenant.service(service), "").faultsAt("");
        admin.send("PATCH", tenant.path(), "").faultsAt("");
        admin.send("POST", tenant.keys(), "").faultsAt("");
    }

    @Test
    void aBodyEndsAtOneMebibyte() {
        create(padded(MAX_BYTES)).ok();
        create(padded(MAX_BYTES + 1)).refused(413, "PAYLOAD_TOO_LARGE");
        create("x".repeat(3 * MAX_BYTES)).refused(413, "PAYLOAD_TOO_LARGE");
    }

    @Test
    void aFieldThatNobodyKnowsMayHoldAnythingThatFits() {
        String start = "{\"name\": \"A\", \"unknown\": \"";
        create(start + "x".repeat(MAX_BYTES - start.length() - 2) + "\"}").ok();
        create("{\"name\": \"A\", \"unknown\": " + "9".repeat(100_000) + "}").ok();
        create("{\"name\": \"A\", \"unknown\": [1e309, -1e999]}").ok();
        create("{\"name\": \"A\", \"" + "n".repeat(100_000) + "\": null}").ok();
        create("{\"numReplicas\": 1e309}").faultsAt("numReplicas");
    }

    private static String padded(int length) {
        String body = "{\"name\": \"A\"}";
        return body + " ".repeat(length - body.length());
    }

    @Test
    void aBodyInChunksIsReadLikeAnyOther() {
        String authorization =
                Objects.requireNonNull(tenant.admin().credentials().authorization());
        String head = "POST " + tenant.services() + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\nAuthorization: " + authorization + "\r\n\r\n";
        try (ApiRaw raw = house.raw()) {
            raw.send(head + "9\r\n{\"name\": \r\n4\r\n\"A\"}\r\n0\r\n\r\n");
            ApiJson.assertSame(
                    raw.read("POST", tenant.services()).ok().path("service").path("name"), "'A'");
            raw.send(head);
            String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
            boolean taken = true;
            for (int i = 0; taken && i < 17; i++) {
                taken = raw.send(chunk);
            }
            raw.read("POST", tenant.services()).refused(413, "PAYLOAD_TOO_LARGE");
        }
    }
}
