package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Role;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import io.pilothouse.testkit.api.ApiJson;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What a line of the history says of the fields that a change made others. */
class ActivityChangesTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private JsonNode last(ApiCaller caller, String type) {
        return caller.get(tenant.path() + "/activities")
                .ok()
                .valueStream()
                .filter(line -> line.path("type").asString().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private void lastSays(String type, String changes) {
        ApiJson.assertSame(last(tenant.admin(), type).path("changes"), changes);
    }

    /** What is said of one field, where other fields may follow from it. */
    private void lastSaysOf(String path, String type, String change) {
        JsonNode said = last(tenant.admin(), type)
                .path("changes")
                .valueStream()
                .filter(each -> each.path("path").asString().equals(path))
                .findFirst()
                .orElseThrow();
        ApiJson.assertSame(said, change);
    }

    @Test
    void aServiceThatIsRenamedHasBothNames() {
        JsonNode service = tenant.made("{'name': 'Old'}");
        tenant.update(service, "{'name': 'New'}").ok();
        lastSays("service_update_name", "[{'path': 'name', 'before': 'Old', 'after': 'New'}]");
        lastSays("service_create", "[{'path': 'name', 'after': 'Old'}]");
        String id = last(tenant.admin(), "service_update_name").path("id").asString();
        ApiJson.assertSame(
                tenant.admin().get(tenant.path() + "/activities/" + id).ok().at("/changes/0/after"), "'New'");
    }

    @Test
    void aCommandHasTheStatesThatItLedFromAndTo() {
        JsonNode service = tenant.running();
        tenant.command(service, "stop").ok();
        lastSays("service_stop", "[{'path': 'state', 'before': 'running', 'after': 'stopping'}]");
        house.settle();
        tenant.command(service, "start").ok();
        lastSays("service_start", "[{'path': 'state', 'before': 'stopped', 'after': 'starting'}]");
    }

    @Test
    void whatIsDeletedLeavesWhatItWas() {
        JsonNode service = tenant.made("{'name': 'Gone', 'ipAccessList': [{'source': '192.0.2.1'}]}");
        tenant.delete(service).ok();
        lastSaysOf("name", "service_delete", "{'path': 'name', 'before': 'Gone'}");
        lastSaysOf("ipAccessList", "service_delete", "{'path': 'ipAccessList', 'before': [{'source': '192.0.2.1'}]}");
        assertThat(last(tenant.admin(), "service_delete").path("changes").findValuesAsString("path"))
                .doesNotContain("id", "password")
                .contains("state", "maxReplicaMemoryGb", "createdAt");
        JsonNode key = tenant.newKey("developer").path("key");
        lastSays("key_create", "[{'path': 'name', 'after': 'Another'}]");
        tenant.admin().delete(tenant.keys() + "/" + key.path("id").asString()).ok();
        lastSaysOf("roles", "key_delete", "{'path': 'roles', 'before': ['developer']}");
        JsonNode role = tenant.admin()
                .post(tenant.roles(), "{'name': 'Keeper', 'actors': [], 'policies': []}")
                .ok();
        lastSaysOf("name", "role_create", "{'path': 'name', 'after': 'Keeper'}");
        tenant.admin().delete(tenant.roles() + "/" + role.path("id").asString()).ok();
        lastSaysOf("name", "role_delete", "{'path': 'name', 'before': 'Keeper'}");
    }

    @Test
    void anInvitationIsMadeWithoutItsTokenInTheHistory() {
        JsonNode made = tenant.newInvitation();
        JsonNode line = last(tenant.admin(), "organization_invite_create");
        lastSaysOf("email", "organization_invite_create", "{'path': 'email', 'after': " + made.path("email") + "}");
        assertThat(line.toString()).doesNotContain(made.path("token").asString());
    }

    @Test
    void pipesAndPartsThatAreDeletedLeaveWhatTheyWere() {
        JsonNode service = tenant.running();
        JsonNode pipe =
                tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA).ok();
        lastSays("clickpipe_create", "[{'path': 'name', 'after': " + pipe.path("name") + "}]");
        tenant.admin()
                .delete(tenant.pipes(service) + "/" + pipe.path("id").asString())
                .ok();
        lastSaysOf(
                "source.kafka.brokers",
                "clickpipe_delete",
                "{'path': 'source.kafka.brokers', 'before': " + pipe.at("/source/kafka/brokers") + "}");
        tenant.admin()
                .put(tenant.service(service) + "/upgradeWindow", "{'weekday': 3, 'startHourUtc': 12}")
                .ok();
        tenant.admin().delete(tenant.service(service) + "/upgradeWindow").ok();
        lastSaysOf("weekday", "service_upgrade_window_delete", "{'path': 'weekday', 'before': 3}");
    }

    @Test
    void theSizeOfAServiceIsSaidByItsFields() {
        JsonNode service = tenant.made("{'minReplicaMemoryGb': 16, 'maxReplicaMemoryGb': 32}");
        tenant.admin()
                .patch(tenant.service(service) + "/replicaScaling", "{'maxReplicaMemoryGb': 64}")
                .ok();
        lastSaysOf(
                "maxReplicaMemoryGb",
                "service_update_autoscaling_memory",
                "{'path': 'maxReplicaMemoryGb', 'before': 32, 'after': 64}");
    }

    @Test
    void anAccessListHasTheEntriesThatCameAndWent() {
        JsonNode service = tenant.made("{'ipAccessList': [{'source': '192.0.2.1'}, {'source': '192.0.2.2'}]}");
        tenant.update(service, "{'ipAccessList': {'add': [{'source': '::1'}], 'remove': [{'source': '192.0.2.1'}]}}")
                .ok();
        lastSaysOf(
                "ipAccessList",
                "service_update_ip_access_list",
                "{'path': 'ipAccessList', 'before': [{'source': '192.0.2.1'}], 'after': [{'source': '::1'}]}");
    }

    @Test
    void aKeyHasItsRolesAndItsAccessList() {
        JsonNode key = tenant.newKey("developer").path("key");
        String path = tenant.keys() + "/" + key.path("id").asString();
        tenant.admin()
                .patch(path, "{'ipAccessList': [{'source': '192.0.2.1'}]}")
                .ok();
        lastSaysOf(
                "ipAccessList",
                "openapi_key_update",
                "{'path': 'ipAccessList', 'before': [], 'after': [{'source': '192.0.2.1'}]}");
        house.advance(Duration.ofMillis(1));
        tenant.admin().patch(path, "{'roles': ['admin']}").ok();
        lastSaysOf("roles", "openapi_key_update", "{'path': 'roles', 'before': ['developer'], 'after': ['admin']}");
    }

    @Test
    void aPipeAnOrganizationAndARoleHaveThem() {
        JsonNode service = tenant.running();
        JsonNode pipe =
                tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA).ok();
        tenant.admin()
                .patch(tenant.pipes(service) + "/" + pipe.path("id").asString(), "{'name': 'Other'}")
                .ok();
        lastSays("clickpipe_update", "[{'path': 'name', 'before': " + pipe.path("name") + ", 'after': 'Other'}]");
        String before = tenant.organization().path("name").toString();
        tenant.admin().patch(tenant.path(), "{'name': 'House'}").ok();
        lastSays("organization_update_name", "[{'path': 'name', 'before': " + before + ", 'after': 'House'}]");
        JsonNode role = tenant.admin()
                .post(tenant.roles(), "{'name': 'Keeper', 'actors': [], 'policies': []}")
                .ok();
        tenant.admin()
                .patch(tenant.roles() + "/" + role.path("id").asString(), "{'name': 'Guard'}")
                .ok();
        lastSays("role_update", "[{'path': 'name', 'before': 'Keeper', 'after': 'Guard'}]");
    }

    @Test
    void partsOfAServiceAndMembersHaveThem() {
        JsonNode service = tenant.made("{}");
        tenant.admin()
                .put(tenant.service(service) + "/upgradeWindow", "{'weekday': 3, 'startHourUtc': 12}")
                .ok();
        house.advance(Duration.ofMillis(1));
        tenant.admin()
                .put(tenant.service(service) + "/upgradeWindow", "{'weekday': 4, 'startHourUtc': 12}")
                .ok();
        lastSays("service_upgrade_window_update", "[{'path': 'weekday', 'before': 3, 'after': 4}]");
        tenant.admin()
                .patch(tenant.service(service) + "/backupConfiguration", "{'backupRetentionPeriodInHours': 72}")
                .ok();
        lastSaysOf(
                "backupRetentionPeriodInHours",
                "service_update_backup_configuration",
                "{'path': 'backupRetentionPeriodInHours', 'before': 24, 'after': 72}");
        String ada = tenant.newMember().path("userId").asString();
        tenant.admin().patch(tenant.members() + "/" + ada, "{'role': 'admin'}").ok();
        lastSaysOf("role", "organization_member_update", "{'path': 'role', 'before': 'developer', 'after': 'admin'}");
    }

    @Test
    void aSilencedAlertHasWhoSilencedItUntilWhen() {
        ApiCaller alerts = tenant.alerts();
        JsonNode alert = alerts.get("/api/v2/alerts").data().get(0);
        String path = "/api/v2/alerts/" + alert.path("id").asString() + "/silenced";
        String until = house.time.now().plus(Duration.ofHours(1)).toString();
        alerts.post(path, "{'mutedUntil': '" + until + "'}").data();
        lastSaysOf("silenced.until", "alert_silence", "{'path': 'silenced.until', 'after': '" + until + "'}");
        lastSaysOf("silenced.by", "alert_silence", "{'path': 'silenced.by', 'after': 'Another'}");
        alerts.delete(path).data();
        lastSaysOf("silenced.until", "alert_unsilence", "{'path': 'silenced.until', 'before': '" + until + "'}");
    }

    @Test
    void aBackupThatIsAskedForIsInProgress() {
        JsonNode service = tenant.running();
        tenant.admin().post(tenant.service(service) + "/backups", "{}").ok();
        lastSays("backup_create", "[{'path': 'status', 'after': 'in_progress'}]");
    }

    @Test
    void privateEndpointsThatComeAndGoWithAServiceAreSaidOnBoth() {
        JsonNode service = tenant.made("{'region': 'us-east-1'}");
        tenant.update(service, "{'privateEndpointIds': {'add': ['vpce-1']}}").ok();
        String shown = "{'id': 'vpce-1', 'cloudProvider': 'aws', 'region': 'us-east-1'}";
        lastSays(
                "organization_update_private_endpoints",
                "[{'path': 'privateEndpoints', 'before': [], 'after': [" + shown + "]}]");
        house.advance(Duration.ofMillis(1));
        tenant.admin()
                .patch(
                        tenant.path(),
                        "{'privateEndpoints': {'remove': [{'id': 'vpce-1', 'cloudProvider': 'aws', 'region': 'us-east-1'}]}}")
                .ok();
        lastSays(
                "service_update_private_endpoints",
                "[{'path': 'privateEndpointIds', 'before': ['vpce-1'], 'after': []}]");
        house.advance(Duration.ofMillis(1));
        tenant.admin()
                .post(tenant.service(service) + "/privateEndpoint", "{'id': 'vpce-2'}")
                .ok();
        lastSays(
                "service_update_private_endpoints",
                "[{'path': 'privateEndpointIds', 'before': [], 'after': ['vpce-2']}]");
    }

    @Test
    void thoseWhoGetARoleBecauseTheRoleNamesThemHaveIt() {
        String key = tenant.newKey("developer").path("key").path("id").asString();
        String member = tenant.newMember().path("userId").asString();
        JsonNode role = tenant.admin()
                .post(
                        tenant.roles(),
                        "{'name': 'Keeper', 'actors': ['apiKey/" + key + "', 'user/" + member + "'], 'policies': []}")
                .ok();
        String after = "{'path': 'assignedRoles', 'before': [], 'after': [{'roleId': " + role.path("id")
                + ", 'roleName': 'Keeper', 'roleType': 'custom'}]}";
        lastSays("openapi_key_update", "[" + after + "]");
        lastSays("organization_member_update", "[" + after + "]");
    }

    @Test
    void aChangeOfNothingHasNoChanges() {
        JsonNode service = tenant.made("{'name': 'Same'}");
        tenant.update(service, "{'name': 'Other'}").ok();
        tenant.update(service, "{'name': 'Other'}").ok();
        assertThat(tenant.admin()
                        .get(tenant.path() + "/activities")
                        .ok()
                        .valueStream()
                        .map(line -> line.path("type").asString()))
                .containsExactlyInAnyOrder("service_update_name", "service_create");
    }

    @Test
    void aPasswordIsNotInTheHistory() {
        JsonNode service = tenant.made("{}");
        JsonNode changed = tenant.admin()
                .patch(tenant.service(service) + "/password", "{}")
                .ok();
        JsonNode line = last(tenant.admin(), "service_update_password");
        assertThat(line.has("changes")).isFalse();
        assertThat(line.toString()).doesNotContain(changed.path("password").asString());
    }

    @Test
    void whoMayNotReadTheThingIsNotShownItsValues() {
        JsonNode service = tenant.made("{'name': 'Old'}");
        tenant.update(service, "{'name': 'New'}").ok();
        tenant.admin().patch(tenant.path(), "{'name': 'House'}").ok();
        JsonNode key = tenant.admin()
                .post(tenant.keys(), "{'name': 'Reader', 'assignedRoleIds': ['" + Role.ORGANIZATION_READER.id() + "']}")
                .ok();
        ApiCaller reader = house.as(ApiCredentials.basic(
                key.path("keyId").asString(), key.path("keySecret").asString()));
        JsonNode line = last(reader, "service_update_name");
        assertThat(line.has("changes")).isFalse();
        String path = tenant.path() + "/activities/" + line.path("id").asString();
        assertThat(reader.get(path).ok().has("changes")).isFalse();
        assertThat(tenant.admin().get(path).ok().has("changes")).isTrue();
        assertThat(last(reader, "organization_update_name").path("changes")).hasSize(1);
    }

    @Test
    void aLongValueIsCut() {
        JsonNode service = tenant.made("{}");
        StringBuilder entries = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            entries.append(i == 0 ? "" : ", ")
                    .append("{'source': '192.0.2.")
                    .append(i)
                    .append("', 'description': 'One of many'}");
        }
        tenant.update(service, "{'ipAccessList': {'add': [" + entries + "]}}").ok();
        JsonNode after = last(tenant.admin(), "service_update_ip_access_list").at("/changes/0/after");
        assertThat(after.size()).isLessThan(20);
        assertThat(after.get(after.size() - 1).asString()).isEqualTo("… " + (101 - after.size()) + " more");
    }
}
