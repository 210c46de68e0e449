package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Keys as proofs: who is let in, from where and for how long, and that every refusal sounds the same. */
class CredentialsTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private JsonNode key(String fields) {
        return tenant.admin()
                .post(tenant.keys(), "{'name': 'A', 'roles': ['developer'], " + fields + "}")
                .ok();
    }

    private static void requireUnknown(ApiAnswer answer) {
        answer.refused(401, "UNAUTHORIZED");
        assertThat(answer.need("www-authenticate")).startsWith("Basic realm=");
        assertThat(answer.json().path("error").asString())
                .isEqualTo("UNAUTHORIZED: Unknown, disabled or expired credentials");
    }

    private ApiAnswer ask(ApiCaller caller) {
        return caller.get(tenant.services());
    }

    private String change(JsonNode key, String body) {
        return tenant.admin()
                .patch(tenant.keys() + "/" + key.path("key").path("id").asString(), body)
                .ok()
                .toString();
    }

    @Test
    void aCallerWithoutCredentialsIsUnknown() {
        requireUnknown(ask(house.nobody()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Basic",
                "Basic ",
                "Basic !!!!",
                "Basic %",
                "Basic Zg",
                "Basic Og==",
                "Basic bm9jb2xvbg==",
                "Basic Ojo6",
                "Bearer AAAA",
                "Digest username=x",
                "basic",
                "x"
            })
    void malformedCredentialsAreUnknown(String header) {
        requireUnknown(ask(house.nobody().with("Authorization", header)));
    }

    @Test
    void theSchemeIsReadInAnyCaseAndTheProofExactly() {
        JsonNode key = key("'state': 'enabled'");
        String keyId = key.path("keyId").asString();
        String secret = key.path("keySecret").asString();
        String good = encoded(keyId + ":" + secret);
        ask(house.nobody().with("Authorization", "Basic " + good)).ok();
        ask(house.nobody().with("Authorization", "bAsIc " + good)).ok();
        ask(house.nobody().with("Authorization", "Basic   " + good)).ok();
        for (String wrong : List.of(
                encoded(keyId + ":" + secret + "x"),
                encoded(keyId + ":" + secret.substring(1)),
                encoded(keyId + ":"),
                encoded(":" + secret),
                encoded(secret + ":" + keyId),
                encoded(keyId + ":" + secret + ":"),
                encoded(keyId + " :" + secret),
                encoded("\u0000" + keyId + ":" + secret),
                good + " " + good,
                good + ",",
                "\t" + good)) {
            requireUnknown(ask(house.nobody().with("Authorization", "Basic " + wrong)));
        }
        requireUnknown(
                ask(house.nobody().with("Authorization", "Basic " + good).with("Authorization", "Basic " + good)));
    }

    private static String encoded(String pair) {
        return Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aForeignKeyWithAKnownIdIsUnknown() {
        JsonNode one = key("'state': 'enabled'");
        JsonNode other = key("'state': 'enabled'");
        requireUnknown(ask(house.as(ApiCredentials.basic(
                one.path("keyId").asString(), other.path("keySecret").asString()))));
    }

    @Test
    void aDisabledKeyIsUnknownUntilItIsEnabled() {
        JsonNode key = key("'state': 'disabled'");
        ApiCaller caller = tenant.with(key);
        requireUnknown(ask(caller));
        change(key, "{'state': 'enabled'}");
        ask(caller).ok();
        change(key, "{'state': 'disabled'}");
        requireUnknown(ask(caller));
    }

    @Test
    void aKeyIsGoodUntilTheMomentItExpires() {
        String expiry = house.time.now().plus(Duration.ofHours(1)).toString();
        JsonNode key = key("'expireAt': '" + expiry + "'");
        ApiCaller caller = tenant.with(key);
        ask(caller).ok();
        house.advance(Duration.ofHours(1).minusNanos(1));
        ask(caller).ok();
        house.advance(Duration.ofNanos(1));
        requireUnknown(ask(caller));
        change(key, "{'expireAt': null}");
        ask(caller).ok();
        change(key, "{'expireAt': '2020-01-01T00:00:00Z'}");
        requireUnknown(ask(caller));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "0.0.0.0/0", "127.0.0.1/32", "::ffff:127.0.0.1"})
    void aKeyLetsInItsOwnAddresses(String source) {
        ask(tenant.with(key("'ipAccessList': [{'source': '192.0.2.1'}, {'source': '" + source + "'}]")))
                .ok();
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "127.0.0.2", "127.0.0.2/31", "10.0.0.0/8", "::1", "::/0"})
    void aKeyLetsInNoOtherAddress(String source) {
        requireUnknown(ask(tenant.with(key("'ipAccessList': [{'source': '" + source + "'}]"))));
    }

    @Test
    void anAccessListThatIsEmptiedLetsEverybodyInAgain() {
        JsonNode key = key("'ipAccessList': [{'source': '192.0.2.1'}]");
        requireUnknown(ask(tenant.with(key)));
        change(key, "{'ipAccessList': []}");
        ask(tenant.with(key)).ok();
    }

    @Test
    void whenAKeyWasUsedIsKnownToTheMinute() {
        JsonNode key = key("'state': 'enabled'");
        String path = tenant.keys() + "/" + key.path("key").path("id").asString();
        assertThat(tenant.admin().get(path).ok().has("usedAt")).isFalse();
        house.advance(Duration.ofMinutes(2));
        String used = house.time.now().toString();
        ask(tenant.with(key)).ok();
        ApiJson.assertSame(tenant.admin().get(path).ok().path("usedAt"), "'" + used + "'");
        house.advance(Duration.ofSeconds(59));
        ask(tenant.with(key)).ok();
        ApiJson.assertSame(tenant.admin().get(path).ok().path("usedAt"), "'" + used + "'");
        house.advance(Duration.ofSeconds(2));
        ask(tenant.with(key)).ok();
        ApiJson.assertSame(
                tenant.admin().get(path).ok().path("usedAt"),
                "'" + house.time.now().toString() + "'");
    }

    @Test
    void aKeyThatWasUsedSinceItWasReadCanBeChanged() {
        JsonNode key = key("'state': 'enabled'");
        String path = tenant.keys() + "/" + key.path("key").path("id").asString();
        ApiAnswer read = tenant.admin().get(path);
        house.advance(Duration.ofMinutes(2));
        ask(tenant.with(key)).ok();
        ApiAnswer used = tenant.admin().get(path);
        assertThat(used.ok().has("usedAt")).isTrue();
        assertThat(used.header("etag")).isNotEqualTo(read.header("etag"));
        String tag = Objects.requireNonNull(read.header("etag"));
        tenant.admin().with("If-Match", tag).patch(path, "{'name': 'Renamed'}").ok();
        tenant.admin().with("If-Match", tag).patch(path, "{'name': 'Again'}").refused(412, "PRECONDITION_FAILED");
    }

    @Test
    void anUnknownCallerLearnsNothingOfTheThingsThere() {
        ApiCaller stranger = house.as(ApiCredentials.basic("x".repeat(20), "y".repeat(48)));
        for (String path : List.of(
                tenant.path(),
                tenant.services(),
                "/v1/organizations/00000000-0000-4000-8000-000000000000",
                "/v1/organizations/no-uuid/services")) {
            requireUnknown(stranger.get(path));
        }
        requireUnknown(stranger.post(tenant.services(), "{'name': 5}"));
    }
}
