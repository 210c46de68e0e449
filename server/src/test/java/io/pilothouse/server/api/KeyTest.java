package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Role;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Keys as things: making, reading, changing and deleting them. */
class KeyTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private ApiAnswer make(String body) {
        return tenant.admin().post(tenant.keys(), body);
    }

    private String path(JsonNode newKey) {
        return tenant.keys() + "/" + newKey.path("key").path("id").asString();
    }

    private JsonNode read(JsonNode newKey) {
        return tenant.admin().get(path(newKey)).ok();
    }

    private ApiAnswer update(JsonNode newKey, String body) {
        return tenant.admin().patch(path(newKey), body);
    }

    @Test
    void aKeyIsMadeWithASecretThatIsShownOnce() {
        JsonNode made = make("{'name': 'Deploy', 'roles': ['developer', 'query_endpoints']}")
                .ok();
        assertThat(made.path("keyId").asString()).matches("[A-Za-z0-9]{20}");
        assertThat(made.path("keySecret").asString()).matches("[A-Za-z0-9]{48}");
        JsonNode key = made.path("key");
        ApiJson.assertSame(key.path("name"), "'Deploy'");
        ApiJson.assertSame(key.path("state"), "'enabled'");
        ApiJson.assertSame(key.path("roles"), "['developer', 'query_endpoints']");
        ApiJson.assertSame(key.path("ipAccessList"), "[]");
        assertThat(made.path("keyId").asString()).endsWith(key.path("keySuffix").asString());
        assertThat(key.has("expireAt")).isFalse();
        assertThat(key.has("usedAt")).isFalse();
        assertThat(read(made)).isEqualTo(key);
        String listed = tenant.admin().get(tenant.keys()).text();
        assertThat(listed)
                .doesNotContain(
                        made.path("keySecret").asString(), made.path("keyId").asString());
    }

    @Test
    void neitherSecretNorIdOfAKeyIsStored() throws IOException {
        JsonNode made = make("{'name': 'Stored'}").ok();
        String stored = ServiceShapeTest.everythingStored(house.folder());
        assertThat(stored.contains(made.path("keySecret").asString()))
                .as("the secret")
                .isFalse();
        assertThat(stored.contains(made.path("keyId").asString())).as("the id").isFalse();
        assertThat(stored.contains(made.path("key").path("id").asString()))
                .as("its row")
                .isTrue();
    }

    @Test
    void aKeyWithoutRolesCanOnlyQuery() {
        ApiJson.assertSame(make("{'name': 'Bare'}").ok().path("key").path("roles"), "['query_endpoints']");
    }

    @Test
    void aKeyIsGivenRolesByTheIdsThatOtherKeysShow() {
        JsonNode first = make("{'name': 'First', 'roles': ['developer', 'query_endpoints']}")
                .ok()
                .path("key");
        JsonNode assigned = first.path("assignedRoles");
        assertThat(assigned)
                .extracting(each -> each.path("roleName").asString())
                .containsExactly("Developer", "Basic service API reader");
        ApiJson.assertSame(assigned.path(0).path("roleType"), "'system'");
        String id = assigned.path(0).path("roleId").asString();

        JsonNode second =
                make("{'name': 'Second', 'assignedRoleIds': ['" + id + "']}").ok();
        ApiJson.assertSame(second.path("key").path("roles"), "['developer']");
        ApiJson.assertSame(
                update(second, "{'assignedRoleIds': [], 'roles': ['query_endpoints']}")
                        .ok()
                        .path("roles"),
                "['query_endpoints']");
        ApiJson.assertSame(
                update(second, "{'assignedRoleIds': ['" + id + "']}").ok().path("roles"), "['developer']");
        update(second, "{'assignedRoleIds': ['" + id + "'], 'roles': ['admin']}")
                .faultsAt("assignedRoleIds");
        make("{'name': 'A', 'assignedRoleIds': ['00000000-0000-4000-8000-000000000000']}")
                .faultsAt("assignedRoleIds[0]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | name",
                "{'name': null} | name",
                "{'name': ''} | name",
                "{'name': '   '} | name",
                "{'name': 5} | name",
                "{'name': 'A', 'state': 'Enabled'} | state",
                "{'name': 'A', 'state': ''} | state",
                "{'name': 'A', 'state': true} | state",
                "{'name': 'A', 'roles': []} | roles",
                "{'name': 'A', 'roles': 'admin'} | roles",
                "{'name': 'A', 'roles': ['root']} | roles[0]",
                "{'name': 'A', 'roles': ['ADMIN']} | roles[0]",
                "{'name': 'A', 'roles': ['developer', 5]} | roles[1]",
                "{'name': 'A', 'roles': [null]} | roles[0]",
                "{'name': 'A', 'expireAt': 'tomorrow'} | expireAt",
                "{'name': 'A', 'expireAt': '2027-01-01'} | expireAt",
                "{'name': 'A', 'expireAt': '2027-01-01T00:00:00'} | expireAt",
                "{'name': 'A', 'expireAt': '2027-02-30T00:00:00Z'} | expireAt",
                "{'name': 'A', 'expireAt': 1798761600} | expireAt",
                "{'name': 'A', 'ipAccessList': {}} | ipAccessList",
                "{'name': 'A', 'ipAccessList': ['192.0.2.1']} | ipAccessList[0]",
                "{'name': 'A', 'ipAccessList': [{'source': 'any'}]} | ipAccessList[0].source",
                "{'name': 'A', 'hashData': 'x'} | hashData",
                "{'name': 'A', 'hashData': {'keyIdHash': 'AAAA', 'keyIdSuffix': 'abcd', 'keySecretHash': ''}} | hashData.keyIdHash"
            })
    void aMalformedKeyIsRefusedByItsPath(String body, String path) {
        assertThat(make(body).faults()).containsKey(path);
        assertThat(tenant.admin().get(tenant.keys()).ok()).hasSize(1);
    }

    @Test
    void everyFaultIsReportedAtOnce() {
        make("""
                {'name': '', 'state': 'x', 'roles': ['x'], 'expireAt': 'x', 'ipAccessList': [{'source': 'x'}],
                 'hashData': {'keyIdSuffix': 'abc!', 'keyIdHash': null}}""")
                .faultsAt(
                        "name",
                        "state",
                        "roles[0]",
                        "expireAt",
                        "ipAccessList[0].source",
                        "hashData.keyIdHash",
                        "hashData.keyIdSuffix",
                        "hashData.keySecretHash");
        make("{'name': '" + "n".repeat(256) + "'}").faultsAt("name");
        make("{'name': '" + "n".repeat(255) + "'}").ok();
    }

    @Test
    void keysAreListedByCreation() {
        List<String> ids = new ArrayList<>();
        tenant.admin()
                .get(tenant.keys())
                .ok()
                .forEach(key -> ids.add(key.path("id").asString()));
        for (String name : List.of("One", "Two", "Three")) {
            house.advance(Duration.ofMillis(1));
            ids.add(make("{'name': '" + name + "'}").ok().path("key").path("id").asString());
        }
        assertThat(tenant.admin()
                        .get(tenant.keys())
                        .ok()
                        .valueStream()
                        .map(key -> key.path("id").asString()))
                .containsExactlyElementsOf(ids);
    }

    @Test
    void everyFieldOfAKeyCanBeChanged() {
        JsonNode key = make("{'name': 'Old'}").ok();
        JsonNode updated = update(key, """
                        {'name': 'New', 'state': 'disabled', 'roles': ['admin', 'developer'],
                         'expireAt': '2027-01-01T01:00:00+01:00', 'ipAccessList': [{'source': '::1', 'description': 'd'}]}""").ok();
        ApiJson.assertSame(updated.path("name"), "'New'");
        ApiJson.assertSame(updated.path("state"), "'disabled'");
        ApiJson.assertSame(updated.path("roles"), "['admin', 'developer']");
        ApiJson.assertSame(updated.path("expireAt"), "'2027-01-01T00:00:00Z'");
        ApiJson.assertSame(updated.path("ipAccessList"), "[{'source': '::1', 'description': 'd'}]");
        assertThat(read(key)).isEqualTo(updated);
        ApiJson.assertSame(
                updated.path("keySuffix"), key.path("key").path("keySuffix").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'name': null, 'state': null, 'roles': null, 'ipAccessList': null}",
                "{'name': 'Same', 'roles': ['developer'], 'state': 'enabled'}",
                "{'keySuffix': 'zzzz', 'id': 5}"
            })
    void anUpdateWithoutAnythingNewChangesNothing(String body) {
        JsonNode key = make("{'name': 'Same', 'roles': ['developer'], 'expireAt': '2030-01-01T00:00:00Z'}")
                .ok();
        assertThat(update(key, body).ok()).isEqualTo(key.path("key"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "''"})
    void anExpiryIsTakenBackByNullOrEmptyText(String nothing) {
        JsonNode key = make("{'name': 'A', 'expireAt': '2030-01-01T00:00:00Z'}").ok();
        ApiJson.assertSame(key.path("key").path("expireAt"), "'2030-01-01T00:00:00Z'");
        assertThat(update(key, "{'expireAt': " + nothing + "}").ok().has("expireAt"))
                .isFalse();
        assertThat(make("{'name': 'B', 'expireAt': " + nothing + "}")
                        .ok()
                        .path("key")
                        .has("expireAt"))
                .isFalse();
    }

    @Test
    void aDeletedKeyIsNotFound() {
        JsonNode key = make("{'name': 'A', 'roles': ['developer']}").ok();
        ApiCaller caller = tenant.with(key);
        caller.get(tenant.services()).ok();
        tenant.admin().delete(path(key)).ok();
        caller.get(tenant.services()).refused(401, "UNAUTHORIZED");
        tenant.admin().get(path(key)).refused(404, "NOT_FOUND");
        tenant.admin().delete(path(key)).refused(404, "NOT_FOUND");
        update(key, "{}").refused(404, "NOT_FOUND");
        assertThat(tenant.admin().get(tenant.keys()).ok()).hasSize(1);
    }

    @Test
    void aKeyNeitherDeletesNorDisablesItself() {
        JsonNode key = make("{'name': 'A', 'roles': ['admin']}").ok();
        ApiCaller self = tenant.with(key);
        self.delete(path(key)).refused(409, "CONFLICT");
        self.patch(path(key), "{'state': 'disabled'}").refused(409, "CONFLICT");
        self.patch(path(key), "{'state': 'enabled', 'name': 'Renamed'}").ok();
        ApiJson.assertSame(read(key).path("name"), "'Renamed'");
    }

    @Test
    void aKeyOfAnyRoleLearnsWhoseItIs() {
        JsonNode key = make("{'name': 'Asker', 'roles': ['query_endpoints']}").ok();
        ApiJson.assertSame(
                tenant.with(key).get("/v1/whoami").ok(),
                "{'actorType': 'apiKey', 'keyId': " + key.path("key").path("id") + ", 'name': 'Asker',"
                        + " 'organizationId': '" + tenant.id() + "'}");
        house.nobody().get("/v1/whoami").refused(401, "UNAUTHORIZED");
    }

    @Test
    void nobodyHandsOutTheOperatorsRightsWithoutHavingThem() {
        make("{'name': 'A', 'roles': ['operator']}").refused(403, "FORBIDDEN");
        make("{'name': 'A', 'roles': ['admin', 'operator']}").refused(403, "FORBIDDEN");
        JsonNode key = make("{'name': 'A', 'roles': ['developer']}").ok();
        update(key, "{'roles': ['developer', 'operator']}").refused(403, "FORBIDDEN");
        update(key, "{'assignedRoleIds': ['" + Role.OPERATOR.id() + "']}").refused(403, "FORBIDDEN");
        ApiJson.assertSame(read(key).path("roles"), "['developer']");
        house.root()
                .post("/v1/organizations/" + house.homeId() + "/keys", "{'name': 'A', 'roles': ['operator']}")
                .ok();
    }

    @Test
    void aKeyCanBeBroughtAsHashesOfWhatTheServerNeverSees() throws NoSuchAlgorithmException {
        String keyId = "broughtKeyId00000abcd";
        String secret = "a secret of the caller's own choosing: ü";
        String body = "{'name': 'Brought', 'roles': ['developer'], 'hashData': {'keyIdHash': '" + sha256(keyId)
                + "', 'keyIdSuffix': 'abcd', 'keySecretHash': '" + sha256(secret) + "'}}";
        JsonNode made = make(body).ok();
        assertThat(made.has("keyId")).isFalse();
        assertThat(made.has("keySecret")).isFalse();
        ApiJson.assertSame(made.path("key").path("keySuffix"), "'abcd'");
        house.as(ApiCredentials.basic(keyId, secret)).get(tenant.services()).ok();
        house.as(ApiCredentials.basic(keyId, secret + "x"))
                .get(tenant.services())
                .refused(401, "UNAUTHORIZED");
        make(body).faultsAt("hashData.keyIdHash");
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(digest);
    }
}
