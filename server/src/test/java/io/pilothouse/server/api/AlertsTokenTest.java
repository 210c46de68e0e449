package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Tokens of the alerts interface: made and revoked on the management side. */
class AlertsTokenTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.properties().forEach(member -> names.add(member.getKey()));
        return names;
    }

    @Test
    void aTokenIsShownOnceAndOpensTheAlertsOfItsOrganization() throws IOException {
        JsonNode made = tenant.admin()
                .post(tenant.alertsTokens(), "{'name': 'Watcher'}")
                .ok();
        String text = made.path("accessToken").asString();
        JsonNode token = made.path("token");
        ApiJson.assertSame(token.path("name"), "'Watcher'");
        assertThat(names(token)).containsExactlyInAnyOrder("id", "name", "createdAt", "tokenSuffix");
        assertThat(text)
                .hasSizeGreaterThanOrEqualTo(40)
                .endsWith(token.path("tokenSuffix").asString());
        assertThat(tenant.alertsWith(made).get(AlertExamples.ALERTS).data())
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(alert.path("team").asString()).isEqualTo(tenant.id()));
        ApiAnswer list = tenant.admin().get(tenant.alertsTokens());
        assertThat(list.ok()).hasSize(1);
        assertThat(list.ok().get(0).path("usedAt").asString()).isNotEmpty();
        assertThat(list.text()).doesNotContain(text);
        assertThat(ServiceShapeTest.everythingStored(house.folder()).contains(text))
                .as("stored as it is")
                .isFalse();
    }

    @Test
    void aTokenWithoutANameIsNamedByItsEnd() {
        JsonNode made = tenant.admin().post(tenant.alertsTokens(), "{}").ok();
        assertThat(made.path("token").path("name").asString())
                .isEqualTo("Token " + made.path("token").path("tokenSuffix").asString());
        tenant.admin().post(tenant.alertsTokens(), "{'name': ''}").faultsAt("name");
        tenant.admin().post(tenant.alertsTokens(), "{'name': 5}").faultsAt("name");
    }

    @Test
    void aRevokedTokenOpensNothingFromThatMomentOn() {
        JsonNode made = tenant.newAlertsToken();
        ApiCaller caller = tenant.alertsWith(made);
        assertThat(caller.get(AlertExamples.ALERTS).status()).isEqualTo(200);
        String path =
                tenant.alertsTokens() + "/" + made.path("token").path("id").asString();
        tenant.admin().with("If-Match", "\"999\"").delete(path).refused(412, "PRECONDITION_FAILED");
        tenant.admin().delete(path).ok();
        assertThat(caller.get(AlertExamples.ALERTS).message(401)).isNotEmpty();
        tenant.admin().delete(path).refused(404, "NOT_FOUND");
    }
}
