package io.pilothouse.console.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Verb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stands beside a form for Terraform. {@code ConsoleTerraformIT} asks the provider about it. */
class TerraformBlocksTest {
    private static final String PATH = "/v1/organizations/0f/";

    private static String of(Verb verb, String path, @Nullable String body) {
        return TerraformBlocks.of(verb, PATH + path, body);
    }

    @Test
    void aServiceHasTheAttributesThatWereTyped() {
        assertThat(of(Verb.POST, "services", """
                        {"name": "Events", "provider": "gcp", "minReplicaMemoryGb": 8, "idleScaling": false,
                         "ipAccessList": [{"source": "127.0.0.1"}]}""")).isEqualTo("""
                        resource "clickhouse_service" "this" {
                          name = "Events"
                          cloud_provider = "gcp"
                          region = "us-east-1"
                          min_replica_memory_gb = 8
                          idle_scaling = false
                          ip_access = [{
                            source = "127.0.0.1"
                            description = ""
                          }]
                          password = "..."
                        }""");
    }

    @Test
    void aChangeIsAPartOfItsResource() {
        assertThat(of(Verb.PATCH, "services/1", "{\"name\": \"Other\"}"))
                .contains("# ...", "name = \"Other\"")
                .doesNotContain("ip_access");
        assertThat(of(Verb.PATCH, "services/1/backupConfiguration", "{\"backupPeriodInHours\": 12}"))
                .contains("backup_configuration = {\n    backup_period_in_hours = 12\n  }");
        assertThat(of(Verb.POST, "services/1/serviceQueryEndpoint", "{\"openApiKeys\": [\"k\"], \"roles\": [\"r\"]}"))
                .contains("api_key_ids = [\"k\"]", "roles = [\"r\"]");
        assertThat(of(Verb.PATCH, "services/1/clickpipes/2/state", "{\"command\": \"stop\"}"))
                .contains("\"clickhouse_clickpipe\"", "stopped = true");
    }

    /** An empty list would lock everybody out where somebody pastes it. */
    @Test
    void nobodyIsShownHowToLetNobodyIn() {
        assertThat(of(Verb.PATCH, "services/1", "{}"))
                .contains("ip_access = [{")
                .doesNotContain("[]");
    }

    @Test
    void aRoleOfAMemberIsAnAssignment() {
        assertThat(of(Verb.PATCH, "members/7", "{\"assignedRoleIds\": [\"a\", \"b\"]}"))
                .contains("\"role_1\"", "\"role_2\"", "role_id = \"b\"", "user_ids = [\"7\"]");
        assertThat(of(Verb.PATCH, "members/7", "{\"assignedRoleIds\": []}")).startsWith("# Take");
    }

    @Test
    void aPolicyHasAnEffect() {
        assertThat(of(Verb.POST, "roles", "{\"name\": \"R\", \"policies\": [{\"allowDeny\": \"ALLOW\"}]}"))
                .contains("effect = \"ALLOW\"");
    }

    @Test
    void whatTheProviderCannotDoIsOneLine() {
        assertThat(of(Verb.POST, "keys", "{}")).startsWith("# ").doesNotContain("\n");
        assertThat(of(Verb.POST, "services/1/backups", null)).startsWith("# ").doesNotContain("\n");
        assertThat(of(Verb.DELETE, "services/1", null))
                .isEqualTo("# Take clickhouse_service out of the configuration, then: terraform apply");
        assertThat(TerraformBlocks.of(Verb.POST, "/api/v2/alerts", "{}")).startsWith("# ");
        assertThat(TerraformBlocks.of(Verb.DELETE, "/api/v2/webhooks/1", null)).contains("clickstack_webhook");
        assertThat(TerraformBlocks.of(Verb.POST, "/_pilothouse/faults", "no json"))
                .startsWith("# ");
    }

    @Test
    void nothingOfATextIsAnExpression() {
        assertThat(of(Verb.PATCH, "services/1", "{\"name\": \"\\\"${file(1)}\\\\%{if}\\n\"}"))
                .contains("name = \"\\\"$${file(1)}\\\\%%{if}\\n\"");
        assertThat(of(Verb.PUT, "services/1/clickpipes/2/settings", "{\"a b\": null, \"c\": {}}"))
                .contains("\"a b\" = null", "c = {}");
    }
}
